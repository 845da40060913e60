import type { z } from 'zod'
import { csvOf } from '../../../kernel/csv.ts'
import type { IntervalFigures, Metric, Revenue, TopFigure, TopMetric } from './figures.ts'
import { SERIES_METRICS, TOP_METRICS } from './figures.ts'
import type { analyticsSchema, liveAnalyticsSchema } from './schemas.ts'
import type { Analytics, LiveAnalytics } from './service.ts'

type Metrics = readonly Metric[] | undefined

/** The name of the key of each list. */
const KEY_NAME = {
  formats: 'format',
  channels: 'channel',
  pages: 'path',
  paywalls: 'path',
  referrers: 'host',
  countries: 'country',
  search_terms: 'query',
} as const satisfies Record<TopMetric, string>

const isWanted = (metrics: Metrics, metric: Metric) => metrics === undefined || metrics.includes(metric)

/** The figures of the wanted metrics. */
function figuresOf(figures: Omit<IntervalFigures, 'at'>, metrics: Metrics) {
  const wanted = SERIES_METRICS.filter((metric) => isWanted(metrics, metric))
  return Object.fromEntries(wanted.map((metric) => [metric, figures[metric]])) as Partial<
    Pick<IntervalFigures, (typeof SERIES_METRICS)[number]>
  >
}

const listOf = (list: TopMetric, figures: readonly TopFigure[]) =>
  figures.map(({ key, count }) => ({ [KEY_NAME[list]]: key, count }))

/** Returns figures as JSON, with the wanted metrics. */
export function serializeAnalytics(
  { profile, from, to, interval, totals, series, top }: Analytics,
  metrics: Metrics,
): z.input<typeof analyticsSchema> {
  const lists = TOP_METRICS.flatMap((list) => {
    const figures = top[list]
    return figures ? [[list, listOf(list, figures)]] : []
  })
  return {
    profile_id: profile.id,
    from: from.toISOString(),
    to: to.toISOString(),
    interval,
    totals: {
      ...figuresOf(totals, metrics),
      ...(isWanted(metrics, 'payments') && isWanted(metrics, 'challenges') ? { conversion: totals.conversion } : {}),
      ...(isWanted(metrics, 'followers') ? { all_followers: totals.allFollowers } : {}),
    },
    series: series.map(({ at, ...figures }) => ({ at: at.toISOString(), ...figuresOf(figures, metrics) })),
    ...Object.fromEntries(lists),
  } as z.input<typeof analyticsSchema>
}

type Row = readonly [at: string, metric: string, key: string, value: string | number]

const revenueRow = (at: string, { rail, network, asset, currency, gross }: Revenue): Row => [
  at,
  'revenue',
  [rail, network, asset, currency].join(' '),
  gross,
]

function rowsOf({ at, ...figures }: IntervalFigures, metrics: Metrics): Row[] {
  const start = at.toISOString()
  return Object.entries(figuresOf(figures, metrics)).flatMap(([metric, value]): Row[] => {
    if (typeof value === 'number') return [[start, metric, '', value]]
    if (Array.isArray(value)) return (value as readonly Revenue[]).map((each) => revenueRow(start, each))
    return Object.entries(value ?? {}).map(([key, count]): Row => [start, metric, key, Number(count)])
  })
}

/** Returns figures as CSV, one figure per line. Lists are of the whole period, so their lines have no time. */
export function analyticsCsv({ series, top }: Analytics, metrics: Metrics): string {
  const lists = TOP_METRICS.flatMap((list) => (top[list] ?? []).map(({ key, count }): Row => ['', list, key, count]))
  return csvOf([['at', 'metric', 'key', 'value'], ...series.flatMap((each) => rowsOf(each, metrics)), ...lists])
}

/** Returns the figures of the last half hour as JSON. */
export const serializeLive = ({
  profile,
  from,
  to,
  pages,
  minutes,
  ...figures
}: LiveAnalytics): z.input<typeof liveAnalyticsSchema> => ({
  profile_id: profile.id,
  from: from.toISOString(),
  to: to.toISOString(),
  ...figures,
  pages: pages.map(({ key, count }) => ({ path: key, count })),
  minutes: minutes.map(({ at, views }) => ({ at: at.toISOString(), views })),
})
