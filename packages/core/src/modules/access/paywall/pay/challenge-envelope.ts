import { SIGN_IN_WITH_X, type SignIns } from '../../../people/wallets/index.ts'
import { encodeEnvelope, envelopeTemplate, type PaymentRequired } from './x402.ts'

/** The x402 envelope of a 402. */
export interface ChallengeEnvelope {
  /** The header `PAYMENT-REQUIRED`. */
  readonly encoded: string
  /** Its `accepts` is empty when no rail has an entry. */
  readonly decoded: PaymentRequired
  /** The members of the body after the error, offers included, as JSON without the braces around them. */
  readonly bodyMembers: string
}

/** The sign-in extension of a 402, and a function that creates the nonces of all. */
export interface Declared {
  readonly declaration: NonNullable<ReturnType<SignIns['declare']>>
  readonly noncesFor: SignIns['noncesFor']
}

const envelopeOf = (
  decoded: PaymentRequired,
  encoded: string,
  json: string,
  terms: Readonly<Record<string, unknown>>,
): ChallengeEnvelope => ({
  decoded,
  encoded,
  bodyMembers: `"payment_required_b64":"${encoded}","decoded_payment_required":${json},${JSON.stringify(terms).slice(1, -1)}`,
})

/** Prepares the envelopes of the 402s of one second. */
export function envelopesOf(
  required: PaymentRequired,
  terms: Readonly<Record<string, unknown>>,
  signIn: Declared | undefined,
): () => ChallengeEnvelope {
  if (!signIn) {
    const known = envelopeOf(required, encodeEnvelope(required), JSON.stringify(required), terms)
    return () => known
  }
  // Where visitors can sign in, each envelope has its own nonce.
  const { declaration, noncesFor } = signIn
  const { url } = required.resource
  const nextNonce = noncesFor(url)
  const write = envelopeTemplate(required, declaration.info.nonce)
  return () => {
    const nonce = nextNonce()
    const own = { ...declaration, info: { ...declaration.info, nonce } }
    const { encoded, json } = write(nonce)
    const decoded = { ...required, extensions: { ...required.extensions, [SIGN_IN_WITH_X]: own } }
    return envelopeOf(decoded, encoded, json, terms)
  }
}

/** An envelope that states why a payment was refused. */
export function refusedEnvelope(
  { decoded }: ChallengeEnvelope,
  error: string,
  terms: Readonly<Record<string, unknown>>,
): ChallengeEnvelope {
  const refused = { ...decoded, error }
  return envelopeOf(refused, encodeEnvelope(refused), JSON.stringify(refused), terms)
}
