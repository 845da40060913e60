/** What agents met at one paywall. */
export interface AgentPaywall {
  readonly path: string
  /** Different agents that got a 402. */
  readonly agents: number
  readonly refusals: number
  /** Those of them that read the path in the same period. */
  readonly readers: number
  /** Those of them whose operator signed the requests (Web Bot Auth). */
  readonly provenBots: number
  /** Those of the proven ones that paid this profile in the same period; null when sales must not be shown. */
  readonly payingBots: number | null
  /** The median price of the offers, in the most frequent currency: `0.05 USDC`. Null when none was recorded. */
  readonly medianPrice: string | null
}

/** A query of agents that returned something of the profile. */
export interface AgentQuery {
  readonly query: string
  readonly agents: number
}

/** A suggestion, and the rule that made it. */
export interface Suggestion {
  readonly rule: 'paywall_left' | 'price_never_paid' | 'price_met_by_bots' | 'found_not_read'
  readonly path: string | null
  readonly agents: number
  readonly message: string
}

export interface SuggestionInput {
  readonly paywalls: readonly AgentPaywall[]
  readonly queries: readonly AgentQuery[]
  /** How often agents read something. */
  readonly reads: number
  /** Sales to agents that proved their DID; null when they must not be shown, not even by a suggestion. */
  readonly sales: number | null
}

/** The numbers from which a rule applies. */
const MIN_AGENTS = 3
const MIN_REFUSALS = 10

/** Returns the median price in the currency that was offered most often; prices are `0.05 USDC`, each with a count. */
export function medianPrice(offers: readonly { readonly price: string; readonly count: number }[]): string | null {
  const byCurrency = new Map<string, { amount: number; count: number }[]>()
  for (const { price, count } of offers) {
    const [amount = '', currency = ''] = price.split(' ')
    if (currency === '' || !Number.isFinite(Number(amount))) continue
    const offered = { amount: Number(amount), count }
    const known = byCurrency.get(currency)
    if (known) known.push(offered)
    else byCurrency.set(currency, [offered])
  }
  const totalOf = (each: readonly { readonly count: number }[]) => each.reduce((sum, { count }) => sum + count, 0)
  const [most] = [...byCurrency].sort(
    ([left, of], [right, other]) => totalOf(other) - totalOf(of) || (left < right ? -1 : 1),
  )
  if (!most) return null
  const [currency, prices] = most
  const middle = totalOf(prices) / 2
  let passed = 0
  for (const { amount, count } of prices.sort((left, right) => left.amount - right.amount)) {
    passed += count
    if (passed >= middle) return `${amount} ${currency}`
  }
  return null
}

/** Suggests changes of a profile for agents. The suggestion that affects the most agents comes first. */
export function suggest({ paywalls, queries, reads, sales }: SuggestionInput): readonly Suggestion[] {
  const suggestions: Suggestion[] = []
  for (const { path, agents, readers, medianPrice: price } of paywalls) {
    const left = agents - readers
    if (left < MIN_AGENTS) continue
    const offer = price === null ? '' : `: median offer ${price}`
    const message = `${left} agents met the paywall of ${path} and left${offer}`
    suggestions.push({ rule: 'paywall_left', path, agents: left, message })
  }
  for (const { path, provenBots, payingBots } of paywalls) {
    if (provenBots < MIN_AGENTS || payingBots === null) continue
    const message = `${provenBots} proven bots met this price; ${payingBots} paid`
    suggestions.push({ rule: 'price_met_by_bots', path, agents: provenBots, message })
  }
  const refusals = paywalls.reduce((sum, each) => sum + each.refusals, 0)
  if (refusals >= MIN_REFUSALS && sales === 0) {
    const agents = Math.max(...paywalls.map((each) => each.agents))
    const message = `Agents got ${refusals} responses with a price, but none that signs its requests paid; offer a lower price, or a price per request`
    suggestions.push({ rule: 'price_never_paid', path: null, agents, message })
  }
  const found = queries.filter(({ agents }) => agents >= MIN_AGENTS)
  const [query] = found
  if (query && reads === 0) {
    const message = `${query.agents} agents found this profile by "${query.query}" and none read it; answer this query in the excerpt of a public page`
    suggestions.push({ rule: 'found_not_read', path: null, agents: query.agents, message })
  }
  return suggestions.sort((left, right) => right.agents - left.agents)
}
