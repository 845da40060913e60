import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../../kernel/json.ts'
import type { ChallengeContext, Purchase } from '../payment-rail.ts'
import { encodePaymentJson, type PaymentChallenge } from '../payment-scheme.ts'
import { chargeable } from './currency.ts'
import type { CardKeys } from './keys.ts'

/** The method of the scheme `Payment`: its tokens have the form of those of Stripe. */
export const METHOD = 'stripe'
export const INTENT = 'charge'

/** The settings of offers. */
export interface CardOfferSettings {
  /** `stripe:test`, `stripe:live` or `sandbox:card`. */
  readonly network: string
  /** Whom buyers make their tokens for: the profile of the seller at Stripe. */
  readonly networkId: string
  readonly currencies: readonly string[]
  readonly paymentMethodTypes: readonly string[]
  readonly challengeSeconds: number
}

/** A price in the smallest unit of its currency. */
export interface CardTerms {
  readonly amount: bigint
  readonly currency: string
}

/** Returns the price of a purchase. Undefined when cards cannot pay it. */
export function termsOf({ currencies }: CardOfferSettings, { price }: Purchase): CardTerms | undefined {
  const amount = currencies.includes(price.currency) ? chargeable(price.amount, price.currency) : undefined
  return amount === undefined ? undefined : { amount, currency: price.currency }
}

/** Builds the entry of `accepts[]` with the price and a reference to its challenge. */
export const acceptEntry = (accepted: CardOfferSettings, { amount, currency }: CardTerms): JsonObject => ({
  scheme: 'stripe-mpp',
  network: accepted.network,
  asset: currency,
  amount: amount.toString(),
  payTo: accepted.networkId,
  maxTimeoutSeconds: accepted.challengeSeconds,
  extra: { challengeHeader: 'WWW-Authenticate', scheme: 'Payment', method: METHOD, intent: INTENT },
})

const requestOf = ({ networkId, paymentMethodTypes }: CardOfferSettings, { amount, currency }: CardTerms) =>
  encodePaymentJson({
    amount: amount.toString(),
    currency,
    methodDetails: { networkId, paymentMethodTypes },
  })

/** The signed text of a purchase. It is not sent; a credential for another page has another text. */
const coordinatesOf = ({ profileId, resource, tier, per }: Purchase) => [profileId, resource, tier, per]

const signedText = (nonce: string, challenge: Omit<PaymentChallenge, 'id'>, purchase: Purchase): string => {
  const { realm, method, intent, request, expires, digest, opaque, header, description } = challenge
  const parameters = [realm, method, intent, request, expires, digest, opaque, header, description]
  return JSON.stringify(['v1', nonce, ...parameters.map((one) => one ?? null), ...coordinatesOf(purchase)])
}

const TIME_BYTES = 6
const RANDOM_BYTES = 15

/** The part of an id that makes a challenge unique. It starts with the time, so that the credential carries it back. */
function makeNonce(madeAt: number): string {
  const time = Buffer.alloc(TIME_BYTES)
  time.writeUIntBE(madeAt, 0, TIME_BYTES)
  return Buffer.concat([time, randomBytes(RANDOM_BYTES)]).toString('base64url')
}

/** Returns when a challenge was made, to be trusted once its signature is verified. Undefined for an id of another form. */
export function madeAtOf({ id }: Pick<PaymentChallenge, 'id'>): Date | undefined {
  const nonce = Buffer.from(id.split('.', 1)[0] ?? '', 'base64url')
  return nonce.length === TIME_BYTES + RANDOM_BYTES ? new Date(nonce.readUIntBE(0, TIME_BYTES)) : undefined
}

/**
 * Creates signed challenges for one purchase, each unique and with an expiry. Every 402 has a new
 * challenge, so their common parts are computed once.
 */
export function challengeMaker(
  keys: CardKeys,
  accepted: CardOfferSettings,
  terms: CardTerms,
  purchase: Purchase,
  now: () => Date,
) {
  const { hostname: realm } = new URL(purchase.shown.url)
  const content = purchase.bound?.digest ?? null
  const fixed = {
    realm,
    method: METHOD,
    intent: INTENT,
    request: requestOf(accepted, terms),
    ...(content !== null && { digest: writeDigest(content) }),
  }
  return ({ field }: ChallengeContext): PaymentChallenge & Readonly<Record<string, string>> => {
    const madeAt = now().getTime()
    const nonce = makeNonce(madeAt)
    const expires = new Date(madeAt + accepted.challengeSeconds * 1000).toISOString()
    const challenge = { ...fixed, expires, ...(field === 'Authorization' ? {} : { header: field }) }
    return { id: `${nonce}.${keys.sign(signedText(nonce, challenge, purchase))}`, ...challenge }
  }
}

/** The parameter `digest` of a challenge: a dictionary of `Content-Digest` (RFC 9530). */
const writeDigest = (content: string) => `sha-256=:${Buffer.from(content, 'base64url').toString('base64')}:`

/** Whether the digest of a challenge is that of the content; clients may write it without colons. A challenge without one is for any content. */
function isForContent({ digest }: Pick<PaymentChallenge, 'digest'>, { bound }: Purchase): boolean {
  if (digest === undefined) return true
  const [, named] = /^sha-256=:?([A-Za-z0-9+/_-]{43}=?):?$/.exec(digest) ?? []
  const content = bound?.digest ?? null
  return (
    named !== undefined && content !== null && Buffer.from(named, 'base64').equals(Buffer.from(content, 'base64url'))
  )
}

/** Whether a challenge was signed by this rail for this purchase at its current price. */
export function isChallengeFor(
  keys: CardKeys,
  accepted: CardOfferSettings,
  { id, ...challenge }: PaymentChallenge,
  purchase: Purchase,
): boolean {
  const terms = termsOf(accepted, purchase)
  const [nonce = '', signature = '', ...rest] = id.split('.')
  if (!terms || rest.length > 0 || challenge.request !== requestOf(accepted, terms)) return false
  if (!isForContent(challenge, purchase)) return false
  return keys.isSigned(signedText(nonce, challenge, purchase), signature)
}
