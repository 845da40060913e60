import { canonicalJson, sha256 } from '../../../kernel/digest.ts'
import { asJson, type JsonObject } from '../../../kernel/json.ts'
import type { PaymentRail, Purchase } from '../../../ports/payment-rail.ts'

/** Changes when rows have other members for the same state, so that all are written again. */
const FORMAT = 1

/** What offers depend on beside the storage and the rails. */
export interface DigestFacts {
  readonly publicUrl: string
  readonly verifiedOnly: boolean
  readonly hasRestrictions: boolean
  /** What names the routes of the host that are listed, and their prices. */
  readonly endpoints: readonly object[]
}

const AMOUNT = '1'

/** A purchase that only asks a rail for its terms: the seller has no payout, so that the offer names the receiver of the platform. */
const purchaseIn = (currency: string, publicUrl: string): Purchase => ({
  profileId: 1,
  sellerDid: 'did:web:seller.invalid',
  resource: 'content.terms',
  pattern: 'content.*',
  tier: 'terms',
  access: ['content.*'],
  rails: null,
  per: 'once',
  price: { amount: AMOUNT, currency },
  shown: { url: `${publicUrl}/terms`, description: 'Terms', mimeType: 'text/markdown' },
  payTo: {},
})

async function termsOf(rail: PaymentRail, publicUrl: string): Promise<JsonObject> {
  const currencies = [...new Set(rail.info?.accepts.flatMap((accepted) => accepted.currencies) ?? [])].sort()
  const offers: JsonObject[] = []
  for (const currency of currencies) {
    const offer = await rail.offer(purchaseIn(currency, publicUrl))
    offers.push({ currency, accepts: [...(offer?.accept ? [offer.accept] : []), ...(offer?.alternatives ?? [])] })
  }
  return asJson({ id: rail.id, info: rail.info ?? null, offers })
}

/**
 * Returns a digest of the configuration that all rows of the catalogue depend on: the rails with their networks, tokens and receivers, and
 * the routes of the host.
 *
 * @throws what a rail throws that cannot make an offer
 */
export async function railsDigest(
  rails: readonly PaymentRail[],
  { publicUrl, ...facts }: DigestFacts,
): Promise<string> {
  const terms: JsonObject[] = []
  for (const rail of rails) terms.push(await termsOf(rail, publicUrl))
  return sha256(canonicalJson({ format: FORMAT, publicUrl, ...facts, terms }))
}
