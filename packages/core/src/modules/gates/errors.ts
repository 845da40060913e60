import { defineError } from '../../kernel/errors.ts'

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
export const staleGate = defineError(
  'gate_version_mismatch',
  412,
  'The gate configuration was changed since you read it',
)
export const gateVersionNotFound = defineError(
  'gate_version_not_found',
  404,
  'This version of the gate configuration does not exist or is no longer kept',
)
export const entitlementNotFound = defineError('entitlement_not_found', 404, 'No such entitlement')
export const recipientNotFound = defineError('recipient_not_found', 404, 'No account has this id or username')
export const unknownTier = defineError('unknown_tier', 400, 'This gate has no such tier')
export const x402NotConfigured = defineError('x402_not_configured', 503, 'This service takes no payments by x402')
