import { defineError } from '../../../kernel/errors.ts'

export const negotiationNotFound = defineError(
  'negotiation_not_found',
  404,
  'Negotiation not found, or you are not a party to it',
)
export const notYourMove = defineError('not_your_move', 403, 'Only the other party can do this in the current state')
export const negotiationChanged = defineError('negotiation_changed', 412, 'The negotiation has changed; read it again')
export const negotiationTooLong = defineError(
  'negotiation_too_long',
  409,
  'This negotiation has reached its maximum number of moves',
)
export const cannotNegotiateWithSelf = defineError(
  'cannot_negotiate_with_self',
  400,
  'You cannot negotiate with a profile of your own team',
)
export const serviceUnavailable = defineError('service_unavailable', 409, 'This service is not available')
export const priceNotNegotiable = defineError('price_not_negotiable', 400, 'This service has a fixed price')
export const tooManyOffers = defineError('too_many_offers', 429, 'Too many offers; try again later')
export const paymentProofUsed = defineError(
  'payment_proof_used',
  409,
  'This payment was already used for another negotiation',
)
export const paymentProofRefused = defineError(
  'payment_proof_refused',
  400,
  'The receipt does not prove that the buyer paid the invoice',
)
