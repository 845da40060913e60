import { type AudienceRequirement, type Audiences, isInAudience } from './audience.ts'
import {
  type GateConfig,
  type GateRequirement,
  type GateTier,
  isAudience,
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
  /** The most specific of its patterns that cover the resource. */
  readonly pattern: string
  readonly score: number
}

/** Higher than the specificity of any pattern that covers a whole wildcard. */
const INSIDE_SCORE = 2_000

/**
 * The tiers with requirements that cover a resource, the most specific pattern first. For a wildcard, tiers that cover
 * only a part of it are included and come first: a wildcard is open only when all of it is.
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

/** Those of the covering tiers that open the whole resource. A tier may cover only a part of a wildcard. */
export const wholeTiers = (covering: readonly CoveringTier[], resource: string): readonly CoveringTier[] =>
  covering.filter(({ pattern }) => covers(pattern, resource))

/**
 * Whether everyone may read a resource: the default tier covers it with a more specific pattern than any tier with
 * requirements. A tie requires the other tier, and a resource that no tier covers is closed (EEP v0.1, resolution by
 * specificity).
 */
export function isOpen(config: GateConfig, resource: string, covering: readonly CoveringTier[]): boolean {
  const home = config.tiers[config.default_tier]
  const pattern = home && closestPattern(home.access, resource)
  if (pattern === undefined) return false
  const score = specificity(pattern, resource)
  return covering.every((each) => each.score < score)
}

/** The patterns on which {@link isOpen} depends: those of the default tier, and those of all tiers with requirements. */
function publicRules({ tiers, default_tier: home }: GateConfig): string {
  const guarded = Object.entries(tiers).filter(([name, tier]) => name !== home && tier.requirements.length > 0)
  const sorted = (patterns: readonly string[]) => [...new Set(patterns)].sort()
  return JSON.stringify([sorted(tiers[home]?.access ?? []), sorted(guarded.flatMap(([, { access }]) => access))])
}

/** Whether two configurations open the same resources for everyone. They may differ in prices and other requirements. */
export const opensSame = (before: GateConfig, after: GateConfig): boolean => publicRules(before) === publicRules(after)

/** The audience that a tier is for; undefined for everyone. */
export const audienceOf = ({ requirements }: Pick<GateTier, 'requirements'>): AudienceRequirement | undefined =>
  requirements.find(isAudience)

const named = new WeakMap<GateConfig, readonly string[]>()

/** The audiences that the tiers of a configuration name, each once. Computed once for each configuration. */
export function audiencesIn(config: GateConfig): readonly string[] {
  const known = named.get(config)
  if (known) return known
  const requirements = Object.values(config.tiers).map(audienceOf)
  const names = new Set(requirements.flatMap((one) => (one ? [...one.any_of, ...(one.none_of ?? [])] : [])))
  named.set(config, [...names])
  return [...names]
}

/** Whether a tier of a configuration is for an audience, so that its decision depends on the reader. */
export const namesAudiences = (config: GateConfig): boolean => audiencesIn(config).length > 0

/**
 * Returns whether a tier's audience is met: the reader belongs to it, and no other tier covers the resource by a more specific
 * pattern. So a tier for an audience never opens what a closer tier closes or sells.
 */
export function audienceCheck(covering: readonly CoveringTier[], audiences: Audiences) {
  const closest = Math.max(...covering.map(({ score }) => score))
  const shadowed = new Set(covering.flatMap(({ name, score }) => (score < closest ? [name] : [])))
  return (requirement: AudienceRequirement, tier: string): boolean =>
    !shadowed.has(tier) && isInAudience(requirement, audiences)
}

/** Returns whether a requirement of a tier is met; never called for combined ones. False for unknown requirements. */
export type RequirementCheck = (requirement: GateRequirement, tier: string) => boolean

/** Whether a requirement is met. A combined requirement depends on the ones that it contains. */
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

/** Of the tiers whose requirements are all met, the one with the most access patterns. */
export const heldTier = (covering: readonly CoveringTier[], check: RequirementCheck): CoveringTier | undefined =>
  mostOf(covering.filter((each) => isHeld(each, check)))

/**
 * Of the tiers whose requirements other than payments are all met, the one with the most access patterns. If a payment
 * is only one of several alternatives, another alternative must be met.
 */
export function provenTier(covering: readonly CoveringTier[], check: RequirementCheck): CoveringTier | undefined {
  const isProven = (each: CoveringTier) => {
    const needsMoney = !isHeld(each, (one) => !isPayment(one))
    return isHeld(each, (one, tier) => (isPayment(one) ? needsMoney : check(one, tier)))
  }
  return mostOf(covering.filter(isProven))
}

/**
 * The unmet requirements of a tier. A combination that requires all contributes only its unmet ones; alternatives are
 * returned as a whole.
 */
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

/** The payments among some requirements, including those in combined ones. */
export const paymentsOf = (requirements: readonly GateRequirement[]): readonly PaymentRequirement[] =>
  requirements.flatMap((requirement) =>
    isPayment(requirement) ? [requirement] : isCombined(requirement) ? paymentsOf(requirement.requirements) : [],
  )

/**
 * The tiers that lack only one payment: the most specific pattern first, then by currency in the order of the gate, as amounts of
 * different currencies are not compared, then the lowest price.
 */
export function buyableTiers(covering: readonly CoveringTier[], check: RequirementCheck): readonly BuyableTier[] {
  const buyable = covering.flatMap((each) =>
    paymentsOf(each.tier.requirements)
      .filter((payment) => isHeld(each, (one, tier) => one === payment || check(one, tier)))
      .map((payment) => ({ ...each, payment })),
  )
  const currencies = [...new Set(buyable.map(({ payment }) => payment.currency))]
  const placeOf = ({ payment }: BuyableTier) => currencies.indexOf(payment.currency)
  return buyable.sort(
    (left, right) =>
      right.score - left.score || placeOf(left) - placeOf(right) || left.payment.amount - right.payment.amount,
  )
}

/** The tier with the fewest unmet requirements; of several, the one with the most specific pattern. */
export const nearestTier = (covering: readonly CoveringTier[], check: RequirementCheck): CoveringTier | undefined =>
  [...covering].sort(
    (left, right) =>
      unmetRequirements(left, check).length - unmetRequirements(right, check).length || right.score - left.score,
  )[0]
