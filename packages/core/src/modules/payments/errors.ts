import { defineError } from '../../kernel/errors.ts'

export const paymentRequired = defineError(
  'payment_required',
  402,
  'This has a price; pay one of the offers and repeat the request',
)
export const settlementPending = defineError(
  'settlement_pending',
  503,
  'The outcome of this payment is not known yet; repeat the same request with the same payment',
)
export const receiptNotFound = defineError('receipt_not_found', 404, 'No such receipt')
