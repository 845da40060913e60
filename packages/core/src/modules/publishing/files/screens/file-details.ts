import { z } from 'zod'
import { type ProfileVisit, type Screen, type ScreenView, screenAction } from '../../../../framework/module/screen.ts'
import { actionButton, ofForm, screenForm, shownText, wrongWith } from '../../../../framework/module/screen-form.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { imageHref, sizedHref } from '../../../../http/html/image-href.ts'
import { areaHtml, fileHtml, lineHtml } from '../../../../http/html/inputs.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { fileQuotaReached } from '../../../../kernel/errors.ts'
import { line } from '../../../../kernel/text-fields.ts'
import { dayText } from '../../../../model/day-text.ts'
import type { GateConfig } from '../../../../model/gate-config.ts'
import { fileIdOf, fileUrl } from '../../../../model/resource-addresses.ts'
import { storageError } from '../../../../ports/blob-store.ts'
import type { FileUse, StoredFile } from '../../../../ports/storage/files.ts'
import type { ProfileService } from '../../../profiles/profiles/index.ts'
import { fileChanged, fileKindDiffers, fileNotFound, filesDisabled, fileTypeMismatch } from '../errors.ts'
import { etagOf } from '../file-etag.ts'
import { fileSizeText, fileTypeText } from '../file-text.ts'
import { fileScreenMessages } from '../messages.ts'
import { altText } from '../schemas.ts'
import { type FileScreens, fileListPath, filePath, limitsHtml, readersHtml } from './file-list.ts'
import { problemText } from './problems.ts'
import { FILE_INPUT, replaceBySent } from './take-file.ts'
import { UPLOADS_SCRIPT, uploadListHtml } from './upload-island.ts'

/** The services of the screen of one file. */
export interface FileDetails extends FileScreens {
  readonly profiles: Pick<ProfileService, 'publicUrl' | 'linkKeys'>
}

/** How many of the pages that use a file are listed. */
const MAX_USES = 20
const MAX_ALT = 1_000
const OUTCOMES = { saved: 'didSaved', replaced: 'didReplaced', deleted: 'didDeleted' } as const
/** The screen of a transcript, which the feature `media` adds. */
const TRANSCRIPT = '/manage/profiles/:id/files/:file/transcript'
/** The screen of tiers, which the feature `console` adds. */
const ACCESS = '/manage/profiles/:id/access'
const MEDIA = /^(?:audio|video)\/|^application\/ogg(?:;|$)/i

/** What the screen shows about a file. */
interface Shown {
  readonly file: StoredFile
  /** The address on this listener. */
  readonly href: string
  readonly uses: readonly FileUse[]
  readonly gates: GateConfig | undefined
}

const isImage = ({ contentType }: StoredFile) => contentType.startsWith('image/')

/** Writes who can open a file, as a link for those who set prices where the console has the screen of tiers. */
function readersLink(visit: ProfileVisit, file: StoredFile, gates: GateConfig | undefined): Html {
  const { site, profile } = visit
  const readers = html`${readersHtml({ site }, file, gates)}`
  const href = `${ACCESS.replace(':id', String(profile.id))}?see=files.f${file.id}`
  return visit.may('gates.edit') && site.has?.(ACCESS) ? html`<a href="${hrefOn(site, href)}">${readers}</a>` : readers
}

function factsHtml(visit: ProfileVisit, { file, href, gates }: Shown): Html {
  const { site } = visit
  const say = fileScreenMessages(site)
  const facts: readonly (readonly [string, Html | string])[] = [
    [say('kind'), html`<bdi>${fileTypeText(file.contentType, site)}</bdi>`],
    [say('size'), html`<bdi>${fileSizeText(file.size, site)}</bdi>`],
    ...(file.width !== null && file.height !== null
      ? [[say('pixels'), html`<bdi>${file.width} × ${file.height}</bdi>`] as const]
      : []),
    [say('added'), dayText(site, file.createdAt)],
    ...(file.replacedAt ? [[say('replacedOn'), dayText(site, file.replacedAt)] as const] : []),
    [say('address'), html`<code><bdi>/files/${file.id}</bdi></code>`],
    [say('readersTitle'), readersLink(visit, file, gates)],
  ]
  return html`<section class="card">${isImage(file) && html`<img class="cover" src="${sizedHref(href, site, 'small')}" alt="${file.alt ?? ''}">`}<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl><p class="acts"><a class="btn second" href="${href}">${say('open')}</a></p></section>\n`
}

/** Writes the pages that use a file, and its place in the profile. */
function usesHtml(visit: ProfileVisit, { file, uses }: Pick<Shown, 'file' | 'uses'>, publicUrl: string): Html {
  const { site, profile } = visit
  const say = fileScreenMessages(site)
  const isAt = (address: string | null) => address !== null && fileIdOf(address, publicUrl) === file.id
  const [isPortrait, isCover] = [isAt(profile.avatarUrl), isAt(profile.coverUrl)]
  const canEdit = visit.may('content.edit')
  return html`${isPortrait && html`<p>${say('asPortrait')}</p>`}${isCover && html`<p>${say('asCover')}</p>`}${
    uses.length > 0
      ? html`<ul>${uses.map(({ pageId, title }) => {
          const name = html`<bdi>${title}</bdi>`
          const path = `/manage/profiles/${profile.id}/pages/${pageId}`
          return html`<li>${canEdit ? html`<a href="${hrefOn(site, path)}">${name}</a>` : name}</li>`
        })}</ul>`
      : !isPortrait && !isCover && html`<p>${say('unused')}</p>`
  }${uses.length === MAX_USES && html`<p class="soft">${say('usedMore')}</p>`}`
}

function detailsForm(visited: ProfileVisit, file: StoredFile): Html | false {
  const actions = ['save']
  const visit = ofForm(visited, actions)
  const say = fileScreenMessages(visit.site)
  const form = screenForm(
    visit,
    { actions },
    html`${lineHtml({ name: 'filename', label: say('name'), hint: say('nameHint'), isRequired: true, isExact: true, maxLength: 255, value: shownText(visit, 'filename', file.filename), problem: wrongWith(visit, 'filename') })}${
      isImage(file) &&
      areaHtml({
        name: 'alt',
        label: say('alt'),
        hint: say('altHint'),
        rows: 3,
        maxLength: MAX_ALT,
        value: shownText(visit, 'alt', file.alt),
        problem: wrongWith(visit, 'alt'),
      })
    }<p class="acts">${actionButton(visit, 'save', say('save'))}</p>`,
  )
  return form && html`<section class="card"><h2>${say('details')}</h2>${form}</section>\n`
}

function replaceForm(visited: ProfileVisit, file: StoredFile, files: FileScreens['files']): Html | false {
  const actions = ['replace']
  const visit = ofForm(visited, actions)
  const say = fileScreenMessages(visit.site)
  const etag = etagOf(file)
  const form = screenForm(
    visit,
    { actions, hidden: { etag }, hasFiles: true, id: 'upload' },
    html`<p>${say('replaceHint')}</p>${fileHtml({ name: FILE_INPUT, label: say('choose'), isRequired: true, hint: limitsHtml(visit, files), problem: wrongWith(visit, FILE_INPUT) })}<p class="acts">${actionButton(visit, 'replace', say('replace'), 'second')}</p>`,
  )
  if (!form) return false
  const sending = { url: `/manage/files/${file.id}/content`, method: 'PUT', etag } as const
  return html`<section class="card"><h2>${say('replaceTitle')}</h2>${form}${uploadListHtml(visit, sending)}</section>\n`
}

/** The page that asks before a file is deleted. */
function deletionView(visit: ProfileVisit, shown: Shown, publicUrl: string): ScreenView {
  const { site, profile } = visit
  const say = fileScreenMessages(site)
  const { file, uses } = shown
  const form = screenForm(
    visit,
    { actions: ['delete'], hidden: { etag: etagOf(file) } },
    html`<p class="acts">${actionButton(visit, 'delete', say('deleteNow'), 'danger')}<a class="btn second" href="${hrefOn(site, filePath(profile.id, file.id))}">${say('keep')}</a></p>`,
  )
  return {
    title: say('deleteTitle'),
    crumbs: [
      { name: say('files'), href: fileListPath(profile.id) },
      { name: file.filename, href: filePath(profile.id, file.id) },
    ],
    body: html`<section class="card"><p><bdi>${file.filename}</bdi></p><p>${say('deleteText')}</p>${uses.length > 0 && html`<p>${say('deleteUsed')}</p>`}${usesHtml(visit, shown, publicUrl)}${form}</section>\n`,
  }
}

/** The screen of one file: its name and description, its content, and where it is used. */
export function fileDetailsScreen({ files, gates, profiles }: FileDetails): Screen {
  /** The file of the path, which is of the profile. */
  async function read({ number, profile }: ProfileVisit): Promise<StoredFile> {
    const found = await files.findStored(number('file'))
    if (found?.profile.id !== profile.id) throw fileNotFound()
    return found.file
  }

  return {
    name: 'fileDetails',
    path: '/manage/profiles/:id/files/:file',
    section: 'profile',
    within: 'files',
    permission: 'files.list',
    query: ['delete'],
    hasFiles: true,
    errors: [
      fileNotFound,
      fileChanged,
      fileTypeMismatch,
      fileKindDiffers,
      fileQuotaReached,
      storageError,
      filesDisabled,
    ],
    title: (page) => fileScreenMessages(page)('file'),
    said(outcome, page) {
      const known = (['saved', 'replaced', 'deleted'] as const).find((each) => each === outcome)
      return known && fileScreenMessages(page)(OUTCOMES[known])
    },
    problem: problemText,
    wrong: (input, page) => fileScreenMessages(page)(input === 'filename' ? 'wrongName' : 'chooseFirst'),
    inputsOf: ({ code, details }) => {
      if (code === fileTypeMismatch.code) return details === undefined ? ['filename'] : [FILE_INPUT]
      return code === 'validation_failed' ? [FILE_INPUT] : []
    },
    post: {
      save: screenAction({
        permission: 'files.edit',
        schema: z.object({ filename: z.string().trim().pipe(line(255)), alt: altText.optional() }),
        async run(visit: ProfileVisit, { filename, alt }) {
          const { id } = await read(visit)
          await files.update(id, { filename, alt }, visit.caller)
          return { to: visit.path, said: 'saved' }
        },
      }),
      replace: screenAction({
        permission: 'files.edit',
        schema: z.object({ etag: z.string().min(1).max(128) }),
        async run(visit: ProfileVisit, { etag }) {
          const { id } = await read(visit)
          await replaceBySent(files, visit, id, etag)
          return { to: visit.path, said: 'replaced' }
        },
      }),
      delete: screenAction({
        permission: 'files.edit',
        schema: z.object({ etag: z.string().max(128) }),
        async run(visit: ProfileVisit, { etag }) {
          const { id } = await read(visit)
          // The file that the person saw is the one that is deleted.
          await files.delete(id, visit.caller, { action: 'files.edit', ifMatch: etag })
          return { to: fileListPath(visit.profile.id), said: 'deleted' }
        },
      }),
    },
    async get(visit) {
      const { site, profile, query } = visit
      const say = fileScreenMessages(site)
      const file = await read(visit)
      const [uses, gate] = await Promise.all([files.usesOf(file, MAX_USES), gates.gateOf(profile.id)])
      const key = profile.visibility === 'unlisted' ? profiles.linkKeys.keyOf('file', profile.id, file.id) : undefined
      const address = fileUrl(profiles.publicUrl, file.id, key)
      const shown = { file, href: imageHref(address, site) ?? hrefOn(site, address), uses, gates: gate?.config }
      if (query.delete !== undefined && visit.allows('delete')) return deletionView(visit, shown, profiles.publicUrl)
      const hasTranscript = MEDIA.test(file.contentType) && site.has?.(TRANSCRIPT)
      return {
        title: say('named', { name: file.filename }),
        crumbs: [{ name: say('files'), href: fileListPath(profile.id) }],
        scripts: visit.allows('replace') ? [UPLOADS_SCRIPT] : undefined,
        body: html`<div class="two"><div>${detailsForm(visit, file)}${replaceForm(visit, file, files)}</div><div>${factsHtml(visit, shown)}<section class="card"><h2>${say('usedTitle')}</h2>${usesHtml(visit, shown, profiles.publicUrl)}</section>${hasTranscript && html`<p><a href="${hrefOn(site, `${filePath(profile.id, file.id)}/transcript`)}">${say('transcript')}</a></p>`}${visit.allows('delete') && html`<p class="acts"><a class="btn second" href="${hrefOn(site, `${visit.path}?delete=1`)}">${say('delete')}</a></p>`}</div></div>`,
      }
    },
  }
}
