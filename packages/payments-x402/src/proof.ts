import { createHash } from 'node:crypto'
import type { Credential } from '@eep/core/ports'
import type { ExactPayment } from './payment-payload.ts'
import { normalSignature } from './signature.ts'

/** The part of a payment that is stored until its outcome is known. */
export type Proof = ExactPayment

/**
 * The result of `verify`. `block` is older than any use of the authorization that must be found; without a
 * chain there is none. `used` means that the authorization was used on the chain before it was presented.
 */
export type Checkpoint = {
  readonly block?: string
  readonly used?: true
  /** A contract wallet confirmed the signature, so it is forwarded unchanged. */
  readonly contract?: true
  /** The payer runs code on the chain, so its transaction is sent once, within limits. */
  readonly code?: true
}

/** Whether a payment runs the code of its payer. */
export const isByContract = ({ contract, code }: Checkpoint): boolean => contract === true || code === true

/** Returns the id of an authorization and the fingerprint of its signed form. */
export function toCredential(proof: Proof): Credential<Proof> {
  const { authorization, accepted } = proof
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const network = accepted.network.toLowerCase()
  const signed = [from, to, value, validAfter, validBefore, nonce, normalSignature(proof.signature)]
  // Times beyond the range of `Date` are refused later, and count as distant until then.
  const expiresAt = new Date(Math.min(Number(validBefore) * 1000, 8.64e15))
  return {
    id: `${network}|${accepted.asset.toLowerCase()}|${from}|${nonce}`,
    fingerprint: createHash('sha256').update(JSON.stringify(signed)).digest('hex'),
    expiresAt,
    payer: { wallet: from, network },
    proof,
  }
}

export function readCheckpoint(checkpoint: unknown): Checkpoint {
  return typeof checkpoint === 'object' && checkpoint !== null ? (checkpoint as Checkpoint) : {}
}
