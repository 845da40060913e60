import {
  type GateConfig,
  type GateRequirement,
  type GateTier,
  isCombined,
  isPayment,
  type PaymentRequirement,
} from './gate-config.ts'
import { isWildcard } from './resource-name.ts'
import { closestPattern, covers, specificity } from './resource-pattern.ts'

/** A tier that guards a resource. */
export interface CoveringTier {
  readonly name: string
  readonly tier: GateTier
  /** Its pattern that fits the resource best. */
  readonly pattern: string
  readonly score: number
}

/** More than any pattern that covers a wildcard as a whole. */
const INSIDE_SCORE = 2_000

/**
 * The tiers that ask for something and cover a resource, the closest pattern first. Of a wildcard also those that cover a part of it,
 * and closer than any other: a wildcard is open only when all of it is.
 */
export function coveringTiers(config: GateConfig, resource: string): readonly CoveringTier[] {
  const covering: CoveringTier[] = []
  for (const [name, tier] of Object.entries(config.tiers)) {
    if (name === config.default_tier || tier.requirements.length === 0) continue
    const whole = closestPattern(tier.access, resource)
    const part = isWildcard(resource)
      ? tier.access.find((each) => each !== resource && covers(resource, each))
      : undefined
    const pattern = whole ?? part
    if (pattern === undefined) continue
    covering.push({ name, tier, pattern, score: part === undefined ? specificity(pattern, resource) : INSIDE_SCORE })
  }
  return covering.sort((left, right) => right.score - left.score)
}

/** Of the tiers that cover a resource, those that open all of it; a tier may cover a part of a wildcard only. */
export const wholeTiers = (covering: readonly CoveringTier[], resource: string): readonly CoveringTier[] =>
  covering.filter(({ pattern }) => covers(pattern, resource))

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

/** Returns whether a requirement of a tier is met; never called for combined ones. False for unknown requirements. */
export type RequirementCheck = (requirement: GateRequirement, tier: string) => boolean

/** Whether a requirement is met, a combined one by those inside of it. */
function isMet(requirement: GateRequirement, tier: string, check: RequirementCheck): boolean {
  if (!isCombined(requirement)) return check(requirement, tier)
  const { combine_mode: mode, requirements } = requirement
  const inside = (one: GateRequirement) => isMet(one, tier, check)
  return mode === 'all' ? requirements.every(inside) : requirements.some(inside)
}

const isHeld = ({ name, tier }: CoveringTier, check: RequirementCheck): boolean =>
  tier.requirements.every((requirement) => isMet(requirement, name, check))

const accessCount = ({ tier }: CoveringTier) =>
  tier.access.includes('*') ? Number.POSITIVE_INFINITY : tier.access.length

const mostOf = (tiers: readonly CoveringTier[]): CoveringTier | undefined =>
  tiers.toSorted((left, right) => accessCount(right) - accessCount(left))[0]

/** Of the tiers whose requirements are all met, the one that gives most. */
export const heldTier = (covering: readonly CoveringTier[], check: RequirementCheck): CoveringTier | undefined =>
  mostOf(covering.filter((each) => isHeld(each, check)))

/**
 * Of the tiers that hold whether or not their money is still paid later, the one that gives most: where money is one of
 * the ways in, another one was taken.
 */
export function provenTier(covering: readonly CoveringTier[], check: RequirementCheck): CoveringTier | undefined {
  const isProven = (each: CoveringTier) => {
    const needsMoney = !isHeld(each, (one) => !isPayment(one))
    return isHeld(each, (one, tier) => (isPayment(one) ? needsMoney : check(one, tier)))
  }
  return mostOf(covering.filter(isProven))
}

/** What a tier still asks for. Of requirements that must all be met those that are not; of alternatives, all of them. */
export function unmetRequirements({ name, tier }: CoveringTier, check: RequirementCheck): readonly GateRequirement[] {
  const unmet = (requirement: GateRequirement): readonly GateRequirement[] => {
    if (isMet(requirement, name, check)) return []
    const flat = isCombined(requirement) && requirement.combine_mode === 'all'
    return flat ? requirement.requirements.flatMap(unmet) : [requirement]
  }
  return tier.requirements.flatMap(unmet)
}

/** A tier that a payment alone would open. */
export interface BuyableTier extends CoveringTier {
  readonly payment: PaymentRequirement
}

/** The payments that requirements ask for, those inside of combined ones as well. */
const paymentsOf = (requirements: readonly GateRequirement[]): readonly PaymentRequirement[] =>
  requirements.flatMap((one) => (isPayment(one) ? [one] : isCombined(one) ? paymentsOf(one.requirements) : []))

/** The tiers that lack nothing but one payment: the closest first, the cheaper first among equals. */
export function buyableTiers(covering: readonly CoveringTier[], check: RequirementCheck): readonly BuyableTier[] {
  const buyable = covering.flatMap((each) =>
    paymentsOf(each.tier.requirements)
      .filter((payment) => isHeld(each, (one, tier) => one === payment || check(one, tier)))
      .map((payment) => ({ ...each, payment })),
  )
  return buyable.sort((left, right) => right.score - left.score || left.payment.amount - right.payment.amount)
}

/** The tiers that cannot be bought closer to being held: fewest unmet requirements first, then the closest. */
export const nearestTier = (covering: readonly CoveringTier[], check: RequirementCheck): CoveringTier | undefined =>
  [...covering].sort(
    (left, right) =>
      unmetRequirements(left, check).length - unmetRequirements(right, check).length || right.score - left.score,
  )[0]
