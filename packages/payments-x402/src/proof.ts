import { createHash } from 'node:crypto'
import type { Credential } from '@eep/core/ports'
import type { ExactPayment } from './payment-payload.ts'
import { normalSignature } from './signature.ts'

/** The stored part of a payment until its outcome is known. */
export type Proof = ExactPayment

/**
 * The result of `verify`. `block` is one that is older than any use of the authorization we have to look for; without a
 * chain to ask there is none. `used` says that it was on the chain before it was presented.
 */
export type Checkpoint = {
  readonly block?: string
  readonly used?: true
  /** A contract wallet confirmed the signature, so that it is passed on as it came. */
  readonly contract?: true
}

/** The text that stands for one authorization, and one that stands for its whole signed form. */
export function toCredential(proof: Proof): Credential<Proof> {
  const { authorization, accepted } = proof
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const network = accepted.network.toLowerCase()
  const signed = [from, to, value, validAfter, validBefore, nonce, normalSignature(proof.signature)]
  // Times beyond what a Date holds are refused later; until then they count as far away.
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
