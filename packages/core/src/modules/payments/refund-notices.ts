import type { Clock } from '../../kernel/clock.ts'
import { isEepError } from '../../kernel/errors.ts'
import type { RefundNotice } from '../../ports/payment-processor.ts'
import { paymentUnknown } from '../../ports/payment-rail.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import type { createCheckouts, ProcessorRail } from './checkouts.ts'
import { alreadyRefunded } from './errors.ts'
import type { createRefunds } from './refunds.ts'

export interface RefundNoticeDeps extends Pick<GuardedStorage, 'read'> {
  readonly clock: Clock
  readonly checkouts: Pick<ReturnType<typeof createCheckouts>, 'look'>
  readonly refunds: Pick<ReturnType<typeof createRefunds>, 'record'>
}

/** Notes what a processor gave back by itself: on its own pages a seller gives money back without asking us. */
export const createRefundNotices = ({ read, clock, checkouts, refunds }: RefundNoticeDeps) =>
  /**
   * False when the payment is none of ours or took nothing here.
   *
   * @throws `settlement_pending` while it is not known what became of the payment; the message must come again
   */
  async function note(rail: ProcessorRail, { credentialId, reference }: RefundNotice): Promise<boolean> {
    const payment = await read.payments.getByCredential(rail.id, credentialId)
    if (!payment) return false
    const isPage = payment.state === 'settling' || payment.state === 'unknown'
    const known = isPage ? await checkouts.look(rail, credentialId) : payment
    if (known?.state === 'refused') return false
    const receipt = known?.receiptId ? await read.receipts.get(known.receiptId) : undefined
    if (!receipt) throw paymentUnknown()
    const { receiptId } = receipt
    try {
      await refunds.record(receipt, { receiptId, reference, reason: null, refundedAt: clock(), refundedBy: null })
    } catch (error) {
      if (!isEepError(error) || error.code !== alreadyRefunded.code) throw error
    }
    return true
  }
