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
import { INTENT, METHOD, madeAtOf } from './offer.ts'

/** A stored payment by token. The token is encrypted, and the challenge is absent when the token came alone. */
export interface TokenProof extends JsonObject {
  readonly by: 'token'
  readonly token: string
  readonly challenge: JsonObject | null
}

/** A payment on a Stripe Checkout page. */
export interface CheckoutProof extends JsonObject {
  readonly by: 'checkout'
  readonly session: string
}

/** The proof of a card payment: a token or a checkout page of Stripe. */
export type Proof = TokenProof | CheckoutProof
export type TokenCredential = Credential<Proof> & { readonly proof: TokenProof }

export const digest = (text: string): string => createHash('sha256').update(text).digest('base64url')

export const challengeOf = ({ challenge }: TokenProof): PaymentChallenge | null =>
  // The rail stored a parsed challenge as JSON.
  challenge as unknown as PaymentChallenge | null

/** The dependencies to parse credentials. */
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
  if (challenge?.expires !== undefined && Number.isNaN(Date.parse(challenge.expires))) {
    throw paymentRefused('malformed_credential')
  }
  // Without `expiresAt`: a token is never public, so a settled credential proves its payer at any time.
  return {
    // A token pays once, whatever its challenge. A challenge pays once because its id is the idempotency key at Stripe.
    id: digest(`token ${token}`),
    fingerprint: digest(encodePaymentJson([token, challenge])),
    offeredAt: challenge === null ? null : madeAtOf(challenge),
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

/** Returns the credential of a request from either header in either form. Undefined when there is none for Stripe. */
export const readCredential = (reader: TokenReader, headers: CredentialHeaders): Credential<Proof> | undefined =>
  readField(reader, headers, 'paymentAuthorization') ?? readField(reader, headers, 'authorization')
