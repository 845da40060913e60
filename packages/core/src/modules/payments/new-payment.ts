import { randomUUID } from 'node:crypto'
import { networkOfRail } from '../../kernel/wallet.ts'
import type { Checkpoint, Credential, CredentialHeaders, PaymentRail, Purchase } from '../../ports/payment-rail.ts'
import type { Sale } from './sale.ts'
import type { NewPayment, Payment } from './store.ts'

/** A credential that is to be claimed for a purchase. */
interface Presented {
  readonly rail: Pick<PaymentRail, 'id'>
  readonly credential: Credential
  readonly purchase: Purchase
  readonly checkpoint: Checkpoint
  /** See `NewPayment`. */
  readonly openKey?: string | null | undefined
  /** When the gate was hit that the credential answers, where that is known. */
  readonly gateHitAt?: Date | null | undefined
}

/** The credential that headers carry for a rail. Its payer can be no account and no email address of this service. */
export function readCredential(rail: PaymentRail, headers: CredentialHeaders): Credential | undefined {
  const credential = rail.read(headers)
  const { network } = credential?.payer ?? {}
  if (!credential || network === undefined) return credential
  return { ...credential, payer: { ...credential.payer, network: networkOfRail(rail.id, network) } }
}

/** The credential of a payment, from what was kept of it. */
export const credentialOf = ({ credentialId: id, fingerprint, expiresAt, payer, proof }: Payment): Credential => ({
  id,
  fingerprint,
  expiresAt: expiresAt ?? undefined,
  payer,
  proof,
})

/** Writes down who pays what with which credential. */
export const newPayment = (
  { payerAccountId, payerDid }: Pick<Sale, 'payerAccountId' | 'payerDid'>,
  { rail, credential, purchase, checkpoint, openKey = null, gateHitAt = null }: Presented,
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
  gateHitAt,
  challengeIssuedAt: gateHitAt,
  createdAt,
  openKey,
})
