import { defineError } from '../../../kernel/errors.ts'

export const usdcNotConfigured = defineError(
  'usdc_not_configured',
  503,
  'USDC payments are not configured on this service',
)
export const usdcOperatorConfigMissing = defineError(
  'usdc_operator_config_missing',
  503,
  'The x402 rail of this service has no payTo address',
)
export const yearNotForSale = defineError('year_not_for_sale', 400, 'This tier is not sold by the year')
export const invalidYearChallenge = defineError(
  'invalid_year_challenge',
  400,
  'This challenge was not issued for this account and tier',
)
export const yearChallengeExpired = defineError(
  'year_challenge_expired',
  400,
  'This challenge has expired and nothing was charged; request another one',
)
export const payerMismatch = defineError('payer_mismatch', 400, 'The payment was not made by the given payer')
