import { billingDeclined, billingFailed, billingUnavailable, isEepError } from '@eep/core/ports'
import { Stripe } from 'stripe'
import { failureOf } from './stripe-api.ts'

const { StripeInvalidRequestError } = Stripe.errors

/** Whether Stripe understood a call and refused it. */
export const isRefused = (error: unknown): error is InstanceType<typeof StripeInvalidRequestError> =>
  error instanceof StripeInvalidRequestError && error.code !== 'parameter_unknown'

/** Whether the object exists only in the other mode (test or live), which this key cannot access. */
const isOfOtherMode = (error: unknown): boolean => isRefused(error) && /\ba similar object exists\b/.test(error.message)

/** Whether no object has this id. */
export const isMissing = (error: unknown): boolean =>
  isRefused(error) && error.code === 'resource_missing' && !isOfOtherMode(error)

/**
 * Calls Stripe, and hides its error messages from clients.
 *
 * @throws `plan_payment_declined`, `billing_unavailable` for a configuration error of the host, `billing_failed` for all other errors
 */
export async function asked<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (isEepError(error) && error.code === billingDeclined.code) throw error
    const cause = isEepError(error) ? error.cause : error
    const isOurs = failureOf(cause).is === 'unavailable' || isOfOtherMode(cause)
    throw isOurs ? billingUnavailable({ cause }) : billingFailed({ cause })
  }
}

/** Returns the parsed response. Throws for an unexpected response. */
export function expectObject<Answer extends { readonly id: string; readonly object: string }>(
  answer: Answer,
  object: Answer['object'],
): Answer {
  const { id, object: kind } = answer as { id?: unknown; object?: unknown }
  if (kind !== object || typeof id !== 'string') throw new Error(`Stripe returned an object that is not a ${object}`)
  return answer
}

/** Returns the id of an object that Stripe may have expanded. */
export const idOf = (thing: string | { readonly id: string } | null | undefined): string | undefined =>
  typeof thing === 'string' ? thing : thing?.id
