import { AUDIENCES, type AudienceName, membersOf } from '../../../../model/audience.ts'
import type { GateConfig, PaymentRequirement } from '../../../../model/gate-config.ts'
import { decimalAmount } from '../../../../model/price-text.ts'
import { decide, NO_RIGHTS, rulesFor } from './decide.ts'

/** The decision of a gate about a reader of one audience, without other proofs, entitlements or payments. */
export interface AudienceExplanation {
  readonly granted: boolean
  /** The tier that opens the resource, or that is for sale; null when no tier is for this audience. */
  readonly tier: string | null
  /** What a payment costs that opens the resource; null when it is open, or when no payment opens it. */
  readonly price: {
    readonly amount: string
    readonly currency: string
    readonly per: PaymentRequirement['per']
  } | null
}

function explainFor(config: GateConfig, resource: string, name: AudienceName): AudienceExplanation {
  const decision = decide(rulesFor(config, resource), { ...NO_RIGHTS, audiences: membersOf(name) })
  if (decision.is === 'granted') {
    return { granted: true, tier: decision.open ? config.default_tier : (decision.tier?.name ?? null), price: null }
  }
  const [offer] = decision.is === 'payment_required' ? decision.buyable : []
  if (!offer) return { granted: false, tier: null, price: null }
  const { currency, per } = offer.payment
  return { granted: false, tier: offer.name, price: { amount: decimalAmount(offer.payment), currency, per } }
}

/** How a gate decides about readers of each audience. */
export const explainAudiences = (
  config: GateConfig,
  resource: string,
): Readonly<Record<AudienceName, AudienceExplanation>> =>
  Object.fromEntries(AUDIENCES.map((name) => [name, explainFor(config, resource, name)])) as Record<
    AudienceName,
    AudienceExplanation
  >
