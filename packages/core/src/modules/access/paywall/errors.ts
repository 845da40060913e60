import { defineError, type ErrorDefinition } from '../../../kernel/errors.ts'

export const paymentRequired = defineError(
  'payment_required',
  402,
  'Payment required; pay one of the offers and repeat the request',
  { form: 'payment_required' },
)
export const accessForbidden = defineError(
  'access_forbidden',
  403,
  'Access to this resource is restricted and cannot be bought',
  { form: 'access_restricted' },
)
export const proofReplayed = defineError('proof_replayed', 403, 'One of these proofs was used before')
export const legallyRestricted = defineError(
  'legally_restricted',
  451,
  'This resource is unavailable for legal reasons',
  { form: 'legally_restricted' },
)
export const nothingToPay = defineError(
  'nothing_to_pay',
  409,
  'You already have access to this resource; no payment is needed',
)
export const priceMismatch = defineError(
  'price_mismatch',
  409,
  'The resource is not sold at this price; read its current offers',
)
export const resourceNotNamed = defineError(
  'payment_resource_unknown',
  400,
  'The payment does not name a page of this service; send did and resource',
)
export const returnNotAllowed = defineError(
  'return_not_allowed',
  400,
  'The return address must be on this service or its configured sites',
)
export const x402NotConfigured = defineError(
  'x402_not_configured',
  503,
  'x402 payments are not configured on this service',
)
export const notTakenNow = defineError(
  'payment_not_taken_now',
  503,
  'Payments cannot be recorded at the moment, and nothing was charged; repeat the same request',
)
export const notSoldThere = defineError(
  'not_sold_there',
  400,
  'This payment method does not support the price, or this resource is paid per request',
)
export const paymentIdentifierConflict = defineError(
  'payment_identifier_conflict',
  409,
  'This payment identifier was used for another payment; use a new one',
)
export const conflictingPriceHeaders = defineError(
  'conflicting_price_headers',
  400,
  'Send crawler-max-price or crawler-exact-price, not both',
)
export const invalidCrawlerPrice = defineError(
  'invalid_crawler_price',
  400,
  'Write the price as a currency and a decimal: USD 0.01',
)
export const methodUnsupported = defineError(
  'method_unsupported',
  400,
  'This payment method is not supported; use one of the challenges in the 402 response',
)

const stripeNotConfigured = defineError(
  'stripe_not_configured',
  503,
  'Card payments are not configured on this service',
)

const notConfigured = new Map<string, ErrorDefinition>([['stripe', stripeNotConfigured]])

/** The error of a processor that is not configured, by its name: `stripe_not_configured`. */
export function processorNotConfigured(processor: string): ErrorDefinition {
  const known = notConfigured.get(processor)
  if (known) return known
  const made = defineError(`${processor}_not_configured`, 503, stripeNotConfigured.message)
  notConfigured.set(processor, made)
  return made
}
