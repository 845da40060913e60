import type { ProfileVisit, Screen } from '../../../framework/module/screen.ts'
import { type Column, tableHtml } from '../../../framework/module/screen-list.ts'
import { type Html, html } from '../../../http/html/html.ts'
import { emptyHtml } from '../../../http/html/pieces.ts'
import { hrefOn, type Site } from '../../../http/html/view.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { DAY_MS } from '../../../kernel/durations.ts'
import { dayText } from '../../../model/day-text.ts'
import type { IntervalFigures, TopFigure } from './figures.ts'
import { analyticsScreenMessages } from './messages.ts'
import type { Analytics, AnalyticsService } from './service.ts'
import { CLIENT_KINDS } from './user-agents.ts'

const PERIODS = [7, 28, 90] as const
const METRICS = ['views', 'clients', 'challenges', 'checkouts', 'payments', 'pages', 'referrers'] as const
const OTHER = '(other)'
const HEIGHT = 120

/** A bar of a chart: its name and its value. */
interface Bar {
  readonly name: Html | string
  readonly value: number
}

const countText = ({ language = 'en' }: Site, value: number) => new Intl.NumberFormat(language).format(value)
const percent = (part: number, whole: number) => (whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 10)

/** Writes a table whose first column has a bar below each name. Bars have the color of the text, so they suit light and dark. */
function barsHtml(site: Site, caption: string, bars: readonly Bar[], more: readonly Column<Bar>[] = []): Html {
  const say = analyticsScreenMessages(site)
  const most = Math.max(1, ...bars.map(({ value }) => value))
  const columns: readonly Column<Bar>[] = [
    {
      label: say('name'),
      cell: ({ name, value }) =>
        html`${name}<svg width="100%" height="8" aria-hidden="true"><rect width="${percent(value, most)}%" height="8" fill="currentColor" fill-opacity=".55"/></svg>`,
    },
    { label: say('count'), cell: ({ value }) => countText(site, value), isNumber: true },
    ...more,
  ]
  return html`<h2>${caption}</h2>\n${tableHtml(caption, columns, bars)}`
}

/** Writes the reads of each day as bars, with the same figures as a table. */
function daysHtml(site: Site, series: readonly IntervalFigures[]): Html {
  const say = analyticsScreenMessages(site)
  const most = Math.max(1, ...series.map(({ views }) => views))
  const step = 100 / Math.max(1, series.length)
  const bar = ({ views, at }: IntervalFigures, index: number) => {
    const tall = (views / most) * HEIGHT
    return html`<rect x="${(index * step).toFixed(2)}%" y="${(HEIGHT - tall).toFixed(1)}" width="${(step * 0.8).toFixed(2)}%" height="${tall.toFixed(1)}" fill="currentColor" fill-opacity=".55"><title>${dayText(site, at)}: ${countText(site, views)}</title></rect>`
  }
  const columns: readonly Column<IntervalFigures>[] = [
    { label: say('day'), cell: ({ at }) => dayText(site, at) },
    { label: say('reads'), cell: ({ views }) => countText(site, views), isNumber: true },
  ]
  return html`<h2>${say('readsByDay')}</h2>
<svg width="100%" height="${HEIGHT}" role="img" aria-label="${say('readsByDay')}">${series.map(bar)}</svg>
<details><summary>${say('asTable')}</summary>${tableHtml(say('readsByDay'), columns, series.toReversed())}</details>\n`
}

function funnelHtml(site: Site, { views, challenges, checkouts, payments }: Analytics['totals']): Html {
  const say = analyticsScreenMessages(site)
  const values = [views, challenges, checkouts, payments]
  const steps = (['read', 'offer', 'checkout', 'paid'] as const).map((key, index) => ({
    name: say(key),
    value: values[index] ?? 0,
    before: values[index - 1],
  }))
  const share = (bar: Bar) => {
    const before = steps.find(({ name }) => name === bar.name)?.before
    if (before === undefined || before === 0) return '–'
    return new Intl.NumberFormat(site.language, { style: 'percent', maximumFractionDigits: 1 }).format(
      Math.min(1, bar.value / before),
    )
  }
  return barsHtml(site, say('funnel'), steps, [{ label: say('share'), cell: share, isNumber: true }])
}

function topHtml(site: Site, caption: string, top: readonly TopFigure[] = []): Html | false {
  const say = analyticsScreenMessages(site)
  const nameOf = (key: string) =>
    key === OTHER ? say('other') : key === '/' || key === '' ? say('profile') : html`<bdi>${key}</bdi>`
  const bars = top.map(({ key, count }) => ({ name: nameOf(key), value: count }))
  return bars.length > 0 && barsHtml(site, caption, bars)
}

function periodsHtml({ site, path }: ProfileVisit, days: number): Html {
  const say = analyticsScreenMessages(site)
  const link = (each: number) =>
    html`<a href="${hrefOn(site, `${path}?days=${each}`)}"${each === days && html` aria-current="page"`}>${say('days', { days: String(each) })}</a> `
  return html`<nav class="acts" aria-label="${say('period')}">${PERIODS.map(link)}</nav>\n`
}

export interface AnalyticsScreen {
  readonly analytics: Pick<AnalyticsService, 'get'>
  readonly clock: Clock
}

/** The screen with the figures of a profile: who reads what, where they come from, and how many pay. */
export const analyticsScreen = ({ analytics, clock }: AnalyticsScreen): Screen => ({
  name: 'analyticsOfProfile',
  path: '/manage/profiles/:id/analytics',
  section: 'profile',
  permission: 'profile.read',
  nav: { position: 45 },
  query: ['days'],
  title: (page) => analyticsScreenMessages(page)('title'),
  async get(visit) {
    const { site, profile, caller, query } = visit
    const say = analyticsScreenMessages(site)
    const days = PERIODS.find((each) => String(each) === query.days) ?? 28
    const from = new Date(clock().getTime() - (days - 1) * DAY_MS)
    const { totals, series, top } = await analytics.get(profile.id, { from, interval: 'day' }, METRICS, caller)
    const clients = CLIENT_KINDS.map((kind) => ({ name: say(kind), value: totals.clients[kind] }))
    const isEmpty = totals.views === 0 && totals.challenges === 0 && totals.payments === 0
    return {
      lead: say('lead'),
      body: html`${periodsHtml(visit, days)}${
        isEmpty
          ? emptyHtml(say('none'))
          : html`${daysHtml(site, series)}${barsHtml(site, say('who'), clients)}${funnelHtml(site, totals)}${topHtml(site, say('pages'), top.pages)}${topHtml(site, say('sources'), top.referrers) || html`<h2>${say('sources')}</h2>\n<p class="soft">${say('noSources')}</p>\n`}`
      }`,
    }
  },
})
