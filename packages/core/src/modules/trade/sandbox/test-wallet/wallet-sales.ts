import { createHash } from 'node:crypto'
import type { Clock } from '../../../../kernel/clock.ts'
import { isEepError } from '../../../../kernel/errors.ts'
import { SANDBOX_NETWORK } from '../../../../ports/money-kind.ts'
import type { ReceiptWithRefund } from '../../../../ports/storage/payments.ts'
import type { GuardedStorage } from '../../../../runtime/storage/guard.ts'
import { alreadyRefunded, type ReceiptService } from '../../../access/receipts/index.ts'

export interface WalletSalesDeps extends GuardedStorage<'sandbox'> {
  readonly clock: Clock
  readonly receipts: Pick<ReceiptService, 'ofNetwork'> & {
    readonly refunds: Pick<ReceiptService['refunds'], 'recordProven'>
  }
}

/** The most sales that are listed. */
const LISTED = 20

/** The sales that were paid with play money, and their refunds. The service makes these in place of the seller, without its signature. */
export function createWalletSales({ read, write, clock, receipts }: WalletSalesDeps) {
  return {
    list: (): Promise<readonly ReceiptWithRefund[]> => receipts.ofNetwork(SANDBOX_NETWORK, LISTED),

    /**
     * Pays a sale back and records the refund, once. A repetition after a crash completes it.
     *
     * @returns false when the sale is not on the list, or the seller no longer has enough money
     */
    async refund(receiptId: string): Promise<boolean> {
      const receipt = (await receipts.ofNetwork(SANDBOX_NETWORK, LISTED)).find((one) => one.receiptId === receiptId)
      const { transaction } = receipt?.settlement ?? {}
      const paid = transaction ? await read.sandboxWallets.getTransaction(transaction) : undefined
      if (!receipt || !paid) return false
      // One transfer for each sale, however often it is asked for.
      const nonce = `refund of ${receiptId}`
      const hash = `0x${createHash('sha256').update(`${paid.to}|${nonce}`).digest('hex')}`
      const back = { from: paid.to, to: paid.from, nonce, atomic: paid.atomic, transaction: hash }
      // After the payment, also when the clock of this machine was set back.
      const at = new Date(Math.max(clock().getTime(), paid.at.getTime() + 1))
      const outcome = await write((tx) => tx.sandboxWallets.transfer({ ...back, isAuthorized: false, at }))
      if (outcome === 'insufficient_balance') return false
      try {
        await receipts.refunds.recordProven(receipt, hash)
      } catch (error) {
        if (!isEepError(error) || error.code !== alreadyRefunded.code) throw error
      }
      return true
    },
  }
}

export type WalletSales = ReturnType<typeof createWalletSales>
