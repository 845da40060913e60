import type { EepHooks } from '../../hooks.ts'
import type { Clock } from '../../kernel/clock.ts'
import { forbidden } from '../../kernel/errors.ts'
import type { Keyring } from '../../kernel/keyring.ts'
import type { PageRequest } from '../../kernel/page.ts'
import type { PaymentRail } from '../../ports/payment-rail.ts'
import type { Stores } from '../../ports/storage.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import type { Caller, Tier } from '../accounts/index.ts'
import type { SignIns } from '../wallets/index.ts'
import { createChallenger } from './challenge.ts'
import { createCheckouts } from './checkouts.ts'
import { eraseFromReceipts } from './erase.ts'
import { receiptNotFound } from './errors.ts'
import { createLedger, type LedgerDeps } from './ledger.ts'
import type { Issuer } from './receipt-pdf.ts'
import { createReceiptPdfs } from './receipt-pdfs.ts'
import { createRefundNotices } from './refund-notices.ts'
import { createRefunds, type RefundDeps } from './refunds.ts'
import type { Payment, Receipt, ReceiptWithRefund } from './store.ts'
import { createTakePayment } from './take-payment.ts'

/** Whose receipts: an account's, or those of an agent that proved its DID. */
export type ReceiptOwner = { readonly caller: Caller } | { readonly did: string }

function isOwner({ payerDid, payerAccountId, seller }: Receipt, owner: ReceiptOwner): boolean {
  if ('did' in owner) return payerDid === owner.did
  const { account, profileId } = owner.caller
  if (payerAccountId === account.id && profileId === undefined) return true
  return seller.accountId === account.id && (profileId ?? seller.profileId) === seller.profileId
}

export interface PaymentDeps extends GuardedStorage {
  readonly clock: Clock
  readonly keyring: Keyring
  readonly rails: readonly PaymentRail[]
  readonly hooks: EepHooks
  readonly docsUrl: string
  readonly signIns: Pick<SignIns, 'declare'>
  /** Who stands by offers and receipts. */
  readonly serviceDid: string
  readonly signedOffers: boolean
  readonly issuer: Issuer
  readonly challengeOrder: 'eep-first' | 'payment-first'
  readonly leaseMs: number
  readonly commissionBps: (sellerTier: Tier) => number
  readonly deliverOwn: LedgerDeps['deliverOwn']
  /** Hears of outcomes that nobody saw and of records that could not be written. */
  readonly onTrouble: (error: unknown, payment: Payment) => void
  readonly onRefundTrouble: RefundDeps['onRefundTrouble']
}

const BATCH = 50
/** How many rails are asked at once: one that answers slowly does not hold up the others. */
const AT_ONCE = 4

export function createPaymentService(deps: PaymentDeps) {
  const { read, write, rails, keyring, leaseMs, onTrouble } = deps
  const keys = keyring.shared('timeline')
  const signatory = { keyring, did: deps.serviceDid }
  const { challenge, offers } = createChallenger({ ...deps, keys, signatory })
  const ledger = createLedger(deps)
  const checkouts = createCheckouts({ ...deps, ledger })
  const refunds = createRefunds(deps)
  const { take, takeOrOffer, knows } = createTakePayment({ ...deps, keys, challenge, ledger, signatory })

  return {
    receiptPdf: createReceiptPdfs(deps.issuer),

    /** The rails, what they speak and the networks they are paid on, in the order of a 402. */
    rails: rails.map(({ id, facts }) => ({
      id,
      protocol: facts?.protocol,
      networks: facts?.accepts.map(({ network }) => network) ?? [],
    })),

    paymentRails: rails,

    /** Payments on pages of a processor. */
    checkouts,

    refunds,

    /** Notes what a processor gave back by itself. */
    noteRefund: createRefundNotices({ ...deps, checkouts, refunds }),

    /** The 402 of a sale. */
    challenge,

    /** What its header says. */
    offers,

    /** Takes the payment that a request presents for a sale. */
    take,

    /** The same; the 402 of who presents none is handed over, and not thrown. */
    takeOrOffer,

    /** Whether a request repeats a payment that was taken or is under way. */
    knows,

    /**
     * Asks once for each of some payments that nobody is at; tells how many of them are finished now. After `signal` no
     * further one is begun.
     */
    async reconcile(signal?: AbortSignal): Promise<{ readonly asked: number; readonly finished: number }> {
      const abandoned = [...(await read.payments.listAbandoned(BATCH))]
      let asked = 0
      let finished = 0
      const work = async () => {
        for (let next = abandoned.shift(); next && !signal?.aborted; next = abandoned.shift()) {
          const { id } = next
          const payment = await write((tx) => tx.payments.takeOver(id, leaseMs))
          if (!payment) continue
          asked += 1
          try {
            const { payment: driven } = await ledger.drive(payment, 'recover')
            if (driven.state === 'settled' || driven.state === 'refused') finished += 1
          } catch (error) {
            onTrouble(error, payment)
          }
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
      return { asked, finished }
    },

    /** Takes the names of an account and of its profiles out of the receipts, in the transaction that erases them. */
    erase: (tx: Stores, accountId: string, profileIds: readonly number[]) =>
      eraseFromReceipts(tx, accountId, profileIds, keyring),

    /**
     * The receipts an account or an agent paid, newest first. What was bought belongs to the account and to none of its profiles.
     *
     * @throws `forbidden` to a key of one profile
     */
    async listReceipts(owner: ReceiptOwner, page: PageRequest) {
      if ('did' in owner) return read.receipts.list({ did: owner.did }, page)
      const { account, profileId } = owner.caller
      if (profileId !== undefined)
        throw forbidden({ message: 'A key of one profile does not list what its account paid' })
      return read.receipts.list({ accountId: account.id }, page)
    },

    /** A receipt, for who paid it and for who was paid; a key of one profile sees what that one was paid. */
    async getReceipt(receiptId: string, owner: ReceiptOwner): Promise<ReceiptWithRefund> {
      const receipt = await read.receipts.get(receiptId)
      if (!receipt || !isOwner(receipt, owner)) throw receiptNotFound()
      const [refund = null, refundClaim = null] = [
        await read.receipts.getRefund(receiptId),
        await read.receipts.getRefundClaim(receiptId),
      ]
      return { ...receipt, refund, refundClaim: refund === null ? refundClaim : null }
    },
  }
}

export type PaymentService = ReturnType<typeof createPaymentService>
