import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../../../kernel/clock.ts'
import type { EepError } from '../../../../kernel/errors.ts'
import { accountHolder } from '../../../../kernel/wallet.ts'
import { agentPayer } from '../../../../model/payer.ts'
import {
  type Credential,
  type Payer,
  type Purchase,
  REDELIVERY_MS,
  railUnavailable,
  type Settlement,
  settlementPending,
} from '../../../../ports/payment-rail.ts'
import type { DeliveryOutcome, Payment } from '../../../../ports/storage/payments.ts'
import type { GuardedStorage } from '../../../../runtime/storage/guard.ts'
import { toPayer } from '../access/visitor.ts'
import { Refusal } from './credential.ts'
import type { Sale } from './sale.ts'
import {
  encodeResponse,
  OFFER_RECEIPT,
  type SettleResponse,
  type Signatory,
  signedReceiptExtension,
  withSettleResponse,
} from './x402.ts'

export interface DeliveryDeps extends GuardedStorage {
  readonly clock: Clock
  readonly signatory: Signatory
  readonly onTrouble: (error: unknown, payment: Payment) => void
}

/** A payment that opens the resource for this request. */
export interface AcceptedPayment {
  /** Undefined when an earlier purchase opens the resource and this payment was not needed. */
  readonly paymentId?: string | undefined
  readonly payer: Settlement['payer']
  /** Whether only the payer can have sent it. A settled credential is public, so repeating one proves nothing. */
  readonly isProof: boolean
  /** Undefined when an earlier purchase opens the resource. */
  readonly settlement?: Settlement | undefined
  readonly receiptId?: string | null | undefined
  /** The purchase; undefined whenever `settlement` is. */
  readonly purchase?: Purchase | undefined
  /** The headers that the rail sends with the content. */
  readonly railHeaders?: Readonly<Record<string, string>> | undefined
  /** What became of the payment, as an encoded envelope of x402; undefined when nothing was paid now. */
  readonly response?: string | undefined
  /** Records how the content was delivered. Call it once. */
  readonly delivered: (outcome: DeliveryOutcome) => void
}

/** How a request relates to the payment it presents. */
export interface Presentation {
  /** This request settled the payment, and only the payer can have sent it. */
  readonly fresh: boolean
  /** The delivery is already reserved for this request. */
  readonly held: boolean
  /** The payment is for this very request, so it may be one of a bound purchase. Default: false. */
  readonly isBound?: boolean | undefined
}

/** How long a request waits for another request with the same payment. */
export const WAIT_MS = 10_000
export const POLL_MS = 100
/** How long the single delivery of a payment for one request is reserved. */
export const HOLD_MS = 60_000

export const USED = 'credential_already_used'

/** The 503 of a payment whose outcome is not known. It has no offer, because an agent would sign again. */
export function pendingError({ payer, settlement }: Payment): EepError {
  const response: SettleResponse = {
    success: false,
    errorReason: 'settlement_pending',
    transaction: settlement?.transaction ?? '',
    network: payer.network,
    payer: payer.wallet,
  }
  return settlementPending({
    retryAfterMs: 5_000,
    x402: { response: encodeResponse(response) },
    details: { reason: 'settlement_pending' },
  })
}

/** The payer that may be entitled already: the wallet of a credential, else the account or the agent of the request. */
export function holderOf({ wallet, network, ...payer }: Payer, sale: Sale): AcceptedPayment['payer'] | undefined {
  if (wallet && network) return { ...payer, wallet, network }
  if (sale.payerAccountId !== null) return toPayer(accountHolder(sale.payerAccountId))
  return sale.payerDid === null ? undefined : agentPayer(sale.payerDid)
}

/** Decides what a payment opens now, and reserves deliveries that happen once. */
export function createDeliveries({ read, write, clock, signatory, onTrouble }: DeliveryDeps) {
  async function accept(payment: Payment, payer: AcceptedPayment['payer'], isProof: boolean): Promise<AcceptedPayment> {
    const { settlement, receiptId } = payment
    const response: SettleResponse = {
      success: true,
      transaction: settlement?.transaction ?? settlement?.reference ?? '',
      network: settlement?.network ?? payer.network,
      payer: payer.wallet,
      amount: settlement?.amount.atomic,
      extensions: {
        'eep-receipt': { info: { receipt_id: receiptId } },
        ...(settlement && {
          [OFFER_RECEIPT]: await signedReceiptExtension(payment.purchase, settlement, signatory),
        }),
      },
    }
    return {
      paymentId: payment.id,
      payer,
      isProof,
      settlement: settlement ?? undefined,
      receiptId,
      purchase: payment.purchase,
      railHeaders: settlement?.headers,
      response: encodeResponse(response),
      delivered(outcome) {
        write((tx) => tx.payments.endDelivery(payment.id, outcome)).catch((error) => onTrouble(error, payment))
      },
    }
  }

  /**
   * Whether a settled credential no longer opens what it bought. It is public, so after its lifetime it does not identify its sender.
   * Before the first delivery it is valid until an hour after the payment was recorded, which may be long after it was made.
   */
  async function isOver({ expiresAt }: Credential, { deliveredAt, receiptId }: Payment): Promise<boolean> {
    const now = clock()
    if (expiresAt === undefined || expiresAt > now) return false
    if (deliveredAt !== null) return true
    const receipt = receiptId === null ? undefined : await read.receipts.get(receiptId)
    return receipt === undefined || receipt.issuedAt.getTime() + REDELIVERY_MS <= now.getTime()
  }

  /**
   * Reserves the only delivery of a payment; false when it was delivered. Waits for a request that holds it, because that one may
   * still fail.
   */
  async function reserve(payment: Payment): Promise<boolean> {
    const deadline = Date.now() + WAIT_MS
    do {
      const outcome = await write((tx) => tx.payments.holdDelivery(payment.id, HOLD_MS))
      if (outcome !== 'busy') return outcome === 'reserved'
      await sleep(POLL_MS)
    } while (Date.now() < deadline)
    throw pendingError(payment)
  }

  return {
    accept,

    /**
     * Accepts a payment with a known outcome for a sale.
     *
     * @throws {@link Refusal} when it was refused, opens something else or was used up, `rail_unavailable` when the rail
     * could not take it, `settlement_pending` while another request holds its delivery
     */
    async serve(
      sale: Sale,
      payment: Payment,
      credential: Credential,
      { fresh, held, isBound = false }: Presentation,
    ): Promise<AcceptedPayment> {
      const { settlement, purchase, payer } = payment
      // A credential that never expires is not public, so a copy proves its payer too.
      const isProof = fresh || credential.expiresAt === undefined
      if (payment.reason === railUnavailable.code) {
        const { wallet, network } = payer
        const response = { success: false, errorReason: railUnavailable.code, transaction: '', network, payer: wallet }
        throw withSettleResponse(railUnavailable({ retryAfterMs: 60_000 }), response)
      }
      if (payment.state !== 'settled' || !settlement) throw new Refusal(payment.reason ?? 'unexpected_error', payer)
      if (purchase.per !== 'request') {
        if (!fresh && (await isOver(credential, payment))) throw new Refusal(USED, payer, true)
        if (!(await sale.isEntitled(settlement.payer))) throw new Refusal(USED, payer, true)
        return accept(payment, settlement.payer, isProof)
      }
      const [{ profileId, resource }] = sale.purchases as [Purchase]
      // A payment of a request pays for that request only.
      const isElsewhere =
        purchase.profileId !== profileId || purchase.resource !== resource || (purchase.bound && !isBound)
      if (isElsewhere) throw new Refusal(USED, payer, true)
      // It stays undelivered, for its reader in that audience.
      if (!held && purchase.audience && !(await sale.isInAudience?.(purchase.audience))) {
        throw new Refusal(USED, payer, true)
      }
      if (!held && !(await reserve(payment))) throw new Refusal(USED, payer, true)
      return accept(payment, settlement.payer, isProof)
    },

    /**
     * Accepts a verified payer who needs no new payment; undefined for any other. A payment that another request is delivering is
     * waited for: when that request breaks off, or its process has died, the payer need not pay again.
     *
     * @throws `settlement_pending` while another request holds the delivery
     */
    async serveHeld(
      sale: Sale,
      { payer }: Credential,
      { creditKeys, isPublic }: { readonly creditKeys: readonly string[]; readonly isPublic: boolean },
    ): Promise<AcceptedPayment | undefined> {
      const holder = holderOf(payer, sale)
      if (holder && (await sale.isEntitled(payer))) {
        return { payer: holder, isProof: !isPublic, delivered: () => undefined }
      }
      if (isPublic) return undefined
      for (const openKey of creditKeys) {
        const credit = await read.payments.get({ openKey, is: 'undelivered' })
        if (credit?.settlement && (await reserve(credit))) return accept(credit, credit.settlement.payer, true)
      }
      return undefined
    },
  }
}
