import type { Tier } from './store.ts'

/** What a tier means to the rest of the service. */
export interface TierFacts {
  /** How often the API keys of an account may call in a minute. */
  readonly apiRequestsPerMinute: number
  /** The share of a sale that the service keeps, in hundredths of a percent. */
  readonly commissionBps: number
}

const FACTS: Readonly<Record<Tier, TierFacts>> = {
  community: { apiRequestsPerMinute: 60, commissionBps: 1_000 },
  pro: { apiRequestsPerMinute: 300, commissionBps: 500 },
  team: { apiRequestsPerMinute: 1_000, commissionBps: 200 },
}

export const TIERS = Object.keys(FACTS) as [Tier, ...Tier[]]

/** What belongs to a tier. */
export const tierFacts = (tier: Tier): TierFacts => FACTS[tier]
