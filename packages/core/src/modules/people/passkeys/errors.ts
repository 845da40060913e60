import { defineError } from '../../../kernel/errors.ts'
import { loginCapacityExceeded, tooManyWrongPasswords, wrongPassword } from '../accounts/index.ts'

export const passkeyRefused = defineError(
  'passkey_refused',
  401,
  'This passkey was not accepted; request new options and try again, or sign in with the password',
)
export const passkeyConfirmationRequired = defineError(
  'passkey_confirmation_required',
  403,
  'Send the password or the response of a passkey; an account without a password can also sign in again',
)
export const passkeyChallengeRefused = defineError(
  'passkey_challenge_refused',
  400,
  'The challenge is unknown, used or expired; request new options',
)
export const passkeyRegistrationRefused = defineError(
  'passkey_registration_refused',
  400,
  'The response of the device does not match its options; request new options and try again',
)
export const passkeyExists = defineError('passkey_exists', 409, 'This passkey is already registered')
export const passkeyLimitReached = defineError(
  'passkey_limit_reached',
  409,
  'An account can have 20 passkeys; delete one before adding another',
)
export const passkeyNotFound = defineError('passkey_not_found', 404, 'Passkey not found')

/** The errors of routes that delete passkeys after a proof of the owner. */
export const DELETION_ERRORS = [
  wrongPassword,
  tooManyWrongPasswords,
  passkeyRefused,
  passkeyChallengeRefused,
  loginCapacityExceeded,
]
