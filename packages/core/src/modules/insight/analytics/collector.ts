import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import type { OnVisit, VisitingRequest } from '../../../model/visit.ts'
import type { AnalyticsBatch, AnalyticsCount, AnalyticsVisitor } from '../../../ports/storage/analytics.ts'
import { agentKey, type createAgentNames, isClaimed } from './agent-names.ts'
import { type AgentAction, agentMetrics } from './figures.ts'
import { createKeyLimit, OTHER } from './key-limit.ts'
import type { CountryOf } from './options.ts'
import { hostOf, searchTermOf } from './sources.ts'
import { kindOfUserAgent } from './user-agents.ts'

export interface CollectorDeps {
  readonly clock: Clock
  /** The hosts of the service itself, which are not referrers. */
  readonly ownHosts: ReadonlySet<string>
  readonly countryOf?: CountryOf | undefined
  readonly agentOf: ReturnType<typeof createAgentNames>
}

/** Returns the hash of a visitor of a profile, valid today. */
export type HashVisitor = (profileId: number, address: string, userAgent: string) => string

/**
 * The maximum number of profiles, and of visitors, between two seals. Views of further profiles are counted without their
 * details, and those of further visitors without the visitor.
 */
const MAX_PROFILES = 5_000
const MAX_VISITORS = 10_000
/** The maximum number of different keys of a metric and profile between two seals. */
const MAX_KEYS = 200
/** The maximum number of figures that wait for the storage. */
const MAX_WAITING = 50_000
/** The maximum number of figures in a batch. */
const MAX_BATCH = 5_000
const MAX_TEXT = 512

/** Counts by key; counters are objects, so that counting again looks a key up once. */
type Tally = Map<string, { count: number }>

/** The visits of a profile since the last seal. */
interface Bucket {
  views: number
  checkouts: number
  readonly pages: Tally
  readonly formats: Tally
  readonly channels: Tally
  readonly clients: Tally
  /** What agents did, by metric. */
  readonly agents: Map<string, Tally>
  readonly referrers: Tally
  readonly countries: Tally
  readonly challenges: Tally
  readonly searches: Tally
  /** User agents by address. They are hashed at the next seal. */
  readonly visitors: Map<string, Set<string>>
}

const newBucket = (): Bucket => ({
  views: 0,
  checkouts: 0,
  pages: new Map(),
  formats: new Map(),
  channels: new Map(),
  clients: new Map(),
  agents: new Map(),
  referrers: new Map(),
  countries: new Map(),
  challenges: new Map(),
  searches: new Map(),
  visitors: new Map(),
})

function bump(tally: Tally, key: string, by = 1): void {
  const known = tally.get(key)
  if (known) known.count += by
  else if (tally.size < MAX_KEYS) tally.set(key, { count: by })
  else {
    const other = tally.get(OTHER)
    if (other) other.count += by
    else tally.set(OTHER, { count: by })
  }
}

/** Removes the oldest {@link MAX_BATCH} values of a map, and returns them. */
function takeFirst<Value>(map: Map<string, Value>): Value[] {
  const taken: Value[] = []
  for (const [key, value] of map) {
    if (taken.length === MAX_BATCH) break
    taken.push(value)
    map.delete(key)
  }
  return taken
}

const text = (value: string | readonly string[] | undefined): string => {
  const first = typeof value === 'string' ? value : (value?.[0] ?? '')
  return first.length > MAX_TEXT ? first.slice(0, MAX_TEXT) : first
}

/** Whether a client requests not to be tracked. Its visits are counted, but it is not recognized. */
const isPrivate = (headers: VisitingRequest['headers']): boolean => headers.dnt === '1' || headers['sec-gpc'] === '1'

const minuteOf = (now: Date) => new Date(Math.floor(now.getTime() / 60_000) * 60_000)

/**
 * Counts visits in memory. `seal` turns them into figures and drops addresses and user agents, `take` returns figures to
 * store. The memory that it uses is bounded: what exceeds a bound is counted under the key `(other)`.
 */
export function createCollector({ clock, ownHosts, countryOf, agentOf }: CollectorDeps) {
  const keys = createKeyLimit(clock)
  let buckets = new Map<number, Bucket>()
  /** Views of profiles beyond {@link MAX_PROFILES}. */
  let furtherViews = new Map<number, number>()
  let visitorCount = 0
  const waiting = new Map<string, AnalyticsCount>()
  const visitors = new Map<string, AnalyticsVisitor>()

  function countVisitor(bucket: Bucket, { ip, headers }: VisitingRequest): void {
    if (ip === '' || ip === undefined || isPrivate(headers)) return
    const userAgent = text(headers['user-agent'])
    const known = bucket.visitors.get(ip)
    if (known?.has(userAgent) || visitorCount >= MAX_VISITORS) return
    visitorCount += 1
    if (known) known.add(userAgent)
    else bucket.visitors.set(ip, new Set([userAgent]))
  }

  function countCountry(bucket: Bucket, { ip, headers }: VisitingRequest): void {
    try {
      const country = countryOf?.({ address: ip, headers: headers as Parameters<CountryOf>[0]['headers'] })
      if (country !== undefined && /^[a-z]{2}$/i.test(country)) bump(bucket.countries, country.toUpperCase())
    } catch {
      // The host's function failed for this request; the others are counted.
    }
  }

  function countAgent(bucket: Bucket, action: AgentAction, agent: string, ...parts: readonly string[]): void {
    const [proven, claimed] = agentMetrics(action)
    const metric = isClaimed(agent) ? claimed : proven
    const tally = bucket.agents.get(metric) ?? new Map()
    bucket.agents.set(metric, tally)
    bump(tally, agentKey(agent, ...parts))
  }

  /** Counts a visit without waiting for the storage. */
  const add: OnVisit = (visit, request, visiting) => {
    let bucket = buckets.get(visit.profileId)
    if (!bucket) {
      if (buckets.size >= MAX_PROFILES) {
        const views = furtherViews.get(visit.profileId)
        if (visit.kind === 'view' && (views !== undefined || furtherViews.size < MAX_WAITING)) {
          furtherViews.set(visit.profileId, (views ?? 0) + 1)
        }
        return
      }
      bucket = newBucket()
      buckets.set(visit.profileId, bucket)
    }
    const agent = agentOf(visit.profileId, request, visiting)
    if (visit.kind === 'paywall') {
      bump(bucket.challenges, visit.path)
      if (agent !== undefined) countAgent(bucket, 'refusals', agent, visit.path, visit.price ?? '')
      return
    }
    if (visit.kind === 'checkout') {
      bucket.checkouts += 1
      return
    }
    if (visit.kind === 'search') {
      const term = searchTermOf(visit.query)
      if (term === undefined) return
      bump(bucket.searches, term)
      if (agent !== undefined) countAgent(bucket, 'searches', agent, term)
      return
    }
    const { headers } = request
    bucket.views += 1
    bump(bucket.pages, visit.path)
    bump(bucket.formats, visit.format)
    bump(bucket.channels, request.channel)
    // People do not call MCP.
    const isAgent = agent !== undefined || request.channel === 'mcp'
    bump(bucket.clients, isAgent ? 'agent' : kindOfUserAgent(headers['user-agent']))
    if (agent !== undefined) countAgent(bucket, 'reads', agent, visit.path)
    if (headers.referer !== undefined) bump(bucket.referrers, text(headers.referer))
    if (countryOf) countCountry(bucket, request)
    countVisitor(bucket, request)
  }

  function addFigure(profileId: number, minute: Date, metric: string, key: string, count: number): void {
    if (count === 0) return
    const kept = keys.keep(profileId, metric, key)
    const id = `${profileId} ${minute.getTime()} ${metric} ${kept}`
    const known = waiting.get(id)
    if (known) waiting.set(id, { ...known, count: known.count + count })
    else if (waiting.size < MAX_WAITING) waiting.set(id, { profileId, minute, metric, key: kept, count })
  }

  function sealBucket(profileId: number, bucket: Bucket, minute: Date): void {
    const figure = (metric: string, key: string, count: number) => addFigure(profileId, minute, metric, key, count)
    const tally = (metric: string, counts: Tally) => {
      for (const [key, { count }] of counts) figure(metric, key, count)
    }
    figure('views', '', bucket.views)
    figure('checkouts', '', bucket.checkouts)
    tally('pages', bucket.pages)
    tally('formats', bucket.formats)
    tally('channels', bucket.channels)
    tally('countries', bucket.countries)
    tally('challenges', bucket.challenges)
    tally('search_terms', bucket.searches)
    tally('clients', bucket.clients)
    for (const [metric, counts] of bucket.agents) tally(metric, counts)
    for (const [referrer, { count }] of bucket.referrers) {
      const host = referrer === OTHER ? OTHER : hostOf(referrer)
      if (host !== undefined && !ownHosts.has(host)) figure('referrers', host, count)
    }
  }

  return {
    add,

    /** Whether there are visitors to hash. */
    hasVisitors: (): boolean => visitorCount > 0,

    /** Turns visits into figures of this minute. Without a hash, visitors are not recognized. */
    seal(hash: HashVisitor | undefined): void {
      const minute = minuteOf(clock())
      const sealed = buckets
      buckets = new Map()
      visitorCount = 0
      for (const [profileId, views] of furtherViews) addFigure(profileId, minute, 'views', '', views)
      furtherViews = new Map()
      for (const [profileId, bucket] of sealed) {
        sealBucket(profileId, bucket, minute)
        if (!hash) continue
        for (const [address, userAgents] of bucket.visitors) {
          for (const userAgent of userAgents) {
            if (visitors.size >= MAX_WAITING) break
            const visitor = hash(profileId, address, userAgent)
            visitors.set(`${profileId} ${visitor}`, { profileId, visitor, minute })
          }
        }
      }
    },

    /** Removes figures to store, at most {@link MAX_BATCH} of each kind; undefined when there are none. */
    take(): AnalyticsBatch | undefined {
      if (waiting.size === 0 && visitors.size === 0) return undefined
      return { id: randomUUID(), at: clock(), counts: takeFirst(waiting), visitors: takeFirst(visitors) }
    },
  }
}

export type Collector = ReturnType<typeof createCollector>
