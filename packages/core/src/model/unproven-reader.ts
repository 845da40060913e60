import { UNVERIFIED } from './audience.ts'
import { type GateConfig, isAudience } from './gate-config.ts'
import { audienceCheck, type BuyableTier, buyableTiers, coveringTiers, isOpen } from './gate-rules.ts'

/**
 * The tiers that a payment alone opens for a reader who has proven nothing: no account, agent, program, session, proof or
 * entitlement, and no browser either, as every client can claim to be one. As {@link buyableTiers} orders them; empty for a
 * resource that is open, or that no payment alone opens. Documents that are the same for all readers state the prices of these.
 */
export function tiersForUnproven(config: GateConfig, resource: string): readonly BuyableTier[] {
  const covering = coveringTiers(config, resource)
  if (isOpen(config, resource, covering)) return []
  const isMet = audienceCheck(covering, UNVERIFIED)
  return buyableTiers(covering, (one, tier) => isAudience(one) && isMet(one, tier))
}
