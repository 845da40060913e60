import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EepHooks } from '../../hooks.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type EepError, isEepError } from '../../kernel/errors.ts'
import type { SharedKey } from '../../kernel/keyring.ts'
import { normalWallet } from '../../kernel/wallet.ts'
import {
  type Credential,
  type CredentialHeaders,
  type Payer,
  type PaymentRail,
  type Purchase,
  paymentReason,
} from '../../ports/payment-rail.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import { type Challenger, orderRails } from './challenge.ts'
import { echoedExtensions, encodeEnvelope, type SettleResponse } from './envelope.ts'
import { settlementPending } from './errors.ts'
import type { Driven, Ledger } from './ledger.ts'
import type { Sale, TakenPayment } from './sale.ts'
import type { Payment } from './store.ts'
import { readTimelineMark } from './timeline-mark.ts'

export interface TakePaymentDeps extends GuardedStorage {
  readonly rails: readonly PaymentRail[]
  readonly hooks: EepHooks
  readonly clock: Clock
  readonly keys: readonly [SharedKey, ...SharedKey[]]
  readonly challenge: Challenger
  readonly ledger: Ledger
  readonly leaseMs: number
  readonly onTrouble: (error: unknown, payment: Payment) => void
}

/** How long a request waits for a payment that somebody else is settling. */
const WAIT_MS = 10_000
const LOOK_AGAIN_MS = 100
/** How long one request may take to hand over what was paid for. */
const HOLD_MS = 60_000

const USED = 'credential_already_used'
const NO_MATCH = 'invalid_payment_requirements'

/** A payment that was refused, in the words of the scheme. */
class Refusal extends Error {
  readonly reason: string
  readonly payer: Payer
  constructor(reason: string, payer: Payer = {}) {
    super(reason)
    this.reason = reason
    this.payer = payer
  }
}

interface Delivery {
  /** The money was taken by this very request. */
  readonly fresh: boolean
  /** Its delivery is reserved for this request already. */
  readonly held: boolean
}

interface Presented {
  readonly rail: PaymentRail
  readonly credential: Credential
}

const isOpen = ({ state }: Payment) => state === 'settling' || state === 'unknown'

const pendingError = (payment: Payment): EepError => {
  const { payer, settlement } = payment
  const response: SettleResponse = {
    success: false,
    errorReason: 'settlement_pending',
    transaction: settlement?.transaction ?? '',
    network: payer.network ?? '',
    payer: payer.wallet,
  }
  return settlementPending({
    headers: { 'retry-after': '5', 'payment-response': encodeEnvelope(response), 'cache-control': 'no-store' },
    details: { reason: 'settlement_pending' },
  })
}

/**
 * Takes the payment that a request presents, exactly once.
 *
 * The order is what keeps money safe: read, verify, claim, settle, record, serve. A credential is claimed before money
 * moves and by one request only; content is released after the settlement is recorded; an outcome nobody saw is kept
 * and asked for again, and never answered with a new offer.
 */
export function createTakePayment(deps: TakePaymentDeps) {
  const { read, write, rails, hooks, clock, keys, challenge, ledger, leaseMs, onTrouble } = deps

  /** The credential of the first rail that finds one. */
  function present(sale: Sale, headers: CredentialHeaders): Presented | undefined {
    for (const rail of orderRails(rails, sale.preference)) {
      const credential = rail.read(headers)
      if (credential) return { rail, credential }
    }
    return undefined
  }

  /** Drives a payment we hold the lease of; what the storage cannot note now is found again by the lease. */
  async function drive(payment: Payment, step: 'settle' | 'recover', holdMs = 0): Promise<Driven> {
    try {
      return await ledger.drive(payment, step, holdMs)
    } catch (error) {
      onTrouble(error, payment)
      throw pendingError(payment)
    }
  }

  /** Waits until a payment has an outcome, finishing it ourselves when nobody is at it. */
  async function conclude(payment: Payment): Promise<Payment> {
    const deadline = Date.now() + WAIT_MS
    for (let current: Payment | undefined = payment; current; ) {
      if (!isOpen(current)) return current
      const { id } = current
      const taken = await write((tx) => tx.payments.takeOver(id, leaseMs))
      if (taken) {
        const { payment: driven } = await drive(taken, 'recover')
        if (isOpen(driven)) throw pendingError(driven)
        return driven
      }
      if (Date.now() > deadline) throw pendingError(current)
      await sleep(LOOK_AGAIN_MS)
      current = await read.payments.get(id)
    }
    throw pendingError(payment)
  }

  function taken(
    payment: Payment,
    payer: TakenPayment['payer'],
    { fresh, isProof = fresh }: { readonly fresh: boolean; readonly isProof?: boolean },
  ): TakenPayment {
    const { settlement, receiptId } = payment
    const response: SettleResponse = {
      success: true,
      transaction: settlement?.transaction ?? settlement?.reference ?? '',
      network: settlement?.network ?? payer.network,
      payer: payer.wallet,
      amount: settlement?.amount.atomic,
      extensions: { 'eep-receipt': { info: { receipt_id: receiptId, settled_before: !fresh } } },
    }
    return {
      payer,
      isProof,
      headers: { ...settlement?.headers, 'payment-response': encodeEnvelope(response) },
      delivered(handedOver) {
        write((tx) => tx.payments.endDelivery(payment.id, handedOver)).catch((error) => onTrouble(error, payment))
      },
    }
  }

  /** Serves what a payment with a known outcome paid for, or says why not. */
  async function serve(
    sale: Sale,
    payment: Payment,
    credential: Credential,
    { fresh, held }: Delivery,
  ): Promise<TakenPayment> {
    const { settlement, purchase } = payment
    if (payment.state !== 'settled' || !settlement)
      throw new Refusal(payment.reason ?? 'unexpected_error', payment.payer)
    if (purchase.per !== 'request') {
      const expired = credential.expiresAt !== undefined && credential.expiresAt <= clock()
      // Once settled a credential is public; after its life it no longer tells who sends it.
      if (payment.deliveredAt !== null && expired) throw new Refusal(USED, payment.payer)
      if (!(await sale.isEntitled(settlement.payer))) throw new Refusal(USED, payment.payer)
      return taken(payment, settlement.payer, { fresh })
    }
    const [{ profileId, resource }] = sale.purchases as [Purchase]
    if (purchase.profileId !== profileId || purchase.resource !== resource) throw new Refusal(USED, payment.payer)
    if (!held && !(await write((tx) => tx.payments.holdDelivery(payment.id, HOLD_MS))))
      throw new Refusal(USED, payment.payer)
    return taken(payment, settlement.payer, { fresh })
  }

  async function repeat(sale: Sale, payment: Payment, credential: Credential): Promise<TakenPayment> {
    if (payment.fingerprint !== credential.fingerprint) throw new Refusal('invalid_payload', credential.payer)
    return serve(sale, await conclude(payment), credential, { fresh: false, held: false })
  }

  /** A payer who is known by a verified credential and needs no new payment. */
  async function alreadyHeld(
    sale: Sale,
    { payer }: Credential,
    openKey: string | null,
  ): Promise<TakenPayment | undefined> {
    const { wallet, network } = payer
    if (!wallet || !network) return undefined
    if (await sale.isEntitled(payer)) {
      return { payer: { ...payer, wallet, network }, isProof: true, headers: {}, delivered: () => undefined }
    }
    const credit = openKey === null ? undefined : await read.payments.getUndelivered(openKey)
    if (!credit?.settlement) return undefined
    const held = await write((tx) => tx.payments.holdDelivery(credit.id, HOLD_MS))
    return held ? taken(credit, credit.settlement.payer, { fresh: false, isProof: true }) : undefined
  }

  async function buy(sale: Sale, { rail, credential }: Presented, headers: CredentialHeaders): Promise<TakenPayment> {
    const purchase = sale.purchases.find(
      (each) => (each.rails === null || each.rails.includes(rail.id)) && rail.matches(credential, each),
    )
    const known = await read.payments.getByCredential(rail.id, credential.id)
    if (known && known.state !== 'refused') return repeat(sale, known, credential)
    if (!purchase) throw new Refusal(NO_MATCH, credential.payer)

    await hooks.beforeSettle?.(purchase)
    const checkpoint = await rail.verify(credential, purchase)
    const { payer } = credential
    const openKey = payer.wallet
      ? [rail.id, payer.network, normalWallet(payer.wallet), purchase.profileId, purchase.resource].join('|')
      : null
    const gateHitAt = readTimelineMark(echoedExtensions(headers.paymentSignature), purchase.shown.url, keys)

    for (;;) {
      const free = await alreadyHeld(sale, credential, openKey)
      if (free) return free
      const claim = await write(async (tx) => {
        const made = await tx.payments.claim(
          {
            id: randomUUID(),
            rail: rail.id,
            credentialId: credential.id,
            fingerprint: credential.fingerprint,
            expiresAt: credential.expiresAt ?? null,
            payer,
            purchase,
            proof: credential.proof,
            checkpoint,
            payerAccountId: sale.payerAccountId,
            payerDid: null,
            gateHitAt,
            challengeIssuedAt: gateHitAt,
            createdAt: clock(),
            openKey,
          },
          leaseMs,
        )
        if (made.outcome !== 'claimed' || !(await sale.isEntitled(payer, tx.entitlements))) return made
        // Another payment was recorded since we looked, and gave what this one would buy: it stays unspent.
        await tx.payments.refuse(made.payment.id, 'not_needed')
        return { outcome: 'not_needed' } as const
      })
      if (claim.outcome === 'not_needed') continue
      if (claim.outcome === 'exists') return repeat(sale, claim.payment, credential)
      if (claim.outcome === 'claimed') {
        const { payment, held } = await drive(claim.payment, 'settle', purchase.per === 'request' ? HOLD_MS : 0)
        if (isOpen(payment)) throw pendingError(payment)
        return serve(sale, payment, credential, { fresh: true, held })
      }
      // Another payment of this payer for this resource comes first; this one stays unspent if that one is enough.
      await conclude(claim.payment)
    }
  }

  const refusalOf = (error: unknown): Refusal | undefined => {
    if (error instanceof Refusal) return error
    if (!isEepError(error) || error.code !== 'payment_refused') return undefined
    const { wallet, network } = (error.details ?? {}) as Payer
    return new Refusal(paymentReason(error), { wallet, network })
  }

  /**
   * @throws `payment_required` when no payment is presented or it is refused, `settlement_pending` when its outcome is
   * not known
   */
  return async function takePayment(sale: Sale, headers: CredentialHeaders): Promise<TakenPayment> {
    try {
      const presented = present(sale, headers)
      if (!presented) throw await challenge(sale)
      return await buy(sale, presented, headers)
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal) throw error
      throw await challenge(sale, {
        success: false,
        errorReason: refusal.reason,
        transaction: '',
        network: refusal.payer.network ?? '',
        payer: refusal.payer.wallet,
      })
    }
  }
}
