import { z } from 'zod'
import { type ScreenView, type ScreenVisit, screenAction } from '../../../../framework/module/screen.ts'
import { actionButton, buttonOnly, isChosen, screenForm } from '../../../../framework/module/screen-form.ts'
import { type Column, listedPage, nextPageHtml, tableHtml } from '../../../../framework/module/screen-list.ts'
import { dataScript, type Html, html } from '../../../../http/html/html.ts'
import { cardsHtml } from '../../../../http/html/inputs.ts'
import { hrefOn } from '../../../../http/html/view.ts'
import { dayText, momentText } from '../../../../model/day-text.ts'
import type { PageLanguage } from '../../../../model/messages.ts'
import type { Action } from '../../../../model/permission.ts'
import type { Job } from '../../../../ports/storage/jobs.ts'
import { tooManyJobs } from '../../../jobs/index.ts'
import { fileSizeText, UPLOADS_SCRIPT } from '../../files/index.ts'
import { exportNotFound, tooManyExports } from '../errors.ts'
import { exportScreenMessages } from '../messages.ts'
import type { ArchiveService, ListedExport } from '../service.ts'

/** The services of the screens with exports. */
export interface ExportsScreen {
  readonly archives: Pick<ArchiveService, 'requestExport' | 'requestAccountExport' | 'listExports' | 'addressOf'>
}

const FORMATS = ['zip', 'json'] as const

/** The values of the form that starts an export. */
export const exportForm = z.object({ format: z.enum(FORMATS) })

const PROBLEMS = new Map([
  [tooManyExports.code, 'tooMany'],
  [tooManyJobs.code, 'tooManyJobs'],
  [exportNotFound.code, 'gone'],
] as const)

/** What people read about an error of exports. */
export function exportProblem({ code }: { readonly code: string }, page: PageLanguage): string | undefined {
  const key = PROBLEMS.get(code)
  return key && exportScreenMessages(page)(key)
}

/** The action that opens the address of an export. Its archive has everything, so the person is asked for again. */
export const downloadAction = ({ archives }: ExportsScreen, permission?: Action) =>
  screenAction({
    permission,
    recent: true,
    schema: z.object({ export: z.uuid() }),
    run: async ({ caller }: ScreenVisit, { export: id }) => ({ to: await archives.addressOf(id, caller) }),
  })

const isRunning = ({ status }: Job) => status === 'queued' || status === 'running'

function stateHtml(visit: ScreenVisit, { job, result, isDownloadable }: ListedExport): Html {
  const { site } = visit
  const say = exportScreenMessages(site)
  if (result && isDownloadable) {
    return html`${buttonOnly(visit, 'download', say('download'), { export: job.id })} <small>${say('until', { day: dayText(site, result.expires_at) })}</small>`
  }
  if (job.status === 'failed') return html`<span>${say('failed', { reason: job.error?.message ?? '' })}</span>`
  return html`<span class="tag">${say(job.status)}</span>`
}

/** Writes the progress of an export. The script follows it; without one the page is loaded again. */
function progressHtml({ site, path }: ScreenVisit, { id, progress }: Job): Html {
  const say = exportScreenMessages(site)
  const [url, done] = [hrefOn(site, `/jobs/${id}`), hrefOn(site, path)]
  return html`<section class="card"><p><progress data-job max="100" value="${progress}" aria-label="${say('progress')}"></progress></p><p class="acts"><a class="btn second" href="${done}">${say('look')}</a></p>${dataScript('job', { url, done })}</section>\n`
}

function startForm(visit: ScreenVisit): Html | false {
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

/** Returns what a screen shows of the exports of a profile, or of the account when the profile is null. */
export async function exportsView(
  visit: ScreenVisit,
  { archives }: ExportsScreen,
  { profileId, lead, none }: { readonly profileId: number | null; readonly lead: string; readonly none: string },
): Promise<ScreenView> {
  const { site, caller } = visit
  const say = exportScreenMessages(site)
  const found = await archives.listExports({ profileId }, listedPage(visit), caller)
  const running = found.items.find(({ job }) => isRunning(job))
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
    lead,
    scripts: running ? [UPLOADS_SCRIPT] : undefined,
    body: html`${running && progressHtml(visit, running.job)}${startForm(visit)}<h2>${say('list')}</h2>
${found.items.length === 0 ? html`<p>${none}</p>\n` : tableHtml(say('list'), columns, found.items)}${nextPageHtml(visit, found, say('next'))}`,
  }
}
