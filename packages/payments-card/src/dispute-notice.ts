import { type DisputeNotice, paymentUnknown } from '@eep/core/ports'
import type { Stripe } from 'stripe'
import { credentialOf, idOf } from './refund-notice.ts'
import type { StripeContext } from './settlement.ts'

const STATES: Readonly<Record<string, DisputeNotice['state']>> = { won: 'won', lost: 'lost' }

/** Returns the dispute that an event is about. Undefined for other events, and for inquiries, which move no money. */
function disputeIn({
  type,
  data,
}: Stripe.Event): { readonly dispute: Stripe.Dispute; readonly state: DisputeNotice['state'] } | undefined {
  if (type !== 'charge.dispute.created' && type !== 'charge.dispute.closed') return undefined
  const dispute = data.object
  if (dispute.status.startsWith('warning_')) return undefined
  const state = type === 'charge.dispute.created' ? 'opened' : STATES[dispute.status]
  return state && { dispute, state }
}

/** Whether Stripe has no such payment: it is of another account. */
const isMissing = (error: unknown): boolean =>
  (error as { readonly code?: unknown } | null)?.code === 'resource_missing'

/**
 * Returns the disputed payment of an event. Undefined when this rail did not create it.
 *
 * @throws `settlement_pending` when Stripe is unreachable
 */
export async function disputeNotice(context: StripeContext, event: Stripe.Event): Promise<DisputeNotice | undefined> {
  const found = disputeIn(event)
  const intentId = idOf(found?.dispute.payment_intent)
  if (!found || intentId === undefined) return undefined
  const { stripe, apiVersion } = context
  try {
    const intent = await stripe.paymentIntents.retrieve(intentId, {}, { apiVersion })
    const credentialId = await credentialOf(context, intent)
    return credentialId === undefined ? undefined : { credentialId, reference: found.dispute.id, state: found.state }
  } catch (cause) {
    if (isMissing(cause)) return undefined
    throw paymentUnknown({ cause })
  }
}
