import type { Clock } from '../../kernel/clock.ts'
import { isEepError, validationFailed } from '../../kernel/errors.ts'
import type { PaymentRail } from '../../ports/payment-rail.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import { alreadyRefunded, receiptNotFound, refundPending } from './errors.ts'
import { givePaidBack, keptFacts } from './paid-entitlements.ts'
import type { Receipt, Refund } from './store.ts'

export interface RefundDeps extends GuardedStorage {
  readonly clock: Clock
  readonly rails: readonly PaymentRail[]
}

/** A refund as a seller asks for it. */
export interface RefundRequest {
  /** The transfer that gave the money back, where the rail cannot do it. */
  readonly reference?: string | undefined
  readonly reason?: string | undefined
}

/** Lets a rail give money back; undefined where it cannot. */
async function giveBack(rail: PaymentRail | undefined, { receiptId, settlement }: Receipt) {
  try {
    return await rail?.refund?.({ reference: settlement.reference, key: receiptId })
  } catch (cause) {
    // The errors of a rail's own library carry statuses that would be taken for ours.
    throw isEepError(cause) ? cause : refundPending({ headers: { 'Retry-After': '5' }, cause })
  }
}

/** Gives money back, and takes back what it bought. */
export function createRefunds({ read, write, clock, rails }: RefundDeps) {
  /** Writes down that the money of a receipt went back: refund, entitlements and events in one transaction. */
  async function record(receipt: Receipt, refund: Refund): Promise<Refund> {
    return write(async (tx, emit) => {
      // One refund of a seller at a time: two at once would each leave what the other takes back.
      await tx.profiles.lock(receipt.seller.profileId)
      const made = await tx.receipts.refund(refund)
      if (!made) throw (await tx.receipts.getRefund(receipt.receiptId)) ? alreadyRefunded() : receiptNotFound()
      const { receiptId, seller } = receipt
      const origin = { profileId: seller.profileId, accountId: refund.refundedBy ?? undefined }
      for (const { taken, left } of await tx.entitlements.revokeOfReceipt(receiptId, refund.refundedAt)) {
        const { id, resourcePattern, tier } = taken
        emit('gates.entitlement_revoked', { entitlementId: id, resourcePattern, tier, reason: 'refund' }, origin)
        const kept = (await givePaidBack(tx, taken, refund.refundedAt)) ?? left
        if (kept) emit('gates.entitlement_granted', keptFacts(kept), origin)
      }
      emit('payments.payment_refunded', { receiptId, reference: refund.reference }, origin)
      return made
    })
  }

  return {
    record,

    /**
     * Gives the money of a receipt back, once. A rail that can does it; for one that cannot, the seller names the transfer
     * it made. Asked again after a lost answer, the money is not given back twice.
     *
     * @throws `already_refunded`, `validation_failed` without a reference that is needed, `refund_pending` when the rail did
     * not say what became of it
     */
    async refund(receipt: Receipt, { reference, reason }: RefundRequest, accountId: string): Promise<Refund> {
      const { receiptId } = receipt
      if (await read.receipts.getRefund(receiptId)) throw alreadyRefunded()
      const rail = rails.find(({ id }) => id === receipt.rail)
      const made = await giveBack(rail, receipt)
      const found = made?.reference ?? reference
      if (found === undefined) {
        throw validationFailed({
          message: `${receipt.rail} takes no money back by itself: give it back and name the transfer as reference`,
          details: { issues: [{ path: '/reference', code: 'required', message: 'Needed for this rail' }] },
        })
      }
      const refund = { receiptId, reference: found, reason: reason ?? null, refundedAt: clock(), refundedBy: accountId }
      return record(receipt, refund).catch(async (error) => {
        // The processor told of it before we had written it down.
        const told = made && (await read.receipts.getRefund(receiptId))
        if (told?.refundedBy === null && told.reference === found) return told
        throw error
      })
    },
  }
}
