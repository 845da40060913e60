import { type DisputeNotice, paymentUnknown } from '@eep/core/ports'
import type { Stripe } from 'stripe'
import { credentialOf, idOf, refundedBy } from './refund-notice.ts'
import type { StripeContext } from './settlement.ts'
import { readIntent } from './stripe-api.ts'

type DisputeEvent = Extract<Stripe.Event, { readonly type: `charge.dispute.${string}` }>

/**
 * What a status means, whichever event reports it. Other statuses change nothing: inquiries (`warning_…`) move no money, and an
 * unknown status must not suspend access that no later message resumes. A dispute that was prevented takes no money by itself: if the
 * payment was refunded instead, that is reported as a refund.
 *
 * @see https://docs.stripe.com/api/disputes/object#dispute_object-status
 */
const STATES: ReadonlyMap<string, DisputeNotice['state']> = new Map([
  ['needs_response', 'opened'],
  ['under_review', 'opened'],
  ['appeal_needs_response', 'opened'],
  ['appeal_under_review', 'opened'],
  ['won', 'won'],
  ['prevented', 'won'],
  ['lost', 'lost'],
])

const isAboutDispute = (event: Stripe.Event): event is DisputeEvent => event.type.startsWith('charge.dispute.')

/** Whether Stripe has no such payment: it is of another account. */
const isMissing = (error: unknown): boolean =>
  (error as { readonly code?: unknown } | null)?.code === 'resource_missing'

const isAppeal = (status: string): boolean => status.startsWith('appeal_')

/**
 * Whether nothing remains of a payment without the disputed amount, refunds and other lost disputes. Amounts of different currencies cannot
 * be compared: then true.
 */
async function isWhole(
  { stripe }: StripeContext,
  { id: disputeId, amount, currency }: Stripe.Dispute,
  intent: Stripe.PaymentIntent,
): Promise<boolean> {
  const { id, received, currency: paidIn } = readIntent(intent)
  if (currency !== paidIn || amount >= received) return true
  const { data: refunds } = await stripe.refunds.list({ payment_intent: id, limit: 100 })
  const { data: disputes } = await stripe.disputes.list({ payment_intent: id, limit: 100 })
  const lost = disputes.filter((other) => other.id !== disputeId && other.status === 'lost')
  const taken = lost.reduce((sum, other) => sum + other.amount, amount)
  return taken + refundedBy(refunds) >= received
}

/**
 * Returns the disputed payment of an event. Undefined when this rail did not create it.
 *
 * @throws `settlement_pending` when Stripe is unreachable
 */
export async function disputeNotice(context: StripeContext, event: Stripe.Event): Promise<DisputeNotice | undefined> {
  if (!isAboutDispute(event)) return undefined
  const dispute = event.data.object
  const state = STATES.get(dispute.status)
  const intentId = idOf(dispute.payment_intent)
  if (state === undefined || intentId === undefined) return undefined
  const { stripe, apiVersion } = context
  try {
    const intent = await stripe.paymentIntents.retrieve(intentId, {}, { apiVersion })
    const credentialId = await credentialOf(context, intent)
    if (credentialId === undefined) return undefined
    return {
      credentialId,
      reference: dispute.id,
      state,
      isAppeal: isAppeal(dispute.status),
      at: new Date(event.created * 1_000),
      isWhole: await isWhole(context, dispute, intent),
    }
  } catch (cause) {
    if (isMissing(cause)) return undefined
    throw paymentUnknown({ cause })
  }
}
