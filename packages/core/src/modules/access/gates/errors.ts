import { defineError } from '../../../kernel/errors.ts'

export const staleGate = defineError(
  'gate_version_mismatch',
  412,
  'The gate configuration was changed since you read it',
)
export const priceNotPayable = defineError('price_not_payable', 422, 'No configured payment method takes this price')
export const gateVersionNotFound = defineError(
  'gate_version_not_found',
  404,
  'This version of the gate configuration does not exist or is no longer kept',
)
