import { defineError } from '../../kernel/errors.ts'

export { settlementPending } from '../../ports/payment-rail.ts'

export const paymentRequired = defineError(
  'payment_required',
  402,
  'This has a price; pay one of the offers and repeat the request',
)
export const receiptNotFound = defineError('receipt_not_found', 404, 'No such receipt')
