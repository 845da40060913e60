import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.ts'
import { type Credential, type Purchase, railUnavailable } from '../../ports/payment-rail.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import { encodeEnvelope, type SettleResponse } from './envelope.ts'
import { OFFER_RECEIPT, type Signatory, signedReceiptExtension } from './offer-receipt.ts'
import { LOOK_AGAIN_MS, pendingError, WAIT_MS } from './outcome.ts'
import { Refusal } from './refusal.ts'
import type { Sale, TakenPayment } from './sale.ts'
import type { Payment } from './store.ts'

export interface DeliveryDeps extends GuardedStorage {
  readonly clock: Clock
  readonly signatory: Signatory
  readonly onTrouble: (error: unknown, payment: Payment) => void
}

/** How a request stands to the payment it presents. */
export interface Presentation {
  /** The money was taken by this very request, which only the payer can have sent. */
  readonly fresh: boolean
  /** The delivery is reserved for this request already. */
  readonly held: boolean
}

/** How long one request may take to hand over what was paid for. */
export const HOLD_MS = 60_000

export const USED = 'credential_already_used'

/** Hands over what was paid for. */
export function createDelivery({ read, write, clock, signatory, onTrouble }: DeliveryDeps) {
  async function taken(
    payment: Payment,
    payer: TakenPayment['payer'],
    { fresh, isProof = fresh }: { readonly fresh: boolean; readonly isProof?: boolean },
  ): Promise<TakenPayment> {
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
      payer,
      isProof,
      settlement: settlement ?? undefined,
      receiptId,
      purchase: payment.purchase,
      headers: { ...settlement?.headers, 'payment-response': encodeEnvelope(response) },
      delivered(outcome) {
        write((tx) => tx.payments.endDelivery(payment.id, outcome)).catch((error) => onTrouble(error, payment))
      },
    }
  }

  /** Reserves the one delivery of a payment; waits for a request that has it, which may yet fail. */
  async function hold(payment: Payment): Promise<void> {
    const deadline = Date.now() + WAIT_MS
    do {
      if (await write((tx) => tx.payments.holdDelivery(payment.id, HOLD_MS))) return
      if (await read.payments.isDeliveryOver(payment.id)) throw new Refusal(USED, payment.payer, true)
      await sleep(LOOK_AGAIN_MS)
    } while (Date.now() < deadline)
    throw pendingError(payment)
  }

  return {
    /** Serves what a payment with a known outcome paid for, or says why not. */
    async serve(
      sale: Sale,
      payment: Payment,
      credential: Credential,
      { fresh, held }: Presentation,
    ): Promise<TakenPayment> {
      const { settlement, purchase, payer } = payment
      if (payment.reason === railUnavailable.code) throw railUnavailable({ headers: { 'retry-after': '60' } })
      if (payment.state !== 'settled' || !settlement) throw new Refusal(payment.reason ?? 'unexpected_error', payer)
      if (purchase.per !== 'request') {
        const expired = credential.expiresAt !== undefined && credential.expiresAt <= clock()
        // Once settled a credential is public; after its life it no longer tells who sends it.
        if (payment.deliveredAt !== null && expired) throw new Refusal(USED, payer, true)
        if (!(await sale.isEntitled(settlement.payer))) throw new Refusal(USED, payer, true)
        return taken(payment, settlement.payer, { fresh })
      }
      const [{ profileId, resource }] = sale.purchases as [Purchase]
      if (purchase.profileId !== profileId || purchase.resource !== resource) throw new Refusal(USED, payer, true)
      if (!held) await hold(payment)
      return taken(payment, settlement.payer, { fresh })
    },

    /** A payer who is named by a verified credential and needs no new payment; undefined for any other. */
    async alreadyHeld(
      sale: Sale,
      { payer }: Credential,
      { openKey, isPublic }: { readonly openKey: string | null; readonly isPublic: boolean },
    ): Promise<TakenPayment | undefined> {
      const { wallet, network } = payer
      if (!wallet || !network) return undefined
      if (await sale.isEntitled(payer)) {
        return { payer: { ...payer, wallet, network }, isProof: !isPublic, headers: {}, delivered: () => undefined }
      }
      const credit = openKey === null || isPublic ? undefined : await read.payments.getUndelivered(openKey)
      if (!credit?.settlement) return undefined
      const held = await write((tx) => tx.payments.holdDelivery(credit.id, HOLD_MS))
      return held ? taken(credit, credit.settlement.payer, { fresh: false, isProof: true }) : undefined
    },
  }
}
