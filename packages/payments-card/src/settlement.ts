import {
  type CardKeys,
  type CardPayments,
  type CardTerms,
  type CardTokenCredential,
  cardChallengeOf,
  cardDigest,
  type Purchase,
  paymentRefused,
  paymentUnknown,
  railUnavailable,
  type Settlement,
} from '@eep/core/ports'
import type { Stripe } from 'stripe'
import { ACTION_REQUIRED, failureOf, type Intent, REFUSED, readIntent } from './stripe-api.ts'

/** The dependencies of settlements by token. */
export interface StripeContext {
  readonly stripe: Stripe
  readonly apiVersion: string
  readonly tokenParameter: 'shared_payment_granted_token' | 'payment_method_data'
  readonly cards: CardPayments
  readonly paymentMethodTypes: readonly string[]
  readonly keys: CardKeys
  readonly now: () => Date
}

/** The metadata with which a payment is found at Stripe. */
export const MARK = 'eep_credential'

/** Stripe refuses longer values of metadata. */
const MAX_METADATA = 500

/** The metadata with which a seller finds a sale at Stripe. */
export const metadataOf = ({ sellerDid, resource, tier }: Purchase) => ({
  eep_seller: sellerDid,
  eep_resource: resource.slice(0, MAX_METADATA),
  eep_tier: tier,
})

const expected = ({ cards }: StripeContext, purchase: Purchase): CardTerms => {
  const terms = cards.termsOf(purchase)
  if (!terms) throw paymentUnknown({ cause: new Error('the claimed price can no longer be charged') })
  return terms
}

/** Returns the settlement of a succeeded PaymentIntent. */
export const settlementOf = (
  { cards }: Pick<StripeContext, 'cards'>,
  { id: reference, received, currency, createdAt: takenAt }: Intent,
): Settlement => cards.settlementOf({ reference, amount: BigInt(received), currency, takenAt })

/** Cancels an intent that requires an action of a person. */
async function giveUp(context: StripeContext, { id }: Intent, reason: string): Promise<never> {
  const { stripe, apiVersion } = context
  const ended = await stripe.paymentIntents
    .cancel(id, {}, { apiVersion })
    .catch(() => stripe.paymentIntents.retrieve(id, {}, { apiVersion }))
  if (readIntent(ended).status === 'canceled') throw paymentRefused(reason)
  throw paymentUnknown()
}

/** Returns the outcome of a PaymentIntent for a purchase. */
export async function settleIntent(context: StripeContext, intent: Intent, purchase: Purchase): Promise<Settlement> {
  const { amount, currency } = expected(context, purchase)
  switch (intent.status) {
    case 'succeeded':
      if (BigInt(intent.received) !== amount || intent.currency !== currency) {
        throw paymentUnknown({
          cause: new Error(`Stripe reports ${intent.received} ${intent.currency} for ${intent.id}`),
        })
      }
      return settlementOf(context, intent)
    case 'canceled':
      throw paymentRefused(REFUSED)
    case 'requires_action':
      return giveUp(context, intent, ACTION_REQUIRED)
    case 'requires_payment_method':
    case 'requires_confirmation':
      return giveUp(context, intent, REFUSED)
    default:
      throw paymentUnknown()
  }
}

/** The only call that charges money. A repetition with the same credential is the same idempotent call to Stripe. */
export async function charge(
  context: StripeContext,
  credential: CardTokenCredential,
  purchase: Purchase,
): Promise<Intent> {
  const { amount, currency } = expected(context, purchase)
  const { proof, id } = credential
  const token = context.keys.open(proof.token)
  if (token === undefined) throw paymentUnknown({ cause: new Error('the token was encrypted with another secret') })
  const challenge = cardChallengeOf(proof)
  const parameters = {
    amount: Number(amount),
    currency,
    confirm: true,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    metadata: { [MARK]: id, ...metadataOf(purchase) },
    ...(context.tokenParameter === 'payment_method_data'
      ? { payment_method_data: { shared_payment_granted_token: token } }
      : { shared_payment_granted_token: token }),
  }
  // The key is the challenge, so that it is paid once whatever the token, or the token if there is no challenge.
  const idempotencyKey = `eep_${cardDigest(challenge ? `challenge ${challenge.id}` : `token ${token}`)}`
  const { apiVersion } = context
  // The parameters of shared payment tokens are in preview and missing in the types of the library.
  return readIntent(
    await context.stripe.paymentIntents.create(parameters as unknown as Stripe.PaymentIntentCreateParams, {
      idempotencyKey,
      apiVersion,
    }),
  )
}

export function fail(error: unknown): never {
  const failure = failureOf(error)
  if (failure.is === 'refused') throw paymentRefused(failure.reason)
  if (failure.is === 'unavailable') throw railUnavailable({ cause: error })
  throw paymentUnknown({ cause: error })
}

/** Charges a claimed credential. */
export async function settleToken(context: StripeContext, credential: CardTokenCredential, purchase: Purchase) {
  const intent = await charge(context, credential, purchase).catch(fail)
  return settleIntent(context, intent, purchase)
}
