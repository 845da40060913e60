import { requireGroup } from '../../../../runtime/storage/require-group.ts'
import { deliveryFailed } from '../../receipts/events.ts'
import type { Refunds } from '../../receipts/index.ts'
import type { SettlementDeps } from '../pay/settle.ts'

export interface CompensationDeps extends Pick<SettlementDeps, 'read' | 'write' | 'onTrouble'> {
  readonly refunds: Pick<Refunds, 'refundUndelivered'>
}

const AT_ONCE = 50

/** Compensates payments for which nothing was delivered. */
export function createCompensation({ read, write, onTrouble, refunds }: CompensationDeps) {
  return {
    /** Compensates what is due. Safe on several instances: each payment is taken by one of them. */
    async compensate(signal?: AbortSignal): Promise<void> {
      const owed = await write(async (tx, emit) => {
        const taken = await requireGroup(tx, 'paidRequests').paidRequests.takeUndelivered(AT_ONCE)
        for (const { payment, compensation, isFirst } of taken) {
          const { receiptId, rail, purchase, settlement } = payment
          if (!isFirst || receiptId === null || !settlement) continue
          const { resource, shown, profileId } = purchase
          const { decimal, currency } = settlement.amount
          emit(
            deliveryFailed,
            { receiptId, rail, resource, compensation, amount: { decimal, currency }, title: shown.description },
            { profileId },
          )
        }
        return taken
      })
      for (const { payment, compensation } of owed) {
        if (signal?.aborted) return
        if (compensation !== 'refund' || payment.receiptId === null) continue
        try {
          const receipt = await read.receipts.get(payment.receiptId)
          if (receipt) await refunds.refundUndelivered(receipt)
        } catch (error) {
          // It is taken again later.
          onTrouble(error, payment)
        }
      }
    },
  }
}
