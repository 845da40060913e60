import type { Clock } from '../../../kernel/clock.ts'
import { DAY_MS, MINUTE_MS } from '../../../kernel/durations.ts'
import type { Caller } from '../../../model/caller.ts'
import { may } from '../../../model/permission.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { figuresExpired, invalidRange } from './errors.ts'
import {
  byInterval,
  clientsOf,
  conversionOf,
  type IntervalFigures,
  type Metric,
  MIN_SEARCHES,
  type Revenue,
  sumRevenues,
  TOP_METRICS,
  type TopFigure,
  type TopMetric,
  tallyOf,
} from './figures.ts'
import { addIntervals, type Interval, intervalsIn, startOfInterval } from './intervals.ts'

export interface AnalyticsDeps extends Pick<GuardedStorage<'analytics'>, 'read'> {
  readonly clock: Clock
  readonly profiles: Pick<ProfileService, 'get' | 'requirePermission' | 'roleOf'>
  /** How long figures of hours are kept. */
  readonly hourRetentionDays: number
}

/** A period as a client asks for it. */
export interface AskedPeriod {
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly interval: Interval
}

/** The figures of a profile in a period. */
export interface Analytics {
  readonly profile: Profile
  readonly from: Date
  readonly to: Date
  readonly interval: Interval
  readonly totals: Omit<IntervalFigures, 'at'> & {
    readonly conversion: number | null
    /** The current number of followers. */
    readonly allFollowers: number
  }
  readonly series: readonly IntervalFigures[]
  readonly top: Readonly<Partial<Record<TopMetric, readonly TopFigure[]>>>
}

/** The figures of the last half hour. */
export interface LiveAnalytics {
  readonly profile: Profile
  readonly from: Date
  readonly to: Date
  readonly views: number
  readonly visitors: number
  readonly challenges: number
  readonly clients: IntervalFigures['clients']
  readonly pages: readonly TopFigure[]
  readonly minutes: readonly { readonly at: Date; readonly views: number }[]
}

const MAX_INTERVALS = 1_000
const TOP = 20
const LIVE_MINUTES = 30
/** How many intervals a period has by default. */
const DEFAULT_INTERVALS: Readonly<Record<Interval, number>> = { hour: 24, day: 30, week: 12, month: 12 }

/** The metrics of the series that are counted by the collector, without visitors. */
const COUNTED_METRICS = ['views', 'clients', 'challenges', 'checkouts'] as const

/** The metric in the storage of each list. */
const STORED_METRIC: Readonly<Record<TopMetric, string>> = {
  formats: 'formats',
  channels: 'channels',
  pages: 'pages',
  referrers: 'referrers',
  countries: 'countries',
  search_terms: 'search_terms',
  paywalls: 'challenges',
}

const add = (figures: readonly { readonly count: number }[]) => figures.reduce((sum, { count }) => sum + count, 0)

export function createAnalyticsService({ read, clock, profiles, hourRetentionDays }: AnalyticsDeps) {
  const { analytics } = read

  /** The whole intervals of a period. */
  function periodOf({ from, to, interval }: AskedPeriod) {
    const now = clock()
    const last = to ?? new Date(now.getTime() + 1)
    const count = DEFAULT_INTERVALS[interval]
    const first = startOfInterval(from ?? addIntervals(startOfInterval(last, interval), interval, 1 - count), interval)
    if (first >= last) throw invalidRange()
    const hoursFrom = now.getTime() - hourRetentionDays * DAY_MS
    if (interval === 'hour' && first.getTime() < hoursFrom) throw figuresExpired()
    const starts = intervalsIn(first, last, interval, MAX_INTERVALS)
    if (!starts) throw invalidRange()
    const end = addIntervals(starts.at(-1) ?? first, interval, 1)
    return { from: first, to: end, interval, starts }
  }

  async function ofTeam(profileId: number, caller: Caller): Promise<Profile> {
    const profile = await profiles.get(profileId, caller)
    await profiles.requirePermission(profile, caller, 'profile.read')
    return profile
  }

  return {
    async get(
      profileId: number,
      asked: AskedPeriod,
      metrics: readonly Metric[] | undefined,
      caller: Caller,
    ): Promise<Analytics> {
      const profile = await ofTeam(profileId, caller)
      if (metrics?.includes('revenue')) await profiles.requirePermission(profile, caller, 'payments.read')
      const { from, to, interval, starts } = periodOf(asked)
      const query = { profileId, from, to, unit: interval }
      const isWanted = (...of: readonly Metric[]) => metrics === undefined || of.some((each) => metrics.includes(each))
      const lists = TOP_METRICS.filter((metric) => isWanted(metric))
      const counted = COUNTED_METRICS.filter((metric) => isWanted(metric))
      const [figures, visitors, sales, followers, role, ...tops] = await Promise.all([
        counted.length > 0 ? analytics.series({ ...query, metrics: counted }) : [],
        isWanted('visitors') ? analytics.visitors(query) : [],
        isWanted('payments', 'revenue') ? analytics.sales(query) : [],
        isWanted('followers') ? analytics.followers(query) : { gained: [], total: 0 },
        profiles.roleOf(profile, caller),
        ...lists.map((list) => analytics.top({ profileId, from, to, metric: STORED_METRIC[list], limit: TOP })),
      ])
      const seesRevenue = may(role, 'payments.read')
      const revenue = (sold: readonly Revenue[]) => (seesRevenue ? sumRevenues(sold) : null)
      const named = (metric: string) => figures.filter((figure) => figure.metric === metric)
      const [views, clients] = [named('views'), named('clients')]
      const [challenges, checkouts] = [named('challenges'), named('checkouts')]
      const sold = sales.map(({ sales: count, ...each }) => ({ ...each, count, sales: count }))
      const clientsAt = byInterval(clients, interval)
      const soldAt = byInterval(sold, interval)
      const tallies = {
        views: tallyOf(views, interval),
        visitors: tallyOf(visitors, interval),
        challenges: tallyOf(challenges, interval),
        checkouts: tallyOf(checkouts, interval),
        payments: tallyOf(sold, interval),
        followers: tallyOf(followers.gained, interval),
      }
      const series = starts.map((at): IntervalFigures => {
        const of = (name: keyof typeof tallies) => tallies[name].get(at.getTime()) ?? 0
        return {
          at,
          views: of('views'),
          visitors: of('visitors'),
          clients: clientsOf(clientsAt.get(at.getTime()) ?? []),
          challenges: of('challenges'),
          checkouts: of('checkouts'),
          payments: of('payments'),
          revenue: revenue((soldAt.get(at.getTime()) ?? []).map(toRevenue)),
          followers: of('followers'),
        }
      })
      const totals = {
        views: add(views),
        visitors: add(visitors),
        clients: clientsOf(clients),
        challenges: add(challenges),
        checkouts: add(checkouts),
        payments: add(sold),
        conversion: conversionOf(add(sold), add(challenges)),
        revenue: revenue(sold.map(toRevenue)),
        followers: add(followers.gained),
        allFollowers: followers.total,
      }
      const shown = (list: TopMetric, top: readonly TopFigure[]) =>
        list === 'search_terms' ? top.filter(({ count }) => count >= MIN_SEARCHES) : top
      const top = Object.fromEntries(lists.map((list, index) => [list, shown(list, tops[index] ?? [])]))
      return { profile, from, to, interval, totals, series, top }
    },

    async live(profileId: number, caller: Caller): Promise<LiveAnalytics> {
      const profile = await ofTeam(profileId, caller)
      const minute = Math.floor(clock().getTime() / MINUTE_MS)
      const from = new Date((minute - LIVE_MINUTES + 1) * MINUTE_MS)
      const to = new Date((minute + 1) * MINUTE_MS)
      const [figures, visitors] = await Promise.all([
        analytics.series({
          profileId,
          from,
          to,
          unit: 'minute',
          metrics: ['views', 'clients', 'challenges', 'pages'],
        }),
        analytics.countVisitors({ profileId, since: from }),
      ])
      const named = (metric: string) => figures.filter((figure) => figure.metric === metric)
      const pages = new Map<string, number>()
      for (const { key, count } of named('pages')) pages.set(key, (pages.get(key) ?? 0) + count)
      const byMinute = new Map(named('views').map(({ at, count }) => [at.getTime(), count]))
      return {
        profile,
        from,
        to,
        visitors,
        views: add(named('views')),
        challenges: add(named('challenges')),
        clients: clientsOf(named('clients')),
        pages: [...pages]
          .map(([key, count]) => ({ key, count }))
          .sort((left, right) => right.count - left.count || (left.key < right.key ? -1 : 1))
          .slice(0, TOP),
        minutes: Array.from({ length: LIVE_MINUTES }, (_, index) => {
          const at = new Date(from.getTime() + index * MINUTE_MS)
          return { at, views: byMinute.get(at.getTime()) ?? 0 }
        }),
      }
    },
  }
}

const toRevenue = ({ rail, network, asset, currency, sales, gross }: Revenue): Revenue => ({
  rail,
  network,
  asset,
  currency,
  sales,
  gross,
})

export type AnalyticsService = ReturnType<typeof createAnalyticsService>
