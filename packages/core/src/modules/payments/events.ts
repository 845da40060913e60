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
  'payments.payment_refused': { readonly rail: string; readonly resource: string; readonly reason: string }
  'payments.payment_suspended': { readonly rail: string; readonly resource: string; readonly reason: string }
}
