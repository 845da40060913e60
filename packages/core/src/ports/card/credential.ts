import { sha256 } from '../../kernel/digest.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { type Credential, type CredentialHeaders, paymentRefused } from '../payment-rail.ts'
import { encodePaymentJson, type PaymentChallenge, parsePaymentAuthorization } from '../payment-scheme.ts'
import type { CardKeys } from './keys.ts'
import { INTENT, METHOD, madeAtOf } from './offer.ts'

/** A stored payment by token. The token is encrypted, and the challenge is absent when the token came alone. */
export interface CardTokenProof extends JsonObject {
  readonly by: 'token'
  readonly token: string
  readonly challenge: JsonObject | null
}

/** A payment on a checkout page of the processor. */
export interface CardCheckoutProof extends JsonObject {
  readonly by: 'checkout'
  readonly session: string
}

/** The proof of a card payment: a token or a checkout page. */
export type CardProof = CardTokenProof | CardCheckoutProof

/** A credential with a token. */
export type CardTokenCredential = Credential<CardProof> & { readonly proof: CardTokenProof }

/** Whether a payment was made with a token. Others were made on a checkout page. */
export const isCardToken = (credential: Credential<CardProof>): credential is CardTokenCredential =>
  credential.proof.by === 'token'

/** The digest by which a payment is named without its token or page. */
export const cardDigest = (text: string): string => sha256(text, 'base64url')

/** The id of the credential with a token, whatever challenge it answers: a token pays once. */
export const cardTokenId = (token: string): string => cardDigest(`token ${token}`)

/** The challenge that a token answers; null for a token alone. */
export const cardChallengeOf = ({ challenge }: CardTokenProof): PaymentChallenge | null =>
  // The rail stored a parsed challenge as JSON.
  challenge as unknown as PaymentChallenge | null

/** The dependencies to parse credentials. */
export interface CardTokenReader {
  readonly keys: CardKeys
  readonly network: string
  readonly tokenPattern: RegExp
  readonly acceptRawToken: boolean
}

function credentialOf(
  { keys, network }: CardTokenReader,
  token: string,
  challenge: PaymentChallenge | null,
): Credential<CardProof> {
  if (challenge?.expires !== undefined && Number.isNaN(Date.parse(challenge.expires))) {
    throw paymentRefused('malformed_credential')
  }
  // Without `expiresAt`: a token is never public, so a settled credential proves its payer at any time.
  return {
    // A challenge pays once too: processors take its id as the key of idempotency.
    id: cardTokenId(token),
    fingerprint: cardDigest(encodePaymentJson([token, challenge])),
    offeredAt: challenge === null ? null : madeAtOf(challenge),
    payer: { network },
    proof: { by: 'token', token: keys.seal(token), challenge: challenge as JsonObject | null },
  }
}

function readField(
  reader: CardTokenReader,
  headers: CredentialHeaders,
  field: 'authorization' | 'paymentAuthorization',
) {
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

/** Returns the credential of a request from either header in either form. Undefined when there is none for cards. */
export const readCredential = (
  reader: CardTokenReader,
  headers: CredentialHeaders,
): Credential<CardProof> | undefined =>
  readField(reader, headers, 'paymentAuthorization') ?? readField(reader, headers, 'authorization')

/** The credential of a payment on a checkout page. */
export const checkoutCredential = (session: string, network: string): Credential<CardProof> => ({
  id: session,
  fingerprint: cardDigest(`checkout ${session}`),
  payer: { network },
  proof: { by: 'checkout', session },
})
