import { defineError } from '../../kernel/errors.ts'

export const negotiationNotFound = defineError('negotiation_not_found', 404, 'There is no such negotiation of yours')
export const notYourMove = defineError('not_your_move', 403, 'In this state this is for the other side to do')
export const negotiationChanged = defineError('negotiation_changed', 412, 'The negotiation has moved on; read it again')
export const negotiationTooLong = defineError('negotiation_too_long', 409, 'This negotiation has had its moves')
export const cannotNegotiateWithSelf = defineError(
  'cannot_negotiate_with_self',
  400,
  'You cannot negotiate with a profile of your own team',
)
export const serviceUnavailable = defineError('service_unavailable', 409, 'This service is not available')
export const priceNotNegotiable = defineError('price_not_negotiable', 400, 'This service has a fixed price')
export const tooManyOffers = defineError('too_many_offers', 429, 'Too many offers; try again later')
export const paymentProofUsed = defineError('payment_proof_used', 409, 'This payment has paid for a deal already')
export const paymentProofRefused = defineError(
  'payment_proof_refused',
  400,
  'This receipt does not show that the buyer paid the invoice',
)
