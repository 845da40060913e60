import { Readable } from 'node:stream'
import { z } from 'zod'
import { type Screen, type ScreenVisit, screenAction } from '../../../../framework/module/screen.ts'
import { actionButton, screenForm, wrongWith } from '../../../../framework/module/screen-form.ts'
import { type Column, listedPage, nextPageHtml, tableHtml } from '../../../../framework/module/screen-list.ts'
import { dataScript, type Html, html } from '../../../../http/html/html.ts'
import { fileHtml } from '../../../../http/html/inputs.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { fileQuotaReached, validationFailed } from '../../../../kernel/errors.ts'
import { invalidCursor } from '../../../../kernel/page.ts'
import { momentText } from '../../../../model/day-text.ts'
import type { PageLanguage } from '../../../../model/messages.ts'
import type { PlanTable } from '../../../../model/plan.ts'
import { PREFIX_BY_TYPE } from '../../../../model/profile-type.ts'
import { tooManyJobs } from '../../../jobs/index.ts'
import { FILE_INPUT, fileSizeText, MEGABYTE, UPLOADS_SCRIPT, uploadListHtml } from '../../files/index.ts'
import { archiveTooLarge, importNotFound } from '../errors.ts'
import { importScreenMessages } from '../messages.ts'
import type { RequestedImport } from '../requested-imports.ts'
import type { ArchiveService } from '../service.ts'
import { failureHtml, reportHtml } from './import-report-html.ts'

/** The services of the screens of imports. */
export interface ImportScreens {
  readonly archives: Pick<ArchiveService, 'beginImport' | 'importChecked' | 'listImports' | 'getImport'>
  readonly planLimits: PlanTable
}

const PATH = '/manage/profiles/import'
/** The largest archive of a form that is sent without the script, in bytes. */
const MAX_WITHOUT_SCRIPT = 11 * MEGABYTE

const reportPath = (jobId: string): string => `${PATH}/${jobId}`

const PROBLEMS = {
  [archiveTooLarge.code]: 'failed_archive_too_large',
  [fileQuotaReached.code]: 'failed_file_quota_reached',
  [tooManyJobs.code]: 'tooMany',
  [importNotFound.code]: 'gone',
} as const satisfies Readonly<Record<string, Parameters<ReturnType<typeof importScreenMessages>>[0]>>

function problem({ code }: { readonly code: string }, page: PageLanguage): string | undefined {
  const key = new Map(Object.entries(PROBLEMS)).get(code)
  return key && importScreenMessages(page)(key)
}

/** Stores the archive of a form, and requests its dry run. */
async function checkSent(archives: ImportScreens['archives'], { caller, files }: ScreenVisit) {
  const sent = files[FILE_INPUT]
  if (!sent) throw validationFailed({ details: { in: 'body', issues: [{ path: `/${FILE_INPUT}` }] } })
  const upload = await archives.beginImport(caller)
  try {
    await upload.store(Readable.from([sent.bytes]))
    return await upload.finish({ isDry: true, keep: true })
  } catch (error) {
    await upload.discard()
    throw error
  }
}

function uploadForm(visit: ScreenVisit, planLimits: PlanTable): Html {
  const { site, caller } = visit
  const say = importScreenMessages(site)
  const { maxStorageMb } = planLimits(caller.account.tier).limits
  const codes = Object.fromEntries(Object.entries(PROBLEMS).map(([code, key]) => [code, say(key)]))
  const hint = html`${say('fileHint', { size: fileSizeText(maxStorageMb * MEGABYTE, site) })}<noscript> ${say('withoutScript', { size: fileSizeText(MAX_WITHOUT_SCRIPT, site) })}</noscript>`
  const form = screenForm(
    visit,
    { actions: ['check'], hasFiles: true, id: 'upload' },
    html`${fileHtml({ name: FILE_INPUT, label: say('file'), isRequired: true, accept: '.zip,application/zip', hint, problem: wrongWith(visit, FILE_INPUT) })}<p class="acts">${actionButton(visit, 'check', say('check'))}</p>`,
  )
  const fields = { dry_run: 'true', keep: 'true' }
  return html`<section class="card">${form}${uploadListHtml(visit, { url: '/import', method: 'POST', fields, codes })}</section>\n`
}

/** Writes an import: its progress, what it will create with the button that starts it, or how it ended. */
function importHtml(visit: ScreenVisit, { job, isDry, report, isImportable }: RequestedImport): Html {
  const { site } = visit
  const say = importScreenMessages(site)
  if (job.status === 'queued' || job.status === 'running') {
    const [url, done] = [hrefOn(site, `/jobs/${job.id}`), hrefOn(site, visit.path)]
    return html`<section class="card"><p>${say(isDry ? 'checking' : 'importing')}</p><p><progress data-job max="100" value="${job.progress}" aria-label="${say('progress')}"></progress></p><p class="acts"><a class="btn second" href="${done}">${say('look')}</a></p>${dataScript('job', { url, done })}</section>\n`
  }
  if (job.error) return html`<section class="card">${failureHtml(site, job.error)}</section>\n`
  if (!report) return html`<section class="card"><p>${say('wasCancelled')}</p></section>\n`
  const canStart = isImportable && report.problems.length === 0
  const start =
    canStart &&
    screenForm(
      visit,
      { actions: ['start'], hidden: { job: job.id } },
      html`<p>${say('startNote')}</p><p class="acts">${actionButton(visit, 'start', say('start'))}</p>`,
    )
  const edit =
    report.profile.id !== null &&
    html`<p class="acts"><a class="btn" href="${hrefOn(site, `/manage/profiles/${report.profile.id}/edit`)}">${say('open')}</a></p>\n`
  return html`<section class="card">${reportHtml(visit, report)}${start}${isDry && !canStart && html`<p>${say('upload')}</p>\n`}${edit}</section>\n`
}

const isOpen = ({ job: { status } }: RequestedImport) => status === 'queued' || status === 'running'

/** What the screens of imports have in common. */
const shared = (archives: ImportScreens['archives']) => ({
  problem,
  said: (outcome: string, page: PageLanguage) =>
    outcome === 'checking'
      ? importScreenMessages(page)('didCheck')
      : outcome === 'started'
        ? importScreenMessages(page)('didStart')
        : undefined,
  start: screenAction({
    schema: z.object({ job: z.string().min(1).max(128) }),
    async run({ caller }: ScreenVisit, { job }) {
      const { id } = await archives.importChecked(job, caller)
      return { to: reportPath(id), said: 'started' }
    },
  }),
})

/** The screen that imports a profile: the upload of an export, the last import, and the imports before it. */
export function importScreen({ archives, planLimits }: ImportScreens): Screen {
  const { said, start } = shared(archives)
  return {
    name: 'profileImport',
    path: PATH,
    section: 'account',
    nav: { position: 90, label: (page) => importScreenMessages(page)('nav') },
    query: ['cursor'],
    errors: [invalidCursor, archiveTooLarge, fileQuotaReached, tooManyJobs, importNotFound],
    hasFiles: true,
    title: (page) => importScreenMessages(page)('title'),
    said,
    problem,
    wrong: (_input, page) => importScreenMessages(page)('chooseFirst'),
    inputsOf: ({ code }) => (code === validationFailed.code ? [FILE_INPUT] : []),
    post: {
      start,
      check: screenAction({
        schema: z.object({}),
        async run(visit: ScreenVisit) {
          const { id } = await checkSent(archives, visit)
          return { to: reportPath(id), said: 'checking' }
        },
      }),
    },
    async get(visit) {
      const { site, caller, query } = visit
      const say = importScreenMessages(site)
      const found = await archives.listImports(listedPage(visit), caller)
      const last = query.cursor === undefined ? found.items[0] : undefined
      const columns: readonly Column<RequestedImport>[] = [
        {
          label: say('requested'),
          cell: ({ job }) => html`<a href="${hrefOn(site, reportPath(job.id))}">${momentText(site, job.createdAt)}</a>`,
        },
        { label: say('kind'), cell: ({ isDry }) => say(isDry ? 'dry' : 'real') },
        {
          label: say('profile'),
          cell: ({ report }) =>
            report ? html`<bdi>/${PREFIX_BY_TYPE[report.profile.profile_type]}/${report.profile.username}</bdi>` : '–',
        },
        { label: say('state'), cell: ({ job }) => html`<span class="tag">${say(job.status)}</span>` },
      ]
      return {
        lead: say('lead'),
        scripts: [UPLOADS_SCRIPT],
        body: html`${uploadForm(visit, planLimits)}${last && importHtml(visit, last)}<h2>${say('list')}</h2>
${found.items.length === 0 ? html`<p>${say('none')}</p>\n` : tableHtml(say('list'), columns, found.items)}${nextPageHtml(visit, found, say('next'))}`,
      }
    },
  }
}

/** The screen of one import: its progress, and its report. */
export function importReportScreen({ archives }: Pick<ImportScreens, 'archives'>): Screen {
  const { said, start } = shared(archives)
  return {
    name: 'profileImportReport',
    path: `${PATH}/:job`,
    section: 'account',
    within: 'profileImport',
    texts: ['job'],
    errors: [fileQuotaReached, tooManyJobs, importNotFound],
    title: (page) => importScreenMessages(page)('title'),
    said,
    problem,
    post: { start },
    async get(visit) {
      const { site, caller } = visit
      const found = await archives.getImport(visit.text('job'), caller)
      return {
        crumbs: [{ name: importScreenMessages(site)('list'), href: PATH }],
        lead: importScreenMessages(site)(found.isDry ? 'dry' : 'real'),
        scripts: isOpen(found) ? [UPLOADS_SCRIPT] : undefined,
        body: importHtml(visit, found),
      }
    },
  }
}
