import { randomUUID } from 'node:crypto'
import { canonicalJson } from '../../../kernel/digest.ts'
import { validationFailed } from '../../../kernel/errors.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import type { Pricing } from '../../../model/pricing.ts'
import type { Terms } from '../../../model/terms.ts'
import type { NegotiationMove } from '../../../ports/storage/commerce.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { priceNotNegotiable, serviceUnavailable } from './errors.ts'

const DEFAULT_EXPIRES_SECONDS = 7 * 86_400

/** An offer of a buyer. */
export interface Offer {
  readonly sellerDid: string
  readonly service: string
  readonly pricing?: Pricing | undefined
  readonly terms?: Terms | undefined
  readonly reason?: string | undefined
  readonly metadata?: JsonObject | undefined
}

export const newNegotiationId = () => `neg_${randomUUID().replaceAll('-', '')}`

/** The expiry of an offer that is made now. */
export const expiryOf = ({ expires_in: seconds = DEFAULT_EXPIRES_SECONDS }: Terms, now: Date): Date =>
  new Date(now.getTime() + seconds * 1000)

/** The sent members, without undefined ones. */
export const dataOf = (sent: object): JsonObject => JSON.parse(JSON.stringify(sent)) as JsonObject

export const offerMove = (offer: Offer, pricing: Pricing, accountId: string | null, at: Date): NegotiationMove => ({
  version: 1,
  action: 'offer',
  state: 'open',
  by: 'buyer',
  accountId,
  data: dataOf({ pricing, terms: offer.terms, reason: offer.reason }),
  at,
})

/** Refuses a price that differs from the fixed one. */
export function requirePrice(pricing: Pricing, fixed: object): void {
  if (canonicalJson(pricing) !== canonicalJson(fixed)) throw priceNotNegotiable({ details: { pricing: fixed } })
}

/**
 * The price of an offer, and whether it may change: that of the listing, for a listed service.
 *
 * @throws `service_unavailable`, `price_not_negotiable`; `validation_failed` without a price
 */
export async function priceOf(
  { service: name, pricing }: Offer,
  sellerProfileId: number,
  { listings }: Pick<Readers<'negotiations' | 'listings'>, 'listings'>,
): Promise<{ readonly pricing: Pricing; readonly pricingMode: 'fixed' | 'negotiable' }> {
  const listing = name.startsWith('svc_') ? await listings.get(sellerProfileId, name) : undefined
  if (!listing) {
    if (name.startsWith('svc_')) throw serviceUnavailable({ message: 'The seller does not list this service' })
    if (!pricing) throw validationFailed({ message: 'body/pricing: Required, because the service is not listed' })
    return { pricing, pricingMode: 'negotiable' }
  }
  const { details } = listing
  if (details.status !== 'active') throw serviceUnavailable({ details: { status: details.status } })
  if (!details.negotiable) {
    if (details.pricing.model === 'free') throw serviceUnavailable({ message: 'Free services are not negotiated' })
    if (pricing) requirePrice(pricing, details.pricing)
    return { pricing: details.pricing, pricingMode: 'fixed' }
  }
  if (!pricing && details.pricing.model === 'free') throw validationFailed({ message: 'body/pricing: Required' })
  return { pricing: pricing ?? details.pricing, pricingMode: 'negotiable' }
}
