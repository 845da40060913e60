import type { Screen } from '../../../../framework/module/screen.ts'
import { tableHtml } from '../../../../framework/module/screen-list.ts'
import { type Html, html } from '../../../../http/html/html.ts'
import { hrefOn, type Site } from '../../../../http/html/view.ts'
import { momentText } from '../../../../model/day-text.ts'
import type { ServiceNumbers } from '../../../../ports/storage/admin.ts'
import type { RailHealth, ServiceHealth } from '../health.ts'
import { adminMessages } from '../messages.ts'
import type { AdminService } from '../service.ts'
import { ACCOUNTS_PATH } from './accounts.ts'

/** The path of the first screen of administrators. */
const OVERVIEW_PATH = '/admin'

export interface OverviewDeps {
  readonly admin: Pick<AdminService, 'measure'>
  readonly measureHealth: () => Promise<ServiceHealth>
}

type Fact = readonly [name: Html | string, value: Html | string]

const factsHtml = (facts: readonly Fact[]): Html =>
  html`<dl class="facts">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>\n`

const figure = ({ language }: Site, value: number) => new Intl.NumberFormat(language).format(value)

const secondsText = ({ language }: Site, value: number) =>
  new Intl.NumberFormat(language, {
    style: 'unit',
    unit: 'second',
    unitDisplay: 'long',
    maximumFractionDigits: 0,
  }).format(value)

const upHtml = (site: Site, isUp: boolean): Html =>
  html`<span class="tag ${isUp ? 'ok' : 'bad'}">${adminMessages(site)(isUp ? 'available' : 'unavailable')}</span>`

function workFacts(site: Site, { workload, mail, index }: ServiceHealth): readonly Fact[] {
  const say = adminMessages(site)
  const count = (value: number) => figure(site, value)
  const lag = workload && Math.max(0, ...workload.followers.map(({ lagSeconds }) => lagSeconds))
  const open = (status: 'queued' | 'running') =>
    count((workload?.jobs ?? []).filter((job) => job.status === status).reduce((sum, job) => sum + job.count, 0))
  return [
    [
      say('jobs'),
      workload ? say('jobsOpen', { queued: open('queued'), running: open('running') }) : say('notMeasured'),
    ],
    [say('deliveries'), workload ? count(workload.deliveries) : say('notMeasured')],
    [say('eventLag'), lag === null ? say('notMeasured') : secondsText(site, lag)],
    [
      say('mail'),
      mail.isConfigured
        ? say('mailCounts', {
            sent: count(mail.sent),
            waiting: count(mail.waiting),
            failed: count(mail.failed + mail.dropped),
          })
        : say('noMailer'),
    ],
    ...(mail.lastFailedAt ? [[say('mailFailed'), momentText(site, mail.lastFailedAt)] as const] : []),
    [
      say('index'),
      index === null
        ? say('notMeasured')
        : index === 'off'
          ? say('off')
          : html`${say('documents', { count: index.documents })}${index.isRebuilding && html` · ${say('rebuilding')}`}`,
    ],
  ]
}

function numberFacts(site: Site, { accounts, profiles, pages, files, receipts }: ServiceNumbers): readonly Fact[] {
  const say = adminMessages(site)
  const count = (value: number) => figure(site, value)
  return [
    [
      say('accounts'),
      html`<a href="${hrefOn(site, ACCOUNTS_PATH)}">${count(accounts.total)}</a> · ${say('ofThem', { verified: count(accounts.verified), recent: count(accounts.recent) })}`,
    ],
    [say('banned'), html`<a href="${hrefOn(site, `${ACCOUNTS_PATH}?state=banned`)}">${count(accounts.banned)}</a>`],
    [say('leaving'), count(accounts.leaving)],
    [say('profiles'), count(profiles.total)],
    [say('pages'), say('pagesPublished', { total: count(pages.total), published: count(pages.published) })],
    [say('files'), say('filesSize', { total: count(files.total), megabytes: count(Math.ceil(files.bytes / 1e6)) })],
    [say('sales'), say('salesRecent', { total: count(receipts.total), recent: count(receipts.recent) })],
  ]
}

function railsHtml(site: Site, rails: readonly RailHealth[]): Html {
  const say = adminMessages(site)
  const number = (value: number | null) => (value === null ? '–' : figure(site, value))
  return tableHtml<RailHealth>(
    say('rails'),
    [
      { label: say('rail'), cell: ({ id }) => html`<code>${id}</code>` },
      {
        label: say('state'),
        cell: ({ isAvailable }) => (isAvailable === null ? say('notMeasured') : upHtml(site, isAvailable)),
      },
      { label: say('settling'), cell: ({ settling }) => number(settling), isNumber: true },
      { label: say('unknownPayments'), cell: ({ unknown }) => number(unknown), isNumber: true },
    ],
    rails,
  )
}

/** The screen with the health of the service, and its numbers. */
export const overviewScreen = ({ admin, measureHealth }: OverviewDeps): Screen => ({
  name: 'adminOverview',
  path: OVERVIEW_PATH,
  section: 'admin',
  nav: { position: 10 },
  title: (page) => adminMessages(page)('overview'),
  async get({ site }) {
    const say = adminMessages(site)
    const [health, numbers] = await Promise.all([measureHealth(), admin.measure()])
    return {
      body: html`<div class="notice"><p>${say(health.status === 'ready' ? 'ready' : health.status === 'degraded' ? 'degraded' : 'notReady')}</p></div>
<h2>${say('health')}</h2>
${factsHtml([...[...health.parts].map(([part, isUp]): Fact => [html`<code>${part}</code>`, upHtml(site, isUp)]), ...workFacts(site, health)])}${
  health.rails.length > 0 && html`<h2>${say('rails')}</h2>\n${railsHtml(site, health.rails)}`
}<h2>${say('numbers')}</h2>
${factsHtml(numberFacts(site, numbers))}`,
    }
  },
})
