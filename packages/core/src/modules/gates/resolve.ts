import {
  type GateConfig,
  type GateRequirement,
  type GateTier,
  isPayment,
  type PaymentRequirement,
} from './gate-config.ts'
import { closestPattern, specificity } from './resource-pattern.ts'

/** A tier that guards a resource. */
export interface CoveringTier {
  readonly name: string
  readonly tier: GateTier
  /** Its pattern that fits the resource best. */
  readonly pattern: string
  readonly score: number
}

/** The tiers that ask for something and cover a resource, the closest pattern first. */
export function coveringTiers(config: GateConfig, resource: string): readonly CoveringTier[] {
  const covering: CoveringTier[] = []
  for (const [name, tier] of Object.entries(config.tiers)) {
    if (name === config.default_tier || tier.requirements.length === 0) continue
    const pattern = closestPattern(tier.access, resource)
    if (pattern !== undefined) covering.push({ name, tier, pattern, score: specificity(pattern, resource) })
  }
  return covering.sort((left, right) => right.score - left.score)
}

/**
 * Whether everybody may read a resource: the default tier covers it more closely than any tier that asks for something.
 * A tie goes to the gate, and what no tier covers is closed (EEP v0.1, resolution by specificity).
 */
export function isOpen(config: GateConfig, resource: string, covering: readonly CoveringTier[]): boolean {
  const home = config.tiers[config.default_tier]
  const pattern = home && closestPattern(home.access, resource)
  if (pattern === undefined) return false
  const score = specificity(pattern, resource)
  return covering.every((each) => each.score < score)
}

/** Tells whether a requirement is met. What it does not know, it denies. */
export type RequirementCheck = (requirement: GateRequirement) => boolean

const accessCount = ({ tier }: CoveringTier) =>
  tier.access.includes('*') ? Number.POSITIVE_INFINITY : tier.access.length

/** Of the tiers whose requirements are all met, the one that gives most. */
export const heldTier = (covering: readonly CoveringTier[], isMet: RequirementCheck): CoveringTier | undefined =>
  covering
    .filter(({ tier }) => tier.requirements.every(isMet))
    .sort((left, right) => accessCount(right) - accessCount(left))[0]

export const unmetRequirements = ({ tier }: CoveringTier, isMet: RequirementCheck): readonly GateRequirement[] =>
  tier.requirements.filter((requirement) => !isMet(requirement))

/** A tier that a payment alone would open. */
export interface BuyableTier extends CoveringTier {
  readonly payment: PaymentRequirement
}

/** The tiers that lack nothing but a payment: the closest first, the cheaper first among equals. */
export function buyableTiers(covering: readonly CoveringTier[], isMet: RequirementCheck): readonly BuyableTier[] {
  const buyable = covering.flatMap((each) => {
    const [payment, ...more] = unmetRequirements(each, isMet)
    return payment && isPayment(payment) && more.length === 0 ? [{ ...each, payment }] : []
  })
  return buyable.sort((left, right) => right.score - left.score || left.payment.amount - right.payment.amount)
}
