import { defineError, type ErrorDefinition } from '../../kernel/errors.ts'

export const paymentRequired = defineError(
  'payment_required',
  402,
  'This has a price; pay one of the offers and repeat the request',
)
export const accessForbidden = defineError(
  'access_forbidden',
  403,
  'Access to this is limited, and no payment opens it',
)
export const proofReplayed = defineError('proof_replayed', 403, 'One of these proofs was used before')
export const legallyRestricted = defineError('legally_restricted', 451, 'This may not be shown for legal reasons')
export const nothingToPay = defineError('nothing_to_pay', 409, 'This is open to you already')
export const priceMismatch = defineError('price_mismatch', 409, 'This is not sold at this price')
export const resourceNotNamed = defineError(
  'payment_resource_unknown',
  400,
  'This payment does not say for which page here it is; name it by did and resource',
)
export const returnNotAllowed = defineError(
  'return_not_allowed',
  400,
  'Payers are led back to this service and its own sites only',
)
export const x402NotConfigured = defineError('x402_not_configured', 503, 'This service takes no payments by x402')
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
export const methodUnsupported = defineError(
  'method_unsupported',
  400,
  'This payment method is not supported here; answer a challenge of the 402',
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
