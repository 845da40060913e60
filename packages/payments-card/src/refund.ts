import { Stripe } from 'stripe'
import { digest } from './credential.ts'
import { redactError } from './stripe-api.ts'

/** What the port asks for when money goes back. */
interface RefundRequest {
  /** The PaymentIntent. */
  readonly reference: string
  readonly key: string
}

const isAlreadyBack = (error: unknown): boolean =>
  error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'charge_already_refunded'

/** Whether Stripe repeats what it said to an earlier try of ours, which is over therefore. */
const isRepeated = (headers: Readonly<Record<string, string>> | undefined): boolean =>
  headers?.['idempotent-replayed'] === 'true'

/** Stripe has tried and says that nothing went back. */
export class RefundFailed extends Error {}

const gaveNothing = ({ status }: Stripe.Refund): boolean => status === 'failed' || status === 'canceled'

/** What came of one call: the refund, or why there is none, and whether that was so before. */
type Outcome = { readonly refund: string } | { readonly error: unknown; readonly isOld: boolean }

async function ask(stripe: Stripe, reference: string, idempotencyKey: string): Promise<Outcome> {
  try {
    const refund = await stripe.refunds.create({ payment_intent: reference }, { idempotencyKey })
    if (refund.object === 'refund' && !gaveNothing(refund)) return { refund: refund.id }
    const error = new RefundFailed(`Stripe did not give ${reference} back: ${refund.failure_reason ?? refund.status}`)
    return { error, isOld: isRepeated(refund.lastResponse.headers) }
  } catch (error) {
    if (!isAlreadyBack(error)) {
      return { error, isOld: error instanceof Stripe.errors.StripeError && isRepeated(error.headers) }
    }
    const { data } = await stripe.refunds.list({ payment_intent: reference, limit: 10 })
    return { refund: data.find((refund) => !gaveNothing(refund))?.id ?? reference }
  }
}

/** How often a refund that failed is tried again before its keys expire, after a day. */
const TRIES = 20

/**
 * Refunds a whole payment, once for each key and once for each payment: existing refunds are found.
 * A definite failure is followed by another attempt with a new key; an unknown outcome is repeated
 * under the same. Stripe gives no payment back twice, whatever the key.
 *
 * @throws `rail_unavailable` when our key may not; what else Stripe says as it is, and then it may be asked again
 */
export async function refundIntent(stripe: Stripe, { reference, key }: RefundRequest) {
  let last: unknown
  for (let tried = 0; tried < TRIES; tried++) {
    const name = tried === 0 ? `refund ${key}` : `refund ${key} ${tried}`
    const outcome = await ask(stripe, reference, `eep_${digest(name)}`)
    if ('refund' in outcome) return { reference: outcome.refund }
    last = outcome.error
    if (!outcome.isOld) break
  }
  throw redactError(last)
}
