import { defineError } from '../../../kernel/errors.ts'

export const providerNotConfigured = defineError(
  'provider_not_configured',
  501,
  'Signing in with this provider is not configured on this service',
)
export const unknownProvider = defineError('unknown_provider', 404, 'Unknown sign-in provider')
export const identityNotFound = defineError('identity_not_found', 404, 'The account is not linked to this provider')
export const lastWayToSignIn = defineError(
  'last_way_to_sign_in',
  409,
  'This is the last way to sign in to the account; set a password or add a passkey first',
)
export const oauthStartFailed = defineError(
  'oauth_start_failed',
  500,
  'Sign-in could not start because the provider did not respond correctly; try again later',
)
