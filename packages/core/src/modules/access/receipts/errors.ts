import { defineError } from '../../../kernel/errors.ts'

export const alreadyRefunded = defineError('already_refunded', 409, 'This receipt was already refunded')
export const refundNotProven = defineError('refund_not_proven', 400, 'This transfer is not a refund of this receipt')
export const refundReferenceUsed = defineError(
  'refund_reference_used',
  409,
  'This transfer already confirmed the refund of another receipt',
)
export const refundNotClaimed = defineError(
  'refund_not_claimed',
  409,
  'No claimed refund of this receipt is waiting for confirmation',
)
export const refundPending = defineError(
  'refund_pending',
  503,
  'The outcome of the refund is unknown; repeat the request, which never refunds twice',
)
export const receiptNotFound = defineError('receipt_not_found', 404, 'Receipt not found')
export const receiptPdfDisabled = defineError(
  'receipt_pdf_disabled',
  503,
  'PDF receipts are not configured on this service',
)
export const receiptPdfBusy = defineError(
  'receipt_pdf_busy',
  503,
  'Too many PDF receipts are being created; try again later',
)
export const entitlementNotFound = defineError('entitlement_not_found', 404, 'Entitlement not found')
export const recipientNotFound = defineError('recipient_not_found', 404, 'No account has this id or username')
export const unknownTier = defineError('unknown_tier', 400, 'The gate does not have this tier')
export const invalidSalesPeriod = defineError(
  'invalid_sales_period',
  400,
  'from must be before to, and sums by day can span at most 400 days',
)
