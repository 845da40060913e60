import type { Payment } from '../../ports/storage/payments.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import type { Emit } from '../../runtime/events/define-event.ts'

/** A purchase from the service itself. */
export interface PlatformSale {
  readonly payment: Payment
  readonly receiptId: string
  readonly paidAt: Date
}

/** Delivers a purchase from the service itself, in the transaction that records the payment and its receipt. */
export type DeliverPlatformSale = (sale: PlatformSale, tx: Stores, emit: Emit) => Promise<void>

/** What a module sells for the service itself: resources whose names begin with the name of the module. */
export interface PlatformSales {
  /**
   * Delivers a purchase: each once, because one transaction records the payment, its receipt and what was bought. When it throws,
   * nothing is recorded, and the payment is recovered later as after a crash.
   */
  readonly deliver: DeliverPlatformSale
}
