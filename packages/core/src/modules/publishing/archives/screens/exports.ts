import { z } from 'zod'
import { type ProfileVisit, type Screen, screenAction } from '../../../../framework/module/screen.ts'
import { actionButton, isChosen, screenForm } from '../../../../framework/module/screen-form.ts'
import { type Column, listedPage, nextPageHtml, tableHtml } from '../../../../framework/module/screen-list.ts'
import { dataScript, type Html, html } from '../../../../http/html/html.ts'
import { cardsHtml } from '../../../../http/html/inputs.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { invalidCursor } from '../../../../kernel/page.ts'
import { dayText, momentText } from '../../../../model/day-text.ts'
import type { Job } from '../../../../ports/storage/jobs.ts'
import { tooManyJobs } from '../../../jobs/index.ts'
import { fileSizeText, UPLOADS_SCRIPT } from '../../files/index.ts'
import { tooManyExports } from '../errors.ts'
import { exportScreenMessages } from '../messages.ts'
import type { ArchiveService, ListedExport } from '../service.ts'

/** The services of the screen with the exports of a profile. */
export interface ExportsScreen {
  readonly archives: Pick<ArchiveService, 'requestExport' | 'listExports'>
}

const FORMATS = ['zip', 'json'] as const

const isOpen = ({ status }: Job) => status === 'queued' || status === 'running'

function stateHtml({ site }: ProfileVisit, { job, result, isDownloadable }: ListedExport): Html {
  const say = exportScreenMessages(site)
  if (result && isDownloadable) {
    return html`<a href="${hrefOn(site, result.url)}" download>${say('download')}</a> <small>${say('until', { day: dayText(site, result.expires_at) })}</small>`
  }
  if (job.status === 'failed') return html`<span>${say('failed', { reason: job.error?.message ?? '' })}</span>`
  return html`<span class="tag">${say(job.status)}</span>`
}

/** Writes the progress of an export. The script follows it; without one the page is loaded again. */
function progressHtml({ site, path }: ProfileVisit, { id, progress }: Job): Html {
  const say = exportScreenMessages(site)
  const [url, done] = [hrefOn(site, `/jobs/${id}`), hrefOn(site, path)]
  return html`<section class="card"><p><progress data-job max="100" value="${progress}" aria-label="${say('progress')}"></progress></p><p class="acts"><a class="btn second" href="${done}">${say('look')}</a></p>${dataScript('job', { url, done })}</section>\n`
}

function startForm(visit: ProfileVisit): Html | false {
  const say = exportScreenMessages(visit.site)
  const choices = FORMATS.map((value) => ({
    value,
    label: say(value),
    isChosen: isChosen(visit, 'format', value, value === 'zip'),
  }))
  return screenForm(
    visit,
    { actions: ['start'] },
    html`${cardsHtml({ name: 'format', label: say('format'), choices })}<p class="acts">${actionButton(visit, 'start', say('start'))}</p>`,
  )
}

/** The screen with the exports of a profile that the caller requested: it starts one, and downloads the last one. */
export const exportsScreen = ({ archives }: ExportsScreen): Screen => ({
  name: 'profileExports',
  path: '/manage/profiles/:id/exports',
  section: 'profile',
  permission: 'profile.export',
  nav: { position: 80 },
  query: ['cursor'],
  errors: [invalidCursor, tooManyExports, tooManyJobs],
  title: (page) => exportScreenMessages(page)('title'),
  said: (outcome, page) => (outcome === 'started' ? exportScreenMessages(page)('didStart') : undefined),
  problem({ code }, page) {
    if (code === tooManyExports.code) return exportScreenMessages(page)('tooMany')
    return code === tooManyJobs.code ? exportScreenMessages(page)('tooManyJobs') : undefined
  },
  post: {
    start: screenAction({
      permission: 'profile.export',
      recent: true,
      schema: z.object({ format: z.enum(FORMATS) }),
      async run({ profile, caller, path }: ProfileVisit, { format }) {
        await archives.requestExport({ profileId: profile.id, format }, caller)
        return { to: path, said: 'started' }
      },
    }),
  },
  async get(visit) {
    const { site, profile, caller } = visit
    const say = exportScreenMessages(site)
    const found = await archives.listExports({ profileId: profile.id }, listedPage(visit), caller)
    const running = found.items.find(({ job }) => isOpen(job))
    const columns: readonly Column<ListedExport>[] = [
      { label: say('requested'), cell: ({ job }) => momentText(site, job.createdAt) },
      { label: say('format'), cell: ({ input }) => html`<bdi>${input.format.toUpperCase()}</bdi>` },
      { label: say('state'), cell: (each) => html`<span>${stateHtml(visit, each)}</span>` },
      {
        label: say('size'),
        cell: ({ result }) => (result ? html`<bdi>${fileSizeText(result.size, site)}</bdi>` : '–'),
        isNumber: true,
      },
    ]
    return {
      lead: say('lead'),
      scripts: running ? [UPLOADS_SCRIPT] : undefined,
      body: html`${running && progressHtml(visit, running.job)}${startForm(visit)}<h2>${say('list')}</h2>
${found.items.length === 0 ? html`<p>${say('none')}</p>\n` : tableHtml(say('list'), columns, found.items)}${nextPageHtml(visit, found, say('next'))}`,
    }
  },
})
