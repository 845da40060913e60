import { defineError } from '../../kernel/errors.ts'

export const usdcNotConfigured = defineError('usdc_not_configured', 503, 'This service takes no payments in USDC')
export const usdcOperatorConfigMissing = defineError(
  'usdc_operator_config_missing',
  503,
  'The x402 rail of this service has no payTo address',
)
export const yearNotForSale = defineError('year_not_for_sale', 400, 'This tier is not sold by the year')
export const invalidYearChallenge = defineError(
  'invalid_year_challenge',
  400,
  'This challenge is not one of ours for this account and this tier',
)
export const yearChallengeExpired = defineError(
  'year_challenge_expired',
  400,
  'This challenge has run out; nothing was taken, ask for another one',
)
export const payerMismatch = defineError('payer_mismatch', 400, 'The payment is not by the payer that is named')
