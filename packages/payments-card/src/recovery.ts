import {
  type CardTokenCredential,
  type Checkpoint,
  type Purchase,
  paymentRefused,
  paymentUnknown,
  type Settlement,
} from '@eep/core/ports'
import { Stripe } from 'stripe'
import { charge, fail, MARK, type StripeContext, settleIntent } from './settlement.ts'
import { failureOf, type Intent, REFUSED, readIntent } from './stripe-api.ts'

/** Stripe stores idempotency keys at least this long. */
const KEY_LIFE_MS = 23 * 3_600_000
/** After this time an earlier call has ended, and the search index of Stripe contains its result. */
const CALM_MS = 10 * 60_000

function ageOf({ now }: Pick<StripeContext, 'now'>, checkpoint: Checkpoint): number {
  const { at } = (checkpoint ?? {}) as { at?: string }
  return now().getTime() - new Date(at ?? 0).getTime()
}

/** Whether a credential of which Stripe has no record is refused, because repeating the call could charge it twice. */
export const isPastRecovery = (context: Pick<StripeContext, 'now'>, checkpoint: Checkpoint): boolean =>
  ageOf(context, checkpoint) > KEY_LIFE_MS

/** Returns the current PaymentIntent of a credential. */
export async function findIntent(
  { stripe, apiVersion }: StripeContext,
  { id }: CardTokenCredential,
): Promise<Intent | undefined> {
  const { data } = await stripe.paymentIntents.search({ query: `metadata['${MARK}']:'${id}'` }, { apiVersion })
  const [found] = data.filter(({ metadata }) => metadata[MARK] === id)
  return found && readIntent(await stripe.paymentIntents.retrieve(found.id, {}, { apiVersion }))
}

/** Whether a token was never charged. */
async function isUntouched(
  { stripe, apiVersion, keys }: StripeContext,
  { proof }: CardTokenCredential,
): Promise<boolean> {
  const token = keys.open(proof.token) ?? ''
  const path = `/v1/shared_payment/granted_tokens/${encodeURIComponent(token)}`
  const answer: unknown = await stripe.rawRequest('GET', path, undefined, { apiVersion }).catch((error: unknown) => {
    const isMissing = error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing'
    if (isMissing) return { object: 'shared_payment.granted_token' }
    throw error
  })
  const { object, usage_details: usage } = answer as {
    object?: unknown
    usage_details?: { amount_captured?: { value?: unknown } | null } | null
  }
  return object === 'shared_payment.granted_token' && (usage?.amount_captured?.value ?? 0) === 0
}

/**
 * Determines the outcome of a credential from the records of Stripe. Without a record, the same call is repeated, which
 * Stripe returns the result of the first call, or carries out if that never arrived.
 */
export async function recoverToken(
  context: StripeContext,
  credential: CardTokenCredential,
  purchase: Purchase,
  checkpoint: Checkpoint,
): Promise<Settlement> {
  const age = ageOf(context, checkpoint)
  const known = await findIntent(context, credential).catch((cause) => {
    throw paymentUnknown({ cause })
  })
  if (known) return settleIntent(context, known, purchase)
  if (isPastRecovery(context, checkpoint)) throw paymentRefused(REFUSED)
  let intent: Intent
  try {
    intent = await charge(context, credential, purchase)
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError) fail(error)
    // A refused repetition does not reveal the outcome of the first call, unless the token was never charged.
    const isAboutToken = failureOf(error).is === 'refused' && !(error instanceof Stripe.errors.StripeIdempotencyError)
    const mayBeOver = isAboutToken || (age > CALM_MS && failureOf(error).is !== 'unavailable')
    if (mayBeOver && (await isUntouched(context, credential).catch(() => false))) throw paymentRefused(REFUSED)
    throw paymentUnknown({ cause: error })
  }
  // A replayed response has the state of the first call.
  const { stripe, apiVersion } = context
  const current = await stripe.paymentIntents
    .retrieve(intent.id, {}, { apiVersion })
    .then(readIntent)
    .catch((cause) => {
      throw paymentUnknown({ cause })
    })
  return settleIntent(context, current, purchase)
}
