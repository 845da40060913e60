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
export const tierExists = defineError('tier_exists', 409, 'The gate has a tier of this name already')
export const presetNotOpen = defineError(
  'preset_not_open',
  409,
  'The preset is for what everyone may read now, and this is not; change the tiers that cover it first',
)
export const tierInUse = defineError(
  'tier_in_use',
  409,
  'A tier of several resources covers this one; change that tier in the gate',
)
export const priceNotFound = defineError('price_not_found', 404, 'No tier sells this resource alone')
