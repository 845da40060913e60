import { defineError } from '../../kernel/errors.ts'

export const alreadyRefunded = defineError('already_refunded', 409, 'The money of this receipt went back already')
export const refundNotProven = defineError(
  'refund_not_proven',
  400,
  'This transfer does not give the money of this receipt back',
)
export const refundReferenceUsed = defineError(
  'refund_reference_used',
  409,
  'This transfer already confirmed the refund of another receipt',
)
export const refundNotClaimed = defineError(
  'refund_not_claimed',
  409,
  'No refund of this receipt waits for confirmation',
)
export const refundPending = defineError(
  'refund_pending',
  503,
  'The outcome of the refund is unknown; repeat the request, which refunds once',
)
export const receiptNotFound = defineError('receipt_not_found', 404, 'No such receipt')
export const receiptPdfBusy = defineError(
  'receipt_pdf_busy',
  503,
  'Too many receipts are being written as PDF; try again later',
)
export const entitlementNotFound = defineError('entitlement_not_found', 404, 'No such entitlement')
export const recipientNotFound = defineError('recipient_not_found', 404, 'No account has this id or username')
export const unknownTier = defineError('unknown_tier', 400, 'This gate has no such tier')
