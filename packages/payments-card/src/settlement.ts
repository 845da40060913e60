import {
  type Checkpoint,
  formatPaymentReceipt,
  type Purchase,
  paymentRefused,
  paymentUnknown,
  railUnavailable,
  type Settlement,
} from '@eep/core/ports'
import { Stripe } from 'stripe'
import { challengeOf, digest, type TokenCredential } from './credential.ts'
import { decimalOf } from './currency.ts'
import type { RailKeys } from './keys.ts'
import { type Market, METHOD, type Terms, termsOf } from './offer.ts'
import { ACTION_REQUIRED, failureOf, type Intent, REFUSED, readIntent } from './stripe-api.ts'

/** Everything that takes money by tokens needs. */
export interface Teller {
  readonly stripe: Stripe
  readonly apiVersion: string
  readonly tokenParameter: 'shared_payment_granted_token' | 'payment_method_data'
  readonly market: Market
  readonly keys: RailKeys
  readonly now: () => Date
}

/** Stripe remembers what a key was used for at least this long. */
const KEY_LIFE_MS = 23 * 3_600_000
/** After this time a call of ours that is still under way has ended, and the search has found what it made. */
const CALM_MS = 10 * 60_000

/** Where the money of a payment is found by whoever looks for it at Stripe. */
const MARK = 'eep_credential'

const expected = ({ market }: Teller, purchase: Purchase): Terms => {
  const terms = termsOf(market, purchase)
  if (!terms) throw paymentUnknown({ cause: new Error('the price cannot be charged any more as it was claimed') })
  return terms
}

/** What moved, from a PaymentIntent that has succeeded. */
export function settlementOf({ market, keys }: Pick<Teller, 'market' | 'keys'>, intent: Intent): Settlement {
  const { id, createdAt, currency } = intent
  const timestamp = createdAt.toISOString()
  return {
    reference: id,
    network: market.network,
    amount: {
      atomic: `${intent.received}`,
      decimal: decimalOf(BigInt(intent.received), currency),
      asset: currency,
      currency,
    },
    // A card has no wallet: its payment gets one, which nobody can guess who does not hold our secret.
    payer: { wallet: `card_${keys.name(id)}`, network: market.network },
    settledAt: createdAt,
    headers: {
      'Payment-Receipt': formatPaymentReceipt({ method: METHOD, reference: id, status: 'success', timestamp }),
    },
  }
}

/** Ends an intent that only a person could go on with, so that nobody ever does. */
async function giveUp(teller: Teller, { id }: Intent, reason: string): Promise<never> {
  const { stripe, apiVersion } = teller
  const ended = await stripe.paymentIntents
    .cancel(id, {}, { apiVersion })
    .catch(() => stripe.paymentIntents.retrieve(id, {}, { apiVersion }))
  if (readIntent(ended).status === 'canceled') throw paymentRefused(reason)
  throw paymentUnknown()
}

/** What an intent that was made for a purchase says about its money. */
async function conclude(teller: Teller, intent: Intent, purchase: Purchase): Promise<Settlement> {
  const { amount, currency } = expected(teller, purchase)
  switch (intent.status) {
    case 'succeeded':
      if (BigInt(intent.received) !== amount || intent.currency !== currency) {
        throw paymentUnknown({ cause: new Error(`Stripe says ${intent.received} ${intent.currency} of ${intent.id}`) })
      }
      return settlementOf(teller, intent)
    case 'canceled':
      throw paymentRefused(REFUSED)
    case 'requires_action':
      return giveUp(teller, intent, ACTION_REQUIRED)
    case 'requires_payment_method':
    case 'requires_confirmation':
      return giveUp(teller, intent, REFUSED)
    default:
      throw paymentUnknown()
  }
}

/** The one call that takes money. Repeated with the same credential it is the same call to Stripe. */
async function charge(teller: Teller, credential: TokenCredential, purchase: Purchase): Promise<Intent> {
  const { amount, currency } = expected(teller, purchase)
  const { proof, id } = credential
  const token = teller.keys.open(proof.token)
  if (token === undefined) throw paymentUnknown({ cause: new Error('the token was sealed by another secret') })
  const challenge = challengeOf(proof)
  const parameters = {
    amount: Number(amount),
    currency,
    confirm: true,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    metadata: { [MARK]: id, eep_seller: purchase.sellerDid, eep_resource: purchase.resource, eep_tier: purchase.tier },
    ...(teller.tokenParameter === 'payment_method_data'
      ? { payment_method_data: { shared_payment_granted_token: token } }
      : { shared_payment_granted_token: token }),
  }
  // By the challenge, so that it is answered once whatever tokens come for it; by the token where there is none.
  const idempotencyKey = `eep_${digest(challenge ? `challenge ${challenge.id}` : `token ${token}`)}`
  const { apiVersion } = teller
  // The parameters of shared tokens are a preview that the types of the library do not have.
  return readIntent(
    await teller.stripe.paymentIntents.create(parameters as unknown as Stripe.PaymentIntentCreateParams, {
      idempotencyKey,
      apiVersion,
    }),
  )
}

function fail(error: unknown): never {
  const failure = failureOf(error)
  if (failure.is === 'refused') throw paymentRefused(failure.reason)
  if (failure.is === 'unavailable') throw railUnavailable({ cause: error })
  throw paymentUnknown({ cause: error })
}

/** Takes the money of a claimed credential. */
export async function settleToken(teller: Teller, credential: TokenCredential, purchase: Purchase) {
  const intent = await charge(teller, credential, purchase).catch(fail)
  return conclude(teller, intent, purchase)
}

/** The intent that was made for a credential, as it stands now. */
async function find({ stripe, apiVersion }: Teller, { id }: TokenCredential): Promise<Intent | undefined> {
  const { data } = await stripe.paymentIntents.search({ query: `metadata['${MARK}']:'${id}'` }, { apiVersion })
  const [found] = data.filter(({ metadata }) => metadata[MARK] === id)
  return found && readIntent(await stripe.paymentIntents.retrieve(found.id, {}, { apiVersion }))
}

/** Whether nothing was ever taken by a token. */
async function isUntouched({ stripe, apiVersion, keys }: Teller, { proof }: TokenCredential): Promise<boolean> {
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
 * Finds out what became of a credential. What Stripe has of it is the answer; else the same call is made again, which
 * Stripe answers with what came of the first one, or carries out when that never arrived.
 */
export async function recoverToken(
  teller: Teller,
  credential: TokenCredential,
  purchase: Purchase,
  checkpoint: Checkpoint,
): Promise<Settlement> {
  const { at } = (checkpoint ?? {}) as { at?: string }
  const age = teller.now().getTime() - new Date(at ?? 0).getTime()
  const known = await find(teller, credential).catch((cause) => {
    throw paymentUnknown({ cause })
  })
  if (known) return conclude(teller, known, purchase)
  if (age > KEY_LIFE_MS) throw paymentRefused(REFUSED)
  let intent: Intent
  try {
    intent = await charge(teller, credential, purchase)
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError) fail(error)
    // A refusal of the repeat says nothing about the first call, unless the token tells that nothing came of that.
    const isAboutToken = failureOf(error).is === 'refused' && !(error instanceof Stripe.errors.StripeIdempotencyError)
    const mayBeOver = isAboutToken || (age > CALM_MS && failureOf(error).is !== 'unavailable')
    if (mayBeOver && (await isUntouched(teller, credential).catch(() => false))) throw paymentRefused(REFUSED)
    throw paymentUnknown({ cause: error })
  }
  // An answer that is repeated tells how it was then.
  const { stripe, apiVersion } = teller
  const current = await stripe.paymentIntents
    .retrieve(intent.id, {}, { apiVersion })
    .then(readIntent)
    .catch((cause) => {
      throw paymentUnknown({ cause })
    })
  return conclude(teller, current, purchase)
}
