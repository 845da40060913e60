import type { Json, JsonObject } from '../../../../kernel/json.ts'
import { caip2Of } from '../../../../kernel/network.ts'
import type { AudienceRequirement } from '../../../../model/audience.ts'
import type { ConnectedApp } from '../../../../model/caller.ts'
import { audienceOf, type BuyableTier } from '../../../../model/gate-rules.ts'
import { decimalAmount } from '../../../../model/price-text.ts'
import type { Payer, PaymentRail, Purchase, PurchaseListing } from '../../../../ports/payment-rail.ts'
import type { Readers } from '../../../../ports/storage/storage.ts'
import { allowedRails } from '../../gates/index.ts'
import { type GatedResource, urlOf } from '../access/resource.ts'

/** The offers for a resource, the same for every visitor with the same access decision. */
export interface ForSale {
  /** The ways to buy it, best first. At least one. */
  readonly purchases: readonly Purchase[]
  /** Makes the members of a refusal that come from the gate (EEP v0.1, `gate.402-response`). A payment needs none. */
  readonly terms: () => JsonObject
  /** The public part: the excerpt of a page, the public fields of a profile. */
  readonly preview: Json
}

/** A resource for sale to one visitor. */
export interface Sale extends ForSale {
  /** Ids of rails in the order the agent prefers. Unknown ids are ignored. */
  readonly preference: readonly string[]
  /** Whether a payer already has access; inside a transaction, by the state of that transaction. */
  readonly isEntitled: (payer: Payer, tx?: Readers) => Promise<boolean>
  /** Whether the reader is in the audience of an earlier purchase. Default: in none. */
  readonly isInAudience?: ((audience: AudienceRequirement) => Promise<boolean>) | undefined
  /**
   * Whether a wallet is known to belong to the buyer. A sale with this function is made to a person, not to a wallet: a
   * payment that is public on chain is accepted from the buyer's own wallets only.
   */
  readonly isBuyerWallet?: ((payer: Payer) => Promise<boolean>) | undefined
  /** False when no payment can be presented where the resource was requested, so that nothing is offered. Default: true. */
  readonly isOffered?: boolean | undefined
  /** Why a `SIGN-IN-WITH-X` header was refused; the 402 repeats it. */
  readonly signInRefused?: string | undefined
  /**
   * The account that the offers pay. When the profile has another owner by the time of a payment, the payment is refused.
   * Undefined when the offers do not depend on the owner.
   */
  readonly sellerAccountId?: string | undefined
  /**
   * Whether a purchase was offered at another price so lately that its buyer may have read that offer. Default: its price does
   * not change.
   */
  readonly roseLately?: ((purchase: Purchase) => Promise<boolean>) | undefined
  readonly payerAccountId: string | null
  /** The connected app of the buyer that presents the payment, whose limits hold. Default: none. */
  readonly payerApp?: ConnectedApp | undefined
  /** The agent that signed the request. It also gets the entitlement. */
  readonly payerDid: string | null
  /** The operator that signed the request (Web Bot Auth), for figures. */
  readonly payerBot?: string | undefined
}

/** Returns a sale whose purchases of single requests state when they are charged and to which request they are bound. Without `charge` the sale is unchanged. */
export const chargedAt = (sale: Sale, charge: Purchase['charge'], bound?: Purchase['bound']): Sale =>
  charge === undefined
    ? sale
    : { ...sale, purchases: sale.purchases.map((each) => (each.per === 'request' ? { ...each, bound, charge } : each)) }

/** All rails, those that the agent prefers first. */
export const orderRails = (rails: readonly PaymentRail[], preference: readonly string[]): readonly PaymentRail[] => {
  if (preference.length === 0) return rails
  const preferred = preference.flatMap((id) => rails.filter((rail) => rail.id === id))
  return [...new Set([...preferred, ...rails])]
}

const audienceMember = (audience: Purchase['audience']) => (audience ? { audience } : {})

/** The purchase of a tier by a visitor who wants one resource. */
export const purchaseOf = (
  resource: GatedResource,
  { name: tierName, tier, pattern, payment }: BuyableTier,
  seller: {
    readonly did: string
    readonly publicUrl: string
    readonly rails: readonly PaymentRail[]
    readonly mimeType: string
    readonly payTo: Purchase['payTo']
    readonly listing?: PurchaseListing | undefined
  },
): Purchase => ({
  ...audienceMember(audienceOf(tier)),
  profileId: resource.profile.id,
  sellerDid: seller.did,
  resource: resource.name,
  pattern,
  tier: tierName,
  access: tier.access,
  rails: allowedRails(payment, seller.rails)?.map(({ id }) => id) ?? null,
  ...(payment.x402?.network && { networks: [caip2Of(payment.x402.network)] }),
  per: payment.per,
  price: { amount: decimalAmount(payment), currency: payment.currency },
  shown: { url: urlOf(resource, seller.publicUrl), description: resource.description, mimeType: seller.mimeType },
  ...(seller.listing && { listing: seller.listing }),
  payTo: seller.payTo,
})
