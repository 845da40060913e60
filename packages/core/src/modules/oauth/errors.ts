import { defineError } from '../../kernel/errors.ts'

export const providerNotConfigured = defineError(
  'provider_not_configured',
  501,
  'Signing in with this provider is not configured on this service',
)
export const unknownProvider = defineError('unknown_provider', 404, 'Unknown sign-in provider')
export const oauthStartFailed = defineError(
  'oauth_start_failed',
  500,
  'Sign-in could not start because the provider did not respond correctly; try again later',
)
