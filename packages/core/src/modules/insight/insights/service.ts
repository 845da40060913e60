import type { Clock } from '../../../kernel/clock.ts'
import { DAY_MS } from '../../../kernel/durations.ts'
import type { Caller } from '../../../model/caller.ts'
import { KNOWN_AGENTS, KNOWN_SIGNERS } from '../../../model/known-agents.ts'
import { may } from '../../../model/permission.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import {
  type AgentAction,
  type AgentActivity,
  type AgentFigures,
  MIN_SEARCHES,
  type NamedAgent,
  readAgent,
} from '../analytics/index.ts'
import { invalidPeriod } from './errors.ts'
import { type AgentPaywall, type AgentQuery, medianPrice, type Suggestion, suggest } from './suggestions.ts'

export interface InsightDeps {
  readonly figures: AgentFigures
  readonly clock: Clock
  readonly profiles: Pick<ProfileService, 'get' | 'requirePermission' | 'roleOf'>
  /** How long the actions of agents are kept. */
  readonly hourRetentionDays: number
}

/** What one agent did. */
export interface AgentInsight extends NamedAgent {
  readonly operator: string | null
  readonly purpose: string | null
  readonly reads: number
  readonly refusals: number
  readonly searches: number
  /** Null when the agent does not prove its DID or its operator, so that no sale names it, and for callers that may not read payments. */
  readonly sales: number | null
  readonly pages: readonly { readonly path: string; readonly count: number }[]
  readonly refused: readonly { readonly path: string; readonly price: string | null; readonly count: number }[]
  readonly queries: readonly { readonly query: string; readonly count: number }[]
}

export interface AgentInsights {
  readonly profileId: number
  readonly from: Date
  readonly to: Date
  readonly agents: readonly AgentInsight[]
  readonly paywalls: readonly AgentPaywall[]
  readonly suggestions: readonly Suggestion[]
}

const DEFAULT_DAYS = 30
const MAX_AGENTS = 100
const MAX_LISTED = 20

const add = (counted: readonly { readonly count: number }[]) => counted.reduce((sum, { count }) => sum + count, 0)

export function createInsightService({ figures, clock, profiles, hourRetentionDays }: InsightDeps) {
  return {
    async ofAgents(
      profileId: number,
      asked: { readonly from?: Date | undefined; readonly to?: Date | undefined },
      caller: Caller,
    ): Promise<AgentInsights> {
      const profile = await profiles.get(profileId, caller)
      await profiles.requirePermission(profile, caller, 'profile.read')
      const now = clock()
      const to = asked.to ?? new Date(now.getTime() + 1)
      const from = asked.from ?? new Date(to.getTime() - DEFAULT_DAYS * DAY_MS)
      if (from >= to || from.getTime() < now.getTime() - hourRetentionDays * DAY_MS) throw invalidPeriod()
      const period = { profileId, from, to }
      const seesSales = may(await profiles.roleOf(profile, caller), 'payments.read')
      const [reads, refusals, searches, sales, botSales] = await Promise.all([
        figures.activity(period, 'reads'),
        figures.activity(period, 'refusals'),
        figures.activity(period, 'searches'),
        seesSales ? figures.sales(period) : null,
        seesSales ? figures.botSales(period) : null,
      ])
      const agents = agentsOf(
        { reads, refusals, searches },
        sales &&
          botSales &&
          new Map([
            ...sales.map((sale) => [`verified ${sale.agentDid}`, sale.sales] as const),
            ...botSales.map((sale) => [`signed ${sale.bot}`, sale.sales] as const),
          ]),
      )
      const paywalls = paywallsOf(refusals, reads, botSales && new Set(botSales.map(({ bot }) => bot)))
      const sold = sales?.reduce((sum, each) => sum + each.sales, 0) ?? null
      const input = { paywalls, queries: queriesOf(searches), reads: add(reads), sales: sold }
      return { profileId, from, to, agents, paywalls, suggestions: suggest(input) }
    },
  }
}

/** The kinds of agents that a sale can name. */
const SELLABLE: ReadonlySet<NamedAgent['kind']> = new Set(['verified', 'signed'])

/** The row of a known agent: by its user agent, or by the origin that signed. */
function knownAgent({ kind, name }: NamedAgent) {
  if (kind === 'family') return KNOWN_AGENTS.find(({ token }) => token === name)
  return kind === 'signed' ? KNOWN_SIGNERS.find(({ signatureAgent }) => signatureAgent === name) : undefined
}

function agentsOf(
  { reads, refusals, searches }: Readonly<Record<AgentAction, readonly AgentActivity[]>>,
  sales: ReadonlyMap<string, number> | null,
): readonly AgentInsight[] {
  const [read, refused, searched] = [reads, refusals, searches].map((all) => Map.groupBy(all, ({ agent }) => agent))
  const shown = shownQueries(searches)
  const names = new Set([...reads, ...refusals, ...searches].map(({ agent }) => agent))
  const insights = [...names].flatMap((text): AgentInsight[] => {
    const agent = readAgent(text)
    if (!agent) return []
    const [pages, walls, queries] = [read, refused, searched].map((all) => all?.get(text) ?? [])
    const known = knownAgent(agent)
    return [
      {
        ...agent,
        operator: known?.operator ?? null,
        purpose: known?.purpose ?? null,
        reads: add(pages ?? []),
        refusals: add(walls ?? []),
        searches: add(queries ?? []),
        sales:
          sales && SELLABLE.has(agent.kind) && agent.name !== null
            ? (sales.get(`${agent.kind} ${agent.name}`) ?? 0)
            : null,
        pages: (pages ?? []).slice(0, MAX_LISTED).map(({ parts: [path = ''], count }) => ({ path, count })),
        refused: (walls ?? [])
          .slice(0, MAX_LISTED)
          .map(({ parts: [path = '', price = ''], count }) => ({ path, price: price || null, count })),
        queries: (queries ?? [])
          .filter(({ parts: [query = ''] }) => shown.has(query))
          .slice(0, MAX_LISTED)
          .map(({ parts: [query = ''], count }) => ({ query, count })),
      },
    ]
  })
  const total = ({ reads: pages, refusals: walls, searches: queries }: AgentInsight) => pages + walls + queries
  return insights.sort((left, right) => total(right) - total(left)).slice(0, MAX_AGENTS)
}

/** The paywalls that agents met, those with most agents first. */
function paywallsOf(
  refusals: readonly AgentActivity[],
  reads: readonly AgentActivity[],
  paying: ReadonlySet<string> | null,
): readonly AgentPaywall[] {
  const readers = Map.groupBy(reads, ({ parts: [path = ''] }) => path)
  return [...Map.groupBy(refusals, ({ parts: [path = ''] }) => path)]
    .map(([path, activities]) => {
      const agents = new Set(activities.map(({ agent }) => agent))
      const bots = [...agents].flatMap((text) => {
        const agent = readAgent(text)
        return agent?.kind === 'signed' && agent.name !== null ? [agent.name] : []
      })
      const opened = new Set((readers.get(path) ?? []).map(({ agent }) => agent))
      return {
        path,
        agents: agents.size,
        refusals: add(activities),
        readers: [...agents].filter((agent) => opened.has(agent)).length,
        provenBots: bots.length,
        payingBots: paying && bots.filter((bot) => paying.has(bot)).length,
        medianPrice: medianPrice(activities.map(({ parts: [, price = ''], count }) => ({ price, count }))),
      }
    })
    .sort((left, right) => right.agents - left.agents || right.refusals - left.refusals)
    .slice(0, MAX_LISTED)
}

/** The queries that agents together sent often enough for their words to be shown. */
function shownQueries(searches: readonly AgentActivity[]): ReadonlySet<string> {
  const byQuery = Map.groupBy(searches, ({ parts: [query = ''] }) => query)
  return new Set([...byQuery].flatMap(([query, asked]) => (add(asked) < MIN_SEARCHES ? [] : [query])))
}

/** The queries of agents, those of most agents first. */
const queriesOf = (searches: readonly AgentActivity[]): readonly AgentQuery[] =>
  [...Map.groupBy(searches, ({ parts: [query = ''] }) => query)]
    .map(([query, activities]) => ({ query, agents: new Set(activities.map(({ agent }) => agent)).size }))
    .sort((left, right) => right.agents - left.agents)

export type InsightService = ReturnType<typeof createInsightService>
