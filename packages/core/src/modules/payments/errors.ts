import { defineError, type ErrorDefinition } from '../../kernel/errors.ts'

export const paymentRequired = defineError(
  'payment_required',
  402,
  'This has a price; pay one of the offers and repeat the request',
)
export const notTakenNow = defineError(
  'payment_not_taken_now',
  503,
  'Payments cannot be recorded now, so none was taken; repeat the same request',
)
export const notSoldThere = defineError(
  'not_sold_there',
  400,
  'This cannot be bought this way: its price is not taken there, or it is paid for each request',
)
export const paymentIdentifierConflict = defineError(
  'payment_identifier_conflict',
  409,
  'This payment identifier stands for another payment; a new payment needs a new one',
)
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
  'Nobody saw whether the money went back; ask again, which gives it back once',
)
export const receiptNotFound = defineError('receipt_not_found', 404, 'No such receipt')
export const methodUnsupported = defineError(
  'method_unsupported',
  400,
  'Nobody here is paid by the method of this credential; answer a challenge of the 402',
)
export const receiptPdfBusy = defineError(
  'receipt_pdf_busy',
  503,
  'Too many receipts are being written as PDF; try again later',
)

const stripeNotConfigured = defineError('stripe_not_configured', 503, 'This service takes no cards at present')

const notConfigured = new Map<string, ErrorDefinition>([['stripe', stripeNotConfigured]])

/** The error of a processor, by its name, that this service does not use: `stripe_not_configured`. */
export function processorNotConfigured(processor: string): ErrorDefinition {
  const known = notConfigured.get(processor)
  if (known) return known
  const made = defineError(`${processor}_not_configured`, 503, stripeNotConfigured.message)
  notConfigured.set(processor, made)
  return made
}
