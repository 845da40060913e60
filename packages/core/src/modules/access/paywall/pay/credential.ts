import { randomUUID } from 'node:crypto'
import { sha256 } from '../../../../kernel/digest.ts'
import { isEepError } from '../../../../kernel/errors.ts'
import type { JsonObject } from '../../../../kernel/json.ts'
import { isNetwork, isWallet, networkOfRail, normalWallet } from '../../../../kernel/wallet.ts'
import {
  type Checkpoint,
  type Credential,
  type CredentialHeaders,
  type Payer,
  type PaymentRail,
  type Purchase,
  paymentReason,
  x402PaymentIn,
} from '../../../../ports/payment-rail.ts'
import { parsePaymentAuthorization } from '../../../../ports/payment-scheme.ts'
import type { NewPayment, Payment, TimelineBasis } from '../../../../ports/storage/payments.ts'
import type { Stores } from '../../../../ports/storage/storage.ts'
import { methodUnsupported, paymentIdentifierConflict } from '../errors.ts'
import { orderRails, type Sale } from './sale.ts'
import { echoedExtensions } from './x402.ts'

/** A refused payment, with the reason as its scheme names it. It becomes a 402 with a new offer. */
export class Refusal extends Error {
  readonly reason: string
  readonly payer: Payer
  /** Whether the credential settled a payment before: its buyer must not conclude that no money moved. */
  readonly alreadySettled: boolean

  constructor(reason: string, payer: Payer = {}, alreadySettled = false) {
    super(reason)
    this.reason = reason
    this.payer = payer
    this.alreadySettled = alreadySettled
  }
}

/** Returns the refusal in an error of core or of a rail. Undefined for any other error. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error
  if (!isEepError(error) || error.code !== 'payment_refused') return undefined
  const { wallet, network } = (error.details ?? {}) as Payer
  return new Refusal(paymentReason(error), { wallet, network })
}

/** A credential and the rail that read it. */
export interface PresentedCredential {
  readonly rail: PaymentRail
  readonly credential: Credential
}

/** An x402 payment that no rail has read: of another version, scheme or network, for other terms. It becomes a 402 with a reason. */
export class UnreadPayment extends Error {}

/** Reads the credential of one rail. Its payer can never be an account or an email address of this service. */
function readCredential(rail: PaymentRail, headers: CredentialHeaders): Credential | undefined {
  const credential = rail.read(headers)
  const { wallet, network, did } = credential?.payer ?? {}
  if (!credential || network === undefined) return credential
  const payer = { wallet, network: networkOfRail(rail.id, network), did }
  // Its purchase could not be recorded after the money moved.
  const isRecordable = isNetwork(payer.network) && isWallet(wallet ?? '-') && isWallet(did ?? '-')
  if (!isRecordable) throw new Refusal('invalid_payer')
  return { ...credential, payer }
}

/**
 * Rejects a credential of the scheme `Payment` that no rail has read.
 *
 * @throws `method_unsupported` when it pays by an unknown method, {@link Refusal} when it is malformed
 */
function rejectUnsupported(headers: CredentialHeaders, rails: readonly PaymentRail[]): void {
  if (!rails.some(({ info }) => info?.protocol === 'mpp')) return
  for (const value of [headers.paymentAuthorization, headers.authorization]) {
    const credential = parsePaymentAuthorization(value)
    if (credential?.is === 'credential') throw methodUnsupported()
    if (credential) throw new Refusal('malformed_credential')
  }
}

/**
 * Returns the credential of the first rail that finds one, in the order of the sale; undefined when the headers have none.
 *
 * @throws `method_unsupported`, {@link Refusal} when a credential cannot be read, {@link UnreadPayment}
 */
export function presentedCredential(
  { preference }: Pick<Sale, 'preference'>,
  headers: CredentialHeaders,
  rails: readonly PaymentRail[],
): PresentedCredential | undefined {
  for (const rail of orderRails(rails, preference)) {
    const credential = readCredential(rail, headers)
    if (credential) return { rail, credential }
  }
  rejectUnsupported(headers, rails)
  if (x402PaymentIn(headers) !== undefined) throw new UnreadPayment()
  return undefined
}

/** Returns every credential in some headers. A malformed one ends the list. */
export function credentialsIn(headers: CredentialHeaders, rails: readonly PaymentRail[]): PresentedCredential[] {
  const found: PresentedCredential[] = []
  for (const rail of rails) {
    try {
      const credential = readCredential(rail, headers)
      if (credential) found.push({ rail, credential })
    } catch (error) {
      if (refusalOf(error)) return found
      throw error
    }
  }
  return found
}

/** Restores the credential of a stored payment. */
export const credentialOf = ({ credentialId: id, fingerprint, expiresAt, payer, proof }: Payment): Credential => ({
  id,
  fingerprint,
  expiresAt: expiresAt ?? undefined,
  payer,
  proof,
})

/** A verified credential and what it is to be claimed for. */
interface ClaimedCredential {
  readonly rail: Pick<PaymentRail, 'id'>
  readonly credential: Credential
  readonly purchase: Purchase
  readonly checkpoint: Checkpoint
  /** See `NewPayment`. */
  readonly openKey?: string | null | undefined
  /** When the purchase was offered. */
  readonly offered: { readonly at: Date; readonly basis: TimelineBasis }
}

/** Builds the payment that claims a credential. */
export const newPayment = (
  { payerAccountId, payerDid, payerBot }: Pick<Sale, 'payerAccountId' | 'payerDid' | 'payerBot'>,
  { rail, credential, purchase, checkpoint, openKey = null, offered }: ClaimedCredential,
  createdAt: Date,
): NewPayment => ({
  id: randomUUID(),
  rail: rail.id,
  credentialId: credential.id,
  fingerprint: credential.fingerprint,
  expiresAt: credential.expiresAt ?? null,
  payer: credential.payer,
  purchase,
  proof: credential.proof,
  checkpoint,
  payerAccountId,
  payerDid,
  payerBot: payerBot ?? null,
  gateHitAt: offered.at,
  challengeIssuedAt: offered.at,
  timelineBasis: offered.basis,
  createdAt,
  openKey,
})

/** The x402 extension by which a client names a payment, so that retries settle it once. */
export const PAYMENT_IDENTIFIER = 'payment-identifier'

/** The extension in a challenge. Clients that know it add their `id` to `info` and send it back. */
export const paymentIdentifierExtension: JsonObject = {
  info: { required: false },
  schema: {
    type: 'object',
    properties: { id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' } },
  },
}

const IDENTIFIER = /^[a-zA-Z0-9_-]{16,128}$/

/**
 * Returns the identifier that a client gave its payment; undefined when it gave none.
 *
 * @throws Refusal when it is malformed: a client that relies on it must not pay without it
 */
export function paymentIdentifierIn(payment: string | undefined): string | undefined {
  const extension = echoedExtensions(payment)[PAYMENT_IDENTIFIER]
  const { info } = (extension ?? {}) as { info?: { id?: unknown } | null }
  const id = info?.id
  if (id === undefined || id === null) return undefined
  if (typeof id !== 'string' || !IDENTIFIER.test(id)) throw new Refusal('invalid_payment_identifier')
  return id
}

/** Identifiers are kept for longer than any payment of theirs can be retried. */
const IDENTIFIER_TTL_MS = 7 * 24 * 3_600_000

/**
 * Binds an identifier to one payment. Identifiers of different payers are independent.
 *
 * @throws `payment_identifier_conflict` when it is bound to another payment
 */
export async function bindIdentifier(
  tx: Pick<Stores, 'nonces'>,
  id: string,
  { rail, payer, credentialId, fingerprint, createdAt }: NewPayment,
): Promise<void> {
  const payload = sha256(`${rail}|${credentialId}|${fingerprint}`, 'base64url')
  const scope = `payment:${sha256(`${rail}|${payer.network}|${normalWallet(payer.wallet ?? '')}`, 'base64url')}`
  const expiresAt = new Date(createdAt.getTime() + IDENTIFIER_TTL_MS)
  const isFirst = await tx.nonces.claim({ scope, nonce: id, expiresAt })
  // Only the first payload could take the identifier. The stored fingerprint matches when it is presented again.
  const isUnmarked = await tx.nonces.claim({ scope: `${scope}:${id}`, nonce: payload, expiresAt })
  if (!isFirst && isUnmarked) throw paymentIdentifierConflict()
}
