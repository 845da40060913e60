import { z } from 'zod'
import { type ProfileVisit, type Screen, screenAction } from '../../../../framework/module/screen.ts'
import { actionButton, screenForm, wrongWith } from '../../../../framework/module/screen-form.ts'
import { type Column, listedPage, nextPageHtml, tableHtml } from '../../../../framework/module/screen-list.ts'
import { accessMarkHtml } from '../../../../http/html/access-mark.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { fileHtml } from '../../../../http/html/inputs.ts'
import { emptyHtml } from '../../../../http/html/pieces.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { invalidCursor } from '../../../../kernel/page.ts'
import { dayText } from '../../../../model/day-text.ts'
import type { GateConfig } from '../../../../model/gate-config.ts'
import { resourceName } from '../../../../model/resource-name.ts'
import type { StoredFile } from '../../../../ports/storage/files.ts'
import type { GateService } from '../../../access/gates/index.ts'
import { fileSizeText, fileTypeText } from '../file-text.ts'
import { fileScreenMessages } from '../messages.ts'
import type { FileService, FileUseOfPlan } from '../service.ts'
import { MEGABYTE } from '../upload-limits.ts'
import { problemText } from './problems.ts'
import { FILE_INPUT, storeSent } from './take-file.ts'
import { UPLOADS_SCRIPT, uploadListHtml } from './upload-island.ts'

/** The services of the screens of files. */
export interface FileScreens {
  readonly files: Pick<
    FileService,
    | 'begin'
    | 'beginReplacement'
    | 'delete'
    | 'find'
    | 'findStored'
    | 'limitsOf'
    | 'listForTeam'
    | 'update'
    | 'useOfPlan'
    | 'usesOf'
  >
  readonly gates: Pick<GateService, 'gateOf'>
}

/** The largest file of a form that is sent without the script, in bytes. The form of a screen may be a little larger. */
const MAX_WITHOUT_SCRIPT = 11 * MEGABYTE

/** The path of the list of files of a profile. */
export const fileListPath = (profileId: number): string => `/manage/profiles/${profileId}/files`

/** The path of the screen of a file. */
export const filePath = (profileId: number, fileId: number): string => `${fileListPath(profileId)}/${fileId}`

/** Writes who can open a file. */
export const readersHtml = (
  { site }: Pick<ProfileVisit, 'site'>,
  { id }: Pick<StoredFile, 'id'>,
  gates: GateConfig | undefined,
): Html | string =>
  accessMarkHtml(resourceName('files', [`f${id}`]), gates, { ...site, viewer: undefined }) ||
  fileScreenMessages(site)('everyone')

function quotaHtml({ site }: ProfileVisit, { files, maxFiles, bytes, maxBytes }: FileUseOfPlan): Html {
  const say = fileScreenMessages(site)
  const number = (value: number) => value.toLocaleString(site.language)
  const text = say('quota', {
    files: number(files),
    maxFiles: number(maxFiles),
    bytes: fileSizeText(bytes, site),
    maxBytes: fileSizeText(maxBytes, site),
  })
  const isFull = files >= maxFiles || bytes >= maxBytes
  return html`<p id="quota">${text}<br><meter aria-labelledby="quota" min="0" max="1" high="0.9" optimum="0" value="${Math.min(1, Math.max(bytes / maxBytes, files / maxFiles)).toFixed(3)}"></meter></p>
${isFull && html`<div class="notice"><p>${say('quotaFull')}</p></div>\n`}`
}

/** Writes the sizes that an input for files takes. */
export function limitsHtml({ site, caller }: ProfileVisit, { limitsOf }: Pick<FileService, 'limitsOf'>): Html {
  const say = fileScreenMessages(site)
  const { maxFileMb, limits } = limitsOf(caller)
  const size = (megabytes: number) => fileSizeText(megabytes * MEGABYTE, site)
  const texts = {
    size: size(maxFileMb),
    audio: size(Math.max(maxFileMb, limits.maxAudioUploadMb)),
    video: size(Math.max(maxFileMb, limits.maxVideoUploadMb)),
  }
  return html`${say('limits', texts)}<noscript> ${say('withoutScript', { size: fileSizeText(MAX_WITHOUT_SCRIPT, site) })}</noscript>`
}

function uploadForm(visit: ProfileVisit, files: Pick<FileService, 'limitsOf'>): Html | false {
  const { site, profile } = visit
  const say = fileScreenMessages(site)
  const form = screenForm(
    visit,
    { actions: ['upload'], hasFiles: true, id: 'upload' },
    html`${fileHtml({ name: FILE_INPUT, label: say('choose'), isRequired: true, hint: limitsHtml(visit, files), problem: wrongWith(visit, FILE_INPUT) })}<p class="acts">${actionButton(visit, 'upload', say('upload'))}</p>`,
  )
  if (!form) return false
  const fields = { username: profile.username, profile_type: profile.type }
  return html`<section class="card"><h2>${say('uploadTitle')}</h2>${form}${uploadListHtml(visit, { url: '/files', method: 'POST', fields, isMany: true })}</section>\n`
}

function columnsOf({ site, profile }: ProfileVisit, gates: GateConfig | undefined): readonly Column<StoredFile>[] {
  const say = fileScreenMessages(site)
  return [
    {
      label: say('file'),
      cell: ({ id, filename }) => html`<a href="${hrefOn(site, filePath(profile.id, id))}"><bdi>${filename}</bdi></a>`,
    },
    {
      label: say('kind'),
      cell: ({ contentType, size }) =>
        html`<span><bdi>${fileTypeText(contentType, site)}</bdi> · <bdi>${fileSizeText(size, site)}</bdi></span>`,
    },
    { label: say('access'), cell: (file) => html`<span>${readersHtml({ site }, file, gates)}</span>` },
    {
      label: say('description'),
      cell: ({ contentType, alt }) =>
        contentType.startsWith('image/')
          ? html`<span class="tag${alt ? '' : ' bad'}">${say(alt ? 'described' : 'undescribed')}</span>`
          : '–',
    },
    { label: say('added'), cell: ({ createdAt }) => dayText(site, createdAt), isNumber: true },
  ]
}

/** The screen with the files of a profile: what they take of the plan, and uploads. */
export const fileListScreen = ({ files, gates }: FileScreens): Screen => ({
  name: 'files',
  path: '/manage/profiles/:id/files',
  section: 'profile',
  permission: 'files.list',
  nav: { position: 30 },
  query: ['cursor'],
  errors: [invalidCursor],
  hasFiles: true,
  title: (page) => fileScreenMessages(page)('files'),
  said: (outcome, page) => (outcome === 'stored' ? fileScreenMessages(page)('didStored') : undefined),
  problem: problemText,
  wrong: (_input, page) => fileScreenMessages(page)('chooseFirst'),
  inputsOf: ({ code }) => (code === 'validation_failed' ? [FILE_INPUT] : []),
  post: {
    upload: screenAction({
      permission: 'files.edit',
      schema: z.object({}),
      async run(visit: ProfileVisit) {
        const { id } = await storeSent(files, visit)
        return { to: filePath(visit.profile.id, id), said: 'stored' }
      },
    }),
  },
  async get(visit) {
    const { site, profile, caller } = visit
    const say = fileScreenMessages(site)
    const [{ page }, use, gate] = await Promise.all([
      files.listForTeam(profile.id, listedPage(visit), caller),
      files.useOfPlan(profile),
      gates.gateOf(profile.id),
    ])
    const canUpload = visit.allows('upload')
    return {
      lead: say('lead'),
      scripts: canUpload ? [UPLOADS_SCRIPT] : undefined,
      body: html`${uploadForm(visit, files)}${quotaHtml(visit, use)}${
        page.items.length === 0
          ? emptyHtml(say(canUpload ? 'none' : 'noneHere'))
          : tableHtml(say('files'), columnsOf(visit, gate?.config), page.items)
      }${nextPageHtml(visit, page, say('next'))}`,
    }
  },
})
