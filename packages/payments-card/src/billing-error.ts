import { billingFailed, billingUnavailable, isEepError } from '@eep/core/ports'
import { Stripe } from 'stripe'
import { failureOf } from './stripe-api.ts'

const { StripeInvalidRequestError } = Stripe.errors

/** Stripe has understood a call and does not do it. */
export const isRefused = (error: unknown): error is InstanceType<typeof StripeInvalidRequestError> =>
  error instanceof StripeInvalidRequestError && error.code !== 'parameter_unknown'

/** The object exists in the other mode, test or live, and this key cannot see it. */
const isOfOtherMode = (error: unknown): boolean => isRefused(error) && /\ba similar object exists\b/.test(error.message)

/** There is nothing of this id. */
export const isMissing = (error: unknown): boolean =>
  isRefused(error) && error.code === 'resource_missing' && !isOfOtherMode(error)

/**
 * Calls Stripe, and hides its error messages from clients.
 *
 * @throws `billing_unavailable` when the fault is ours, `billing_failed` whatever else happens
 */
export async function asked<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    const cause = isEepError(error) ? error.cause : error
    const isOurs = failureOf(cause).is === 'unavailable' || isOfOtherMode(cause)
    throw isOurs ? billingUnavailable({ cause }) : billingFailed({ cause })
  }
}

/** The parsed response; unexpected responses are errors. */
export function expectObject<Answer extends { readonly id: string; readonly object: string }>(
  answer: Answer,
  object: Answer['object'],
): Answer {
  const { id, object: kind } = answer as { id?: unknown; object?: unknown }
  if (kind !== object || typeof id !== 'string') throw new Error(`Stripe answered with something else than a ${object}`)
  return answer
}

/** The id of a thing that Stripe shows whole or by its id. */
export const idOf = (thing: string | { readonly id: string } | null | undefined): string | undefined =>
  typeof thing === 'string' ? thing : thing?.id
