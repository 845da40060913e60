import { Stripe } from 'stripe'
import { digest } from './credential.ts'
import { tellable } from './stripe-api.ts'

/** What the port asks for when money goes back. */
interface RefundRequest {
  /** The PaymentIntent. */
  readonly reference: string
  readonly key: string
}

const isAlreadyBack = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'charge_already_refunded'

/**
 * Gives a whole payment back, once for each key and once for each payment: what went back before, by whomever, is found.
 *
 * @throws `rail_unavailable` when our key may not; what else Stripe says as it is, and then it may be asked again
 */
export async function refundIntent(stripe: Stripe, { reference, key }: RefundRequest) {
  const idempotencyKey = `eep_${digest(`refund ${key}`)}`
  try {
    const refund = await stripe.refunds.create({ payment_intent: reference }, { idempotencyKey })
    if (refund.object !== 'refund' || refund.status === 'failed' || refund.status === 'canceled') {
      throw new Error(`Stripe did not give ${reference} back: ${refund.failure_reason ?? refund.status}`)
    }
    return { reference: refund.id }
  } catch (error) {
    if (!isAlreadyBack(error)) throw tellable(error)
    const { data } = await stripe.refunds.list({ payment_intent: reference, limit: 1 })
    return { reference: data[0]?.id ?? reference }
  }
}
