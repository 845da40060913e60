import { type Audiences, isInAudience, UNVERIFIED } from '../../../../model/audience.ts'
import { type GateConfig, type GateRequirement, isAudience, isPayment } from '../../../../model/gate-config.ts'
import {
  audienceCheck,
  audienceOf,
  type BuyableTier,
  buyableTiers,
  type CoveringTier,
  coveringTiers,
  heldTier,
  isOpen,
  provenTier,
  type RequirementCheck,
  wholeTiers,
} from '../../../../model/gate-rules.ts'
import { covers, specificity } from '../../../../model/resource-pattern.ts'
import type { ActivePattern } from '../../../../ports/storage/entitlements.ts'

/** The rules of a gate for one resource. */
export interface ResourceRules {
  readonly resource: string
  /** Whether it is open to every visitor. */
  readonly open: boolean
  /** The tiers that guard it, the most specific pattern first. */
  readonly covering: readonly CoveringTier[]
}

/** The verified rights and proofs of a visitor at a gate. */
export interface VisitorRights {
  /** The active entitlements of all payers that the visitor is. */
  readonly entitlements: readonly ActivePattern[]
  /** Those of the payer that the request names. */
  readonly ofPayer: readonly ActivePattern[]
  /** For each requirement that is not a payment, whether the visitor meets it. */
  readonly met: ReadonlyMap<GateRequirement, boolean>
  /** The tiers in the session of the visitor. */
  readonly sessionTiers: ReadonlySet<string>
  /** The audiences that the reader belongs to. */
  readonly audiences: Audiences
}

export const NO_RIGHTS: VisitorRights = {
  entitlements: [],
  ofPayer: [],
  met: new Map(),
  sessionTiers: new Set(),
  audiences: UNVERIFIED,
}

interface Evaluated {
  readonly covering: readonly CoveringTier[]
  readonly check: RequirementCheck
  /** Equal for visitors with the same decision: a 402 for one of them is valid for all. */
  readonly accessKey: string
}

/** The visitor may read the resource. */
export interface Granted extends Evaluated {
  readonly is: 'granted'
  /** Open to every visitor. */
  readonly open: boolean
  /** The tier whose requirements the visitor meets; undefined for an open resource. */
  readonly tier: CoveringTier | undefined
  /** The tier that the proofs of the visitor meet without a payment, which a session can contain. */
  readonly proven: CoveringTier | undefined
  /** Whether the payer that the request names holds an entitlement to the resource. */
  readonly payerHolds: boolean
}

/** A payment alone would open the resource. */
export interface PaymentRequired extends Evaluated {
  readonly is: 'payment_required'
  /** Whether the visitor could read the resource with these entitlements, too. */
  readonly opensWith: (held: readonly ActivePattern[]) => boolean
  /** At least one, the most specific pattern first. */
  readonly buyable: readonly BuyableTier[]
}

/** No payment alone opens the resource. */
export interface Denied extends Evaluated {
  readonly is: 'denied'
}

/** Whether a visitor may read a resource, and the missing requirements if not. */
export type AccessDecision = Granted | PaymentRequired | Denied

/** Resolves the rules of a configuration for a resource. */
export function rulesFor(config: GateConfig, resource: string): ResourceRules {
  const covering = coveringTiers(config, resource)
  return { resource, covering, open: isOpen(config, resource, covering) }
}

/**
 * Returns whether entitlements pay for a tier of a resource. One that was bought in an audience counts only while the reader is
 * in that audience, and only for tiers with an audience whose pattern is not more specific than the one bought: the price for
 * an audience never pays for what is sold apart.
 */
function paidBy(held: readonly ActivePattern[], resource: string, audiences: Audiences) {
  const covering = held.filter(({ resourcePattern }) => covers(resourcePattern, resource))
  const isPlain = covering.some(({ audience }) => audience === null)
  const scores = covering.flatMap(({ audience, resourcePattern }) =>
    audience && isInAudience(audience, audiences) ? [specificity(resourcePattern, resource)] : [],
  )
  return ({ tier, score }: CoveringTier): boolean =>
    isPlain || (audienceOf(tier) !== undefined && scores.some((bought) => score <= bought))
}

/** Decides about a resource from the rules of its gate and the rights of a visitor. */
export function decide(rules: ResourceRules, rights: VisitorRights): AccessDecision {
  const { resource, open, covering } = rules
  if (open) {
    const everybody = { tier: undefined, proven: undefined, payerHolds: false, accessKey: '' }
    return { is: 'granted', open, covering, check: () => false, ...everybody }
  }
  const { entitlements, ofPayer, met, sessionTiers, audiences } = rights
  const isPaid = paidBy(entitlements, resource, audiences)
  const isPaidFor = new Map(covering.map((each) => [each.name, isPaid(each)]))
  const isInAudienceOf = audienceCheck(covering, audiences)
  const check: RequirementCheck = (requirement, tier) => {
    if (isPayment(requirement)) return isPaidFor.get(tier) === true
    // A session of an agent contains proofs, and no audience.
    if (isAudience(requirement)) return isInAudienceOf(requirement, tier)
    return met.get(requirement) === true || sessionTiers.has(tier)
  }
  const byAudience = covering.flatMap(({ name, tier }) => {
    const audience = audienceOf(tier)
    return audience ? [Number(isInAudienceOf(audience, name))] : []
  })
  const accessKey = [...[...met.values()].map(Number), ...byAudience, ...sessionTiers].join('')
  const evaluated = { covering, check, accessKey }

  // A tier may cover only a part of a wildcard; it does not open the whole of it.
  const whole = wholeTiers(covering, resource)
  const tier = heldTier(whole, check)
  if (tier) {
    // `met` has no audiences, so tiers for an audience are never proven and in no session.
    const proven = provenTier(whole, (requirement) => met.get(requirement) === true)
    return { is: 'granted', open, ...evaluated, tier, proven, payerHolds: paidBy(ofPayer, resource, audiences)(tier) }
  }
  const buyable = buyableTiers(covering, check)
  if (buyable.length === 0) return { is: 'denied', ...evaluated }
  const opensWith = (held: readonly ActivePattern[]) =>
    decide(rules, { ...rights, entitlements: [...entitlements, ...held] }).is === 'granted'
  return { is: 'payment_required', ...evaluated, buyable, opensWith }
}
