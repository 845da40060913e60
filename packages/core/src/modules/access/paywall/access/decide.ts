import { type GateConfig, type GateRequirement, isPayment } from '../../../../model/gate-config.ts'
import {
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
import { covers } from '../../../../model/resource-pattern.ts'
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
}

export const NO_RIGHTS: VisitorRights = { entitlements: [], ofPayer: [], met: new Map(), sessionTiers: new Set() }

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

const anyCovers = (patterns: readonly ActivePattern[], resource: string): boolean =>
  patterns.some(({ resourcePattern }) => covers(resourcePattern, resource))

/** Decides about a resource from the rules of its gate and the rights of a visitor. */
export function decide({ resource, open, covering }: ResourceRules, rights: VisitorRights): AccessDecision {
  if (open) {
    const everybody = { tier: undefined, proven: undefined, payerHolds: false, accessKey: '' }
    return { is: 'granted', open, covering, check: () => false, ...everybody }
  }
  const { entitlements, ofPayer, met, sessionTiers } = rights
  const entitled = anyCovers(entitlements, resource)
  const check: RequirementCheck = (requirement, tier) =>
    isPayment(requirement) ? entitled : met.get(requirement) === true || sessionTiers.has(tier)
  const accessKey = [...[...met.values()].map(Number), ...sessionTiers].join('')
  const evaluated = { covering, check, accessKey }

  // A tier may cover only a part of a wildcard; it does not open the whole of it.
  const whole = wholeTiers(covering, resource)
  const tier = heldTier(whole, check)
  if (tier) {
    const proven = provenTier(whole, (requirement) => met.get(requirement) === true)
    return { is: 'granted', open, ...evaluated, tier, proven, payerHolds: anyCovers(ofPayer, resource) }
  }
  const buyable = buyableTiers(covering, check)
  return buyable.length > 0 ? { is: 'payment_required', ...evaluated, buyable } : { is: 'denied', ...evaluated }
}
