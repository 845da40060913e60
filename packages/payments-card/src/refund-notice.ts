import { paymentUnknown, type RefundNotice } from '@eep/core/ports'
import type { Stripe } from 'stripe'
import { isOurPage } from './checkout.ts'
import { MARK, type StripeContext } from './settlement.ts'
import { readIntent } from './stripe-api.ts'

const ABOUT_REFUNDS = new Set(['charge.refunded', 'refund.created', 'refund.updated', 'refund.failed'])
const GIVES_NOTHING = new Set(['failed', 'canceled'])

/** Returns the sum of refunds, without those that failed, in the smallest unit of their currency. */
export const refundedBy = (refunds: readonly Stripe.Refund[]): number =>
  refunds.reduce((sum, { status, amount }) => (GIVES_NOTHING.has(status ?? '') ? sum : sum + amount), 0)

/** Returns the id of an object of Stripe, which events contain as a whole or by its id. */
export const idOf = (thing: unknown): string | undefined => {
  const id = typeof thing === 'object' && thing !== null ? (thing as { id?: unknown }).id : thing
  return typeof id === 'string' ? id : undefined
}

/** Returns the credential of a PaymentIntent. Undefined when this rail did not create it. */
export async function credentialOf(
  { stripe }: StripeContext,
  { id, metadata }: Stripe.PaymentIntent,
): Promise<string | undefined> {
  if (metadata[MARK] !== undefined) return metadata[MARK]
  // Payments on checkout pages have no separate mark.
  const { data } = await stripe.checkout.sessions.list({ payment_intent: id, limit: 1 })
  return data.find(isOurPage)?.id
}

/**
 * Returns the fully refunded payment of a refund event, or the payment whose refund failed. The state is read from Stripe, not
 * from the event.
 *
 * @throws `settlement_pending` when Stripe is unreachable
 */
export async function refundNotice(
  context: StripeContext,
  { type, data }: Stripe.Event,
): Promise<RefundNotice | undefined> {
  const id = ABOUT_REFUNDS.has(type) ? idOf((data.object as { payment_intent?: unknown }).payment_intent) : undefined
  if (id === undefined) return undefined
  const { stripe, apiVersion } = context
  try {
    const intent = await stripe.paymentIntents.retrieve(id, {}, { apiVersion })
    const { data: all } = await stripe.refunds.list({ payment_intent: id, limit: 100 })
    const last = all.find(({ status }) => !GIVES_NOTHING.has(status ?? ''))
    const isWhole = last !== undefined && refundedBy(all) >= readIntent(intent).received
    const failed = all.find(({ id, status }) => id === idOf(data.object) && GIVES_NOTHING.has(status ?? ''))
    const notice = isWhole ? { reference: last.id } : failed && { reference: failed.id, failed: true }
    const credentialId = notice && (await credentialOf(context, intent))
    return notice && credentialId !== undefined ? { credentialId, ...notice } : undefined
  } catch (cause) {
    throw paymentUnknown({ cause })
  }
}
