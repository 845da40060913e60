import { cardDigest, refundOfDisputed } from '@eep/core/ports'
import { Stripe } from 'stripe'
import { redactError } from './stripe-api.ts'

/** A refund request of the port. */
interface RefundRequest {
  /** The PaymentIntent. */
  readonly reference: string
  readonly key: string
}

const isAlreadyBack = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'charge_already_refunded'

const isDisputed = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'charge_disputed'

/** Whether Stripe replayed the result of an earlier attempt, which has therefore ended. */
const isRepeated = (headers: Readonly<Record<string, string>> | undefined): boolean =>
  headers?.['idempotent-replayed'] === 'true'

/** Whether Stripe reports that the refund failed. */
export class RefundFailed extends Error {}

export const gaveNothing = ({ status }: Stripe.Refund): boolean => status === 'failed' || status === 'canceled'

/** The result of one call: the refund or the reason of its failure, and whether it was replayed. */
type Outcome = { readonly refund: string } | { readonly error: unknown; readonly isOld: boolean }

async function ask(stripe: Stripe, reference: string, idempotencyKey: string): Promise<Outcome> {
  try {
    const refund = await stripe.refunds.create({ payment_intent: reference }, { idempotencyKey })
    if (refund.object === 'refund' && !gaveNothing(refund)) return { refund: refund.id }
    const error = new RefundFailed(`Stripe did not refund ${reference}: ${refund.failure_reason ?? refund.status}`)
    return { error, isOld: isRepeated(refund.lastResponse.headers) }
  } catch (error) {
    if (!isAlreadyBack(error)) {
      return { error, isOld: error instanceof Stripe.errors.StripeError && isRepeated(error.headers) }
    }
    const { data } = await stripe.refunds.list({ payment_intent: reference, limit: 10 })
    return { refund: data.find((refund) => !gaveNothing(refund))?.id ?? reference }
  }
}

/** The number of retries of a failed refund before its idempotency keys expire after a day. */
const TRIES = 20

/**
 * Refunds a whole payment, once for each key and once for each payment: existing refunds are found.
 * A definite failure is retried with a new idempotency key; an unknown outcome is retried
 * with the same key. Stripe never refunds a payment twice, whatever the key.
 *
 * @throws `payment_disputed` while the payer disputes the payment, unless Stripe refunds it; `rail_unavailable` when the API key has no permission; other errors of Stripe unchanged. The call may be repeated
 */
export async function refundIntent(stripe: Stripe, { reference, key }: RefundRequest) {
  let last: unknown
  for (let tried = 0; tried < TRIES; tried++) {
    const name = tried === 0 ? `refund ${key}` : `refund ${key} ${tried}`
    const outcome = await ask(stripe, reference, `eep_${cardDigest(name)}`)
    if ('refund' in outcome) return { reference: outcome.refund }
    last = outcome.error
    if (!outcome.isOld) break
  }
  if (isDisputed(last)) throw refundOfDisputed()
  throw redactError(last)
}
