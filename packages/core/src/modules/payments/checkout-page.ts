import { canonicalJson } from '../../kernel/digest.ts'
import type { PaymentRail, Purchase } from '../../ports/payment-rail.ts'
import type { Payment } from './store.ts'

/** A page on which a person pays. */
export interface CheckoutPage {
  readonly id: string
  readonly url: string
  readonly expiresAt: Date
}

/** Where whoever opened a page wants its payer to be led. */
export interface CheckoutPlan {
  /** The address at this service that a payer comes back to; `{CHECKOUT_ID}` stands for the page. */
  readonly backUrl: string
  readonly successUrl: string
  readonly cancelUrl: string
  /**
   * Who asks, by something only they can show: one buyer has one open page for a tier. Undefined for whom nothing tells
   * from others.
   */
  readonly buyer: string | undefined
}

/** One page of a buyer for a tier is open at a time; null where nobody could tell, or pages cannot be closed. */
export function openKeyOf(
  { id, processor }: Pick<PaymentRail, 'id' | 'processor'>,
  { profileId, tier }: Purchase,
  { buyer }: Pick<CheckoutPlan, 'buyer'>,
): string | null {
  if (buyer === undefined || !processor?.expireCheckout) return null
  return ['checkout', id, buyer, profileId, `tier ${tier}`].join('|')
}

/** What was kept of a page when it was opened. */
const keptIn = ({ checkpoint }: Payment): { readonly [name: string]: unknown } =>
  typeof checkpoint === 'object' && checkpoint !== null && !Array.isArray(checkpoint) ? { ...checkpoint } : {}

/** The page of a payment; undefined for one from before pages were kept. */
export function pageOf(payment: Payment): CheckoutPage | undefined {
  const { url, expiresAt } = keptIn(payment)
  if (typeof url !== 'string' || typeof expiresAt !== 'string') return undefined
  return { id: payment.credentialId, url, expiresAt: new Date(expiresAt) }
}

const termsOf = ({ resource, tier, per, price, access, sellerDid }: Purchase) =>
  canonicalJson({ resource, tier, per, price, access, sellerDid })

/** Whether a page sells a purchase at its price, and leads where its buyer wants to be led. */
export function isSamePage(
  payment: Payment,
  purchase: Purchase,
  { successUrl, cancelUrl }: Pick<CheckoutPlan, 'successUrl' | 'cancelUrl'>,
): boolean {
  const kept = keptIn(payment)
  const leadsThere = kept.successUrl === successUrl && kept.cancelUrl === cancelUrl
  return leadsThere && termsOf(payment.purchase) === termsOf(purchase)
}

/** Where the payer of a page is led. */
export function successUrlOf(payment: Payment): string {
  const { successUrl } = keptIn(payment)
  return typeof successUrl === 'string' ? successUrl : payment.purchase.shown.url
}
