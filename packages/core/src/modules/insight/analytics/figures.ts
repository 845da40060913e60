import type { AnalyticsFigure } from '../../../ports/storage/analytics.ts'
import { type Interval, startOfInterval } from './intervals.ts'
import { CLIENT_KINDS, type ClientKind } from './user-agents.ts'

/** What agents do. */
export const AGENT_ACTIONS = ['reads', 'refusals', 'searches'] as const
export type AgentAction = (typeof AGENT_ACTIONS)[number]

/** The metrics of what agents do, of those that prove who they are and of those that only claim it. */
export const agentMetrics = (action: AgentAction) => [`agent_${action}`, `agent_${action}_claimed`] as const

/** Metrics of agents. They are kept as long as figures of hours, because DIDs may be those of people. */
export const AGENT_METRICS: readonly string[] = AGENT_ACTIONS.flatMap(agentMetrics)

/** How often a query must be counted in a period to be shown: a rare query could identify its author. */
export const MIN_SEARCHES = 3

/** Metrics with a figure for each interval. */
export const SERIES_METRICS = [
  'views',
  'visitors',
  'clients',
  'challenges',
  'checkouts',
  'payments',
  'revenue',
  'followers',
] as const
/** Metrics that are lists, the highest figure first. */
export const TOP_METRICS = [
  'formats',
  'channels',
  'pages',
  'referrers',
  'countries',
  'search_terms',
  'paywalls',
] as const
export const METRICS = [...SERIES_METRICS, ...TOP_METRICS] as const
export type Metric = (typeof METRICS)[number]
export type TopMetric = (typeof TOP_METRICS)[number]

/** The metrics of charts: one number for each interval. */
export const CHART_METRICS = ['views', 'visitors', 'challenges', 'checkouts', 'payments', 'followers'] as const

/** Revenue in one asset on one rail. */
export interface Revenue {
  readonly rail: string
  readonly network: string
  readonly asset: string
  readonly currency: string
  readonly sales: number
  /** An integer of the smallest unit, as text. */
  readonly gross: string
}

/** The figures of one interval. */
export interface IntervalFigures {
  readonly at: Date
  readonly views: number
  readonly visitors: number
  readonly clients: Readonly<Record<ClientKind, number>>
  readonly challenges: number
  /** How often buyers began to pay. */
  readonly checkouts: number
  readonly payments: number
  /** Null for callers that may not see payments. */
  readonly revenue: readonly Revenue[] | null
  /** New followers. */
  readonly followers: number
}

/** How often something was counted. */
export interface TopFigure {
  readonly key: string
  readonly count: number
}

/** The share of paywalls that led to a payment, between 0 and 1; null without a paywall. */
export const conversionOf = (payments: number, challenges: number): number | null =>
  challenges === 0 ? null : Math.min(1, Math.round((payments / challenges) * 10_000) / 10_000)

/** Adds revenues in the same asset on the same rail. */
export function sumRevenues(all: readonly Revenue[]): readonly Revenue[] {
  const sums = new Map<string, Revenue>()
  for (const each of all) {
    const key = JSON.stringify([each.rail, each.network, each.asset, each.currency])
    const sum = sums.get(key)
    const gross = sum ? String(BigInt(sum.gross) + BigInt(each.gross)) : each.gross
    sums.set(key, { ...each, sales: (sum?.sales ?? 0) + each.sales, gross })
  }
  return [...sums.values()]
}

/** Sums figures by the start of the interval that they belong to, in milliseconds. */
export function tallyOf(
  figures: readonly Pick<AnalyticsFigure, 'at' | 'count'>[],
  interval: Interval,
): ReadonlyMap<number, number> {
  const sums = new Map<number, number>()
  for (const { at, count } of figures) {
    const start = startOfInterval(at, interval).getTime()
    sums.set(start, (sums.get(start) ?? 0) + count)
  }
  return sums
}

/** Groups figures by the start of the interval that they belong to, in milliseconds. */
export const byInterval = <Figure extends { readonly at: Date }>(
  figures: readonly Figure[],
  interval: Interval,
): ReadonlyMap<number, readonly Figure[]> => Map.groupBy(figures, ({ at }) => startOfInterval(at, interval).getTime())

/** Views by kind of client. */
export const clientsOf = (figures: readonly Pick<AnalyticsFigure, 'key' | 'count'>[]): Record<ClientKind, number> => {
  const clients: Record<ClientKind, number> = { human: 0, agent: 0, bot: 0 }
  for (const { key, count } of figures) {
    const kind = CLIENT_KINDS.find((each) => each === key)
    if (kind) clients[kind] += count
  }
  return clients
}
