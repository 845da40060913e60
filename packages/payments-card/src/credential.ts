import { createHash } from 'node:crypto'
import {
  type Credential,
  type CredentialHeaders,
  encodePaymentJson,
  type JsonObject,
  type PaymentChallenge,
  parsePaymentAuthorization,
  paymentRefused,
} from '@eep/core/ports'
import type { RailKeys } from './keys.ts'
import { INTENT, METHOD } from './offer.ts'

/** A payment by token as it is kept: the token is sealed, and the challenge is missing when it came alone. */
export interface TokenProof extends JsonObject {
  readonly by: 'token'
  readonly token: string
  readonly challenge: JsonObject | null
}

/** A payment on a page of Stripe's. */
export interface CheckoutProof extends JsonObject {
  readonly by: 'checkout'
  readonly session: string
}

/** What the buyer proves a card payment with: a token or a checkout page of Stripe. */
export type Proof = TokenProof | CheckoutProof
export type TokenCredential = Credential<Proof> & { readonly proof: TokenProof }

export const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')

export const challengeOf = ({ challenge }: TokenProof): PaymentChallenge | null =>
  // The rail stored as JSON what it had read as a challenge.
  challenge as unknown as PaymentChallenge | null

/** Single-use tokens that are sent by email, for reading. */
export interface TokenReader {
  readonly keys: RailKeys
  readonly network: string
  readonly tokenPattern: RegExp
  readonly acceptRawToken: boolean
}

function credentialOf(
  { keys, network }: TokenReader,
  token: string,
  challenge: PaymentChallenge | null,
): Credential<Proof> {
  const expires = challenge?.expires === undefined ? undefined : new Date(challenge.expires)
  if (expires && Number.isNaN(expires.getTime())) throw paymentRefused('malformed_credential')
  return {
    // A token pays once, with whatever challenge it comes; a challenge pays once because Stripe is asked by its id.
    id: digest(`token ${token}`),
    fingerprint: digest(encodePaymentJson([token, challenge])),
    expiresAt: expires,
    payer: { network },
    proof: { by: 'token', token: keys.seal(token), challenge: challenge as JsonObject | null },
  }
}

function readField(reader: TokenReader, headers: CredentialHeaders, field: 'authorization' | 'paymentAuthorization') {
  const found = parsePaymentAuthorization(headers[field])
  if (!found || found.is === 'malformed') return undefined
  if (found.is === 'token') {
    if (!reader.tokenPattern.test(found.token)) return undefined
    if (!reader.acceptRawToken) throw paymentRefused('malformed_credential')
    return credentialOf(reader, found.token, null)
  }
  const { challenge, payload } = found
  if (challenge.method !== METHOD || challenge.intent !== INTENT) return undefined
  const named = challenge.header?.toLowerCase() === 'payment-authorization' ? 'paymentAuthorization' : 'authorization'
  if (named !== field) throw paymentRefused('malformed_credential')
  const { spt } = payload
  if (typeof spt !== 'string' || !reader.tokenPattern.test(spt)) throw paymentRefused('invalid_payload')
  return credentialOf(reader, spt, challenge)
}

/** The credential of a request, in either field and either form; undefined when there is none for Stripe. */
export const readCredential = (reader: TokenReader, headers: CredentialHeaders): Credential<Proof> | undefined =>
  readField(reader, headers, 'paymentAuthorization') ?? readField(reader, headers, 'authorization')
