import { z } from 'zod'
import { type Screen, type ScreenVisit, screenAction } from '../../../framework/module/screen.ts'
import { actionButton, isChosen, screenForm, shownText, wrongWith } from '../../../framework/module/screen-form.ts'
import { listedPage, nextPageHtml } from '../../../framework/module/screen-list.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { areaHtml, selectHtml } from '../../../http/html/inputs.ts'
import { emptyHtml } from '../../../http/html/pieces.ts'
import { hrefOn, type Site } from '../../../http/html/view.ts'
import { momentText } from '../../../model/day-text.ts'
import { PREFIX_BY_TYPE } from '../../../model/profile-type.ts'
import { REPORT_STATUSES, type Report, type ReportProfile } from '../../../ports/storage/reports.ts'
import { anotherReportOpen, reportNotFound } from './errors.ts'
import { moderationMessages } from './messages.ts'
import { MAX_NOTE_LENGTH, noteText } from './schemas.ts'
import type { ReportService } from './service.ts'

const PATH = '/admin/moderation'
const SUBJECTS = { conversation: 'conversation', message: 'message', post: 'post' } as const

export interface ModerationScreens {
  readonly reports: Pick<ReportService, 'list' | 'get' | 'decide'>
}

const subjectText = (site: Site, { subject }: Pick<Report, 'subject'>) =>
  moderationMessages(site)(SUBJECTS[subject.type])

const profileHtml = (site: Site, profile: ReportProfile | null): Html =>
  profile === null
    ? html`${moderationMessages(site)('deleted')}`
    : html`<a href="${hrefOn(site, `/${PREFIX_BY_TYPE[profile.type]}/${profile.username}`)}"><bdi>${profile.username}</bdi></a>`

/** The screen with the reports that wait for a decision. */
export const moderationScreen = ({ reports }: ModerationScreens): Screen => ({
  name: 'adminModeration',
  path: PATH,
  section: 'admin',
  nav: { position: 30 },
  query: ['status', 'cursor'],
  title: (page) => moderationMessages(page)('title'),
  async get(visit) {
    const { site, query } = visit
    const say = moderationMessages(site)
    const status = REPORT_STATUSES.find((each) => each === query.status) ?? 'open'
    const found = await reports.list({ status }, listedPage(visit))
    const tabs = REPORT_STATUSES.map(
      (each) =>
        html`<li><a href="${hrefOn(site, `${PATH}?status=${each}`)}"${each === status && html` aria-current="true"`}>${say(each)}</a></li>`,
    )
    const rows = found.items.map(
      (report) =>
        html`<li><strong><a href="${hrefOn(site, `${PATH}/${report.id}`)}">${subjectText(site, report)}</a></strong><p><bdi>${report.reason ?? say('erased')}</bdi></p><small>${profileHtml(site, report.reported)} · <time datetime="${report.createdAt.toISOString()}">${momentText(site, report.createdAt)}</time></small></li>\n`,
    )
    return {
      body: html`<ul class="langs">${tabs}</ul>
${rows.length === 0 ? emptyHtml(say('nothing')) : html`<ul class="rows">${rows}</ul>`}${nextPageHtml(visit, found, say('next'))}`,
    }
  },
})

/** The screen that decides one report. */
export const reportScreen = ({ reports }: ModerationScreens): Screen => ({
  name: 'adminReport',
  path: `${PATH}/:report`,
  texts: ['report'],
  section: 'admin',
  title: (page) => moderationMessages(page)('report'),
  said: (outcome, page) => (outcome === 'decided' ? moderationMessages(page)('decided') : undefined),
  problem({ code }, page) {
    if (code === reportNotFound.code) return moderationMessages(page)('gone')
    return code === anotherReportOpen.code ? moderationMessages(page)('another') : undefined
  },
  post: {
    decide: screenAction({
      schema: z.object({ status: z.enum(REPORT_STATUSES), note: noteText }),
      async run(visit: ScreenVisit, { status, note }) {
        await reports.decide(visit.text('report'), { status, note }, visit.caller)
        return { to: visit.path, said: 'decided' }
      },
    }),
  },
  async get(visit) {
    const { site } = visit
    const say = moderationMessages(site)
    const report = await reports.get(visit.text('report'))
    const { reporter, reported, reason, evidence, note, status, createdAt, subject } = report
    const account = reported && hasAccounts(site) && hrefOn(site, `/admin/accounts/${reported.ownerAccountId}`)
    const form = screenForm(
      visit,
      { actions: ['decide'] },
      html`${selectHtml({
        name: 'status',
        label: say('status'),
        choices: REPORT_STATUSES.map((each) => ({
          value: each,
          label: say(each),
          isChosen: isChosen(visit, 'status', each, each === status),
        })),
      })}${areaHtml({
        name: 'note',
        label: say('note'),
        hint: say('noteHint'),
        rows: 4,
        maxLength: MAX_NOTE_LENGTH,
        value: shownText(visit, 'note', note),
        problem: wrongWith(visit, 'note'),
      })}<p class="bar">${actionButton(visit, 'decide', say('decide'))}</p>`,
    )
    return {
      title: subjectText(site, report),
      crumbs: [{ name: say('title'), href: PATH }],
      body: html`<dl class="facts"><dt>${say('reported')}</dt><dd>${profileHtml(site, reported)}${account && html` · <a href="${account}">${say('account')}</a>`}</dd><dt>${say('reporter')}</dt><dd>${reporter === null ? say('unnamed') : profileHtml(site, reporter)}</dd><dt>${say('at')}</dt><dd><time datetime="${createdAt.toISOString()}">${momentText(site, createdAt)}</time></dd></dl>
<h2>${say('reason')}</h2><p><bdi>${reason ?? say('erased')}</bdi></p>
<h2>${say('evidence')}</h2>${evidence === null ? html`<p>${say('noEvidence')}</p>` : html`<pre class="said" dir="auto">${evidence}</pre>`}${
        subject.type === 'post' && html`<p><a href="${hrefOn(site, `/feed/${subject.id}`)}">${say('showPost')}</a></p>`
      }
${form}`,
    }
  },
})

const hasAccounts = ({ has }: Site) => has?.('/admin/accounts/:account') ?? false
