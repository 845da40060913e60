import type { Per } from '../../ports/payment-rail.ts'

export interface PaymentEvents {
  'payments.payment_settled': {
    readonly receiptId: string
    readonly rail: string
    readonly resource: string
    readonly tier: string
    readonly per: Per
    readonly amount: { readonly decimal: string; readonly currency: string }
  }
  'payments.payment_refunded': { readonly receiptId: string; readonly reference: string }
  /** A seller says that money went back; nothing changes until it is proven. */
  'payments.refund_claimed': { readonly receiptId: string; readonly reference: string }
  /** What a seller claimed turned out to be no refund of this receipt. */
  'payments.refund_rejected': { readonly receiptId: string; readonly reference: string; readonly reason: string }
  'payments.payment_refused': { readonly rail: string; readonly resource: string; readonly reason: string }
  'payments.payment_suspended': { readonly rail: string; readonly resource: string; readonly reason: string }
}
