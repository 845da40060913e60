import type { GateConfig } from './gate-config.ts'
import { type BuyableTier, buyableTiers, coveringTiers, isOpen, type RequirementCheck } from './gate-rules.ts'

/** A reader who has proven nothing: no account, agent, session, proof or entitlement. */
const NOTHING_MET: RequirementCheck = () => false

/**
 * The tiers that a payment alone opens for a reader who has proven nothing, as {@link buyableTiers} orders them; empty for a resource
 * that is open, or that no payment alone opens. Documents that are the same for all readers state the prices of these.
 */
export function tiersForUnproven(config: GateConfig, resource: string): readonly BuyableTier[] {
  const covering = coveringTiers(config, resource)
  return isOpen(config, resource, covering) ? [] : buyableTiers(covering, NOTHING_MET)
}
