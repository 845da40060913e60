import type { ListedPayment, PaymentRail, RailRecord, RecordedSettlement } from '../../../../ports/payment-rail.ts'
import type { Payment, PaymentState, Receipt } from '../../../../ports/storage/payments.ts'
import type { GuardedStorage } from '../../../../runtime/storage/guard.ts'
import { isOwnDid } from '../../../profiles/profiles/index.ts'
import { isChargeback } from '../../receipts/index.ts'
import { releaseForApp } from './app-spending.ts'
import { credentialOf } from './credential.ts'
import { hasNoOutcome } from './outcome.ts'

/**
 * How a payment in the books compares with the remote side of its rail:
 *
 * - `matches`: both have it, or neither has;
 * - `missing_at_rail`: the books have a payment that the rail did not take;
 * - `missing_in_books`: the rail took a payment of which the books have no receipt;
 * - `amount_differs`: amount, asset or reference differ;
 * - `refund_missing_at_rail`, `refund_missing_in_books`: one side has a complete refund;
 * - `unknown`: the outcome of the payment is not known;
 * - `resolved`: it was not known before this comparison;
 * - `unchecked`: the rail could not be asked, or has no record to compare.
 */
export type PaymentFinding =
  | 'matches'
  | 'missing_at_rail'
  | 'missing_in_books'
  | 'amount_differs'
  | 'refund_missing_at_rail'
  | 'refund_missing_in_books'
  | 'unknown'
  | 'resolved'
  | 'unchecked'

/** An amount with the reference of the payment at its rail. */
export interface ComparedAmount {
  readonly reference: string
  readonly asset: string
  /** An integer of the smallest unit, as text. */
  readonly atomic: string
}

/** The result of comparing one payment. */
export interface ComparedPayment {
  readonly finding: PaymentFinding
  readonly rail: string
  readonly credentialId: string
  /** Null when the books have no record of the payment. */
  readonly payment: {
    readonly id: string
    readonly state: PaymentState
    readonly receiptId: string | null
    readonly createdAt: Date
  } | null
  /** What the books have; null without a receipt. */
  readonly books: ComparedAmount | null
  /** What the rail has; null when it took nothing or was not checked. */
  readonly atRail: ComparedAmount | null
  /** A code that explains the finding: `transaction_not_found`. */
  readonly reason: string | null
}

/** Which payments to compare. */
export interface ComparePaymentsQuery {
  /** Only payments that were claimed at or after this time. Default: all. */
  readonly since?: Date | undefined
  /**
   * Whether unknown outcomes that the rail has decided are recorded. Nothing is charged: a payment that can still be paid
   * stays unknown. Default: false.
   */
  readonly apply?: boolean | undefined
  /** No further payment is compared after it. */
  readonly signal?: AbortSignal | undefined
}

export interface CompareDeps extends GuardedStorage {
  readonly rails: readonly PaymentRail[]
  readonly publicUrl: string
  readonly leaseMs: number
  /** Determines the outcome of a payment that the caller has the lease of, and records it. */
  readonly recover: (payment: Payment) => Promise<Payment>
  readonly onTrouble: (error: unknown, payment: Payment) => void
}

type Result = Pick<ComparedPayment, 'finding'> & Partial<Pick<ComparedPayment, 'books' | 'atRail' | 'reason'>>

const AT_ONCE = 100

const settlementOf = ({ settlement, amount, payerWalletAddress }: Receipt): RecordedSettlement => ({
  ...settlement,
  asset: amount.asset,
  atomic: amount.atomic,
  payerWallet: payerWalletAddress,
})

const recordedAmount = ({ reference, asset, atomic }: ComparedAmount): ComparedAmount => ({ reference, asset, atomic })

const isSameAmount = (one: ComparedAmount, other: ComparedAmount): boolean =>
  one.reference.toLowerCase() === other.reference.toLowerCase() &&
  one.asset.toLowerCase() === other.asset.toLowerCase() &&
  BigInt(one.atomic) === BigInt(other.atomic)

/** Compares the payments in the books with those that the remote sides of the rails have recorded. */
export function createPaymentComparison({ read, write, rails, publicUrl, leaseMs, recover, onTrouble }: CompareDeps) {
  async function inspect(rail: PaymentRail | undefined, payment: Payment, receipt?: Receipt): Promise<RailRecord> {
    if (!rail) return { is: 'unchecked', reason: 'rail_missing' }
    if (!rail.inspect) return { is: 'unchecked', reason: 'rail_cannot_inspect' }
    const { purchase, checkpoint } = payment
    const settlement = receipt && settlementOf(receipt)
    try {
      return await rail.inspect({ credential: credentialOf(payment), purchase, checkpoint, settlement })
    } catch (error) {
      onTrouble(error, payment)
      return { is: 'unchecked', reason: 'rail_unavailable' }
    }
  }

  /** Compares the refund of a receipt, for rails whose records of payments have none. */
  async function compareProvenRefund(
    rail: PaymentRail,
    payment: Payment,
    receipt: Receipt,
  ): Promise<Result | undefined> {
    const refund = await read.refunds?.get(receipt.receiptId)
    if (!refund || !rail.verifyRefund) return undefined
    try {
      const proof = await rail.verifyRefund({ reference: refund.reference, settlement: settlementOf(receipt) })
      if (proof.is === 'refuted') return { finding: 'refund_missing_at_rail', reason: proof.reason }
      return proof.is === 'pending' ? { finding: 'unchecked', reason: proof.reason } : undefined
    } catch (error) {
      onTrouble(error, payment)
      return { finding: 'unchecked', reason: 'rail_unavailable' }
    }
  }

  async function compareRefund(
    rail: PaymentRail,
    payment: Payment,
    receipt: Receipt,
    { atomic, refundedAtomic }: Extract<RailRecord, { is: 'taken' }>,
  ): Promise<Result | undefined> {
    if (!read.refunds) return undefined
    if (refundedAtomic === undefined) return compareProvenRefund(rail, payment, receipt)
    const isRefunded = BigInt(refundedAtomic) >= BigInt(atomic)
    const refund = await read.refunds.get(receipt.receiptId)
    if (refund && isChargeback(refund)) return undefined
    const isRecorded = refund !== undefined
    if (isRecorded === isRefunded) return undefined
    return { finding: isRecorded ? 'refund_missing_at_rail' : 'refund_missing_in_books' }
  }

  async function compareSettled(rail: PaymentRail | undefined, payment: Payment): Promise<Result> {
    const receipt = payment.receiptId === null ? undefined : await read.receipts.get(payment.receiptId)
    if (!receipt) return { finding: 'missing_in_books', reason: 'receipt_missing' }
    const books = recordedAmount(settlementOf(receipt))
    const found = await inspect(rail, payment, receipt)
    switch (found.is) {
      case 'unchecked':
        return { finding: 'unchecked', books, reason: found.reason }
      case 'none':
        return { finding: 'missing_at_rail', books, reason: found.reason }
      case 'open':
        return { finding: 'missing_at_rail', books, reason: 'not_taken_yet' }
      case 'taken': {
        const atRail = recordedAmount(found)
        if (!isSameAmount(books, atRail)) return { finding: 'amount_differs', books, atRail }
        const refund = rail && (await compareRefund(rail, payment, receipt, found))
        return { finding: 'matches', books, atRail, ...refund }
      }
    }
  }

  async function compareRefused(rail: PaymentRail | undefined, payment: Payment): Promise<Result> {
    const found = await inspect(rail, payment)
    if (found.is === 'taken')
      return { finding: 'missing_in_books', atRail: recordedAmount(found), reason: payment.reason }
    return found.is === 'unchecked' ? { finding: 'unchecked', reason: found.reason } : { finding: 'matches' }
  }

  async function compareOpen(
    rail: PaymentRail | undefined,
    payment: Payment,
    { apply = false }: ComparePaymentsQuery,
  ): Promise<Result & { readonly after?: Payment }> {
    const found = await inspect(rail, payment)
    const atRail = found.is === 'taken' ? recordedAmount(found) : null
    const unknown: Result = { finding: 'unknown', atRail, reason: 'reason' in found ? found.reason : payment.reason }
    // Skip payments that can still be charged; recovering one may charge it.
    if (!apply || (found.is !== 'taken' && found.is !== 'none')) return unknown
    const leased = await write(async (tx) => {
      const taken = await tx.payments.takeOver(payment.id, leaseMs)
      if (taken?.state === 'refused') await releaseForApp(tx, taken)
      return taken
    })
    if (!leased) return { ...unknown, reason: 'under_way' }
    const after = await recover(leased)
    return hasNoOutcome(after) ? { ...unknown, after } : { finding: 'resolved', atRail, after }
  }

  async function comparePayment(payment: Payment, query: ComparePaymentsQuery): Promise<ComparedPayment> {
    const rail = rails.find(({ id }) => id === payment.rail)
    const compared: Result & { readonly after?: Payment } = hasNoOutcome(payment)
      ? await compareOpen(rail, payment, query)
      : await (payment.state === 'settled' ? compareSettled : compareRefused)(rail, payment)
    const { finding, books = null, atRail = null, reason = null, after = payment } = compared
    const { id, state, receiptId, createdAt } = after
    const { credentialId } = payment
    return {
      finding,
      rail: payment.rail,
      credentialId,
      payment: { id, state, receiptId, createdAt },
      books,
      atRail,
      reason,
    }
  }

  async function* compareRecorded(query: ComparePaymentsQuery): AsyncGenerator<ComparedPayment> {
    const { since, signal } = query
    if (!read.sales) throw new TypeError('Payments cannot be compared: the storage has no group "sales"')
    for (let after: string | undefined; ; ) {
      const payments = await read.sales.listPayments({ since, after, limit: AT_ONCE })
      for (const payment of payments) {
        if (signal?.aborted) return
        const compared = await comparePayment(payment, query)
        const now = compared.finding === 'matches' ? payment : await read.payments.get(payment.id)
        // A running host has recorded its outcome during the comparison.
        const isOutdated = now && now.state !== payment.state && now.state !== compared.payment?.state
        yield isOutdated ? await comparePayment(now, query) : compared
      }
      if (payments.length < AT_ONCE) return
      after = payments.at(-1)?.id
    }
  }

  const unrecorded = (rail: string, { credentialId, ...listed }: ListedPayment): ComparedPayment => ({
    finding: 'missing_in_books',
    rail,
    credentialId,
    payment: null,
    books: null,
    atRail: recordedAmount(listed),
    reason: 'payment_missing',
  })

  /** Finds payments of this service that the books have no record of: those that a restored backup lacks. */
  async function* compareListed({
    since = new Date(0),
    signal,
  }: ComparePaymentsQuery): AsyncGenerator<ComparedPayment> {
    for (const rail of rails) {
      if (!rail.listTaken) continue
      for await (const listed of rail.listTaken(since)) {
        if (signal?.aborted) return
        if (!isOwnDid(publicUrl, listed.sellerDid)) continue
        const payment = await read.payments.get({ rail: rail.id, credentialId: listed.credentialId })
        if (!payment) yield unrecorded(rail.id, listed)
      }
    }
  }

  return {
    async *comparePayments(query: ComparePaymentsQuery = {}): AsyncGenerator<ComparedPayment> {
      yield* compareRecorded(query)
      yield* compareListed(query)
    },
  }
}
