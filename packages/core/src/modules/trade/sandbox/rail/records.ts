import type { JsonObject } from '../../../../kernel/json.ts'
import { cardDigest } from '../../../../ports/card/index.ts'
import type { Purchase } from '../../../../ports/payment-rail.ts'
import type { SandboxPayment } from '../../../../ports/storage/sandbox.ts'

/** The network of payments by test card. */
export const SANDBOX_CARD_NETWORK = 'sandbox:card'

/** Whom agents make their tokens for, and the name in the addresses of payment pages. */
export const SANDBOX_PROCESSOR = 'sandbox'

/** The test cards, by what becomes of a payment with each. */
export const TEST_CARDS = {
  pm_sandbox_ok: 'paid',
  pm_sandbox_declined: 'declined',
  pm_sandbox_unknown: 'unknown',
} as const

/** The name of a test card. */
export type TestCard = keyof typeof TEST_CARDS

/** Open pages and open tokens that there may be of each. */
export const MAX_OPEN = 1_000

/**
 * The id of a payment, which is public: sellers see it. Neither the page nor the token can be found from it.
 *
 * @param credentialId - the id of the page, or the digest of the token
 */
export const paymentIdOf = (credentialId: string): string => `pi_${cardDigest(`sandbox ${credentialId}`).slice(0, 32)}`

/** The id of the refund of a payment. */
export const refundIdOf = (paymentId: string): string => paymentId.replace(/^pi_/, 're_')

/** The id of the dispute of a payment. */
export const disputeIdOf = (paymentId: string): string => paymentId.replace(/^pi_/, 'dp_')

/** What a payment is for. */
export const saleOf = ({ sellerDid, resource, tier, per, price, shown }: Purchase): JsonObject => ({
  sellerDid,
  resource,
  tier,
  per,
  price: price.amount,
  item: shown.description || resource,
})

/** A text in the details of a payment. */
export function detailOf({ details }: Pick<SandboxPayment, 'details'>, name: string): string | undefined {
  const value = details[name]
  return typeof value === 'string' ? value : undefined
}

/** The credential that pays, which the books of the service know the payment by. */
export const credentialIdOf = (payment: Pick<SandboxPayment, 'details'>): string =>
  detailOf(payment, 'credentialId') ?? ''
