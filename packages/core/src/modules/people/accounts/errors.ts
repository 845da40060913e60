import { defineError, type ErrorContext } from '../../../kernel/errors.ts'

export const emailTaken = defineError('email_taken', 409, 'An account with this email address already exists')
export const weakPassword = defineError('weak_password', 400, 'This password is too weak')
export const invalidCredentials = defineError('invalid_credentials', 401, 'Incorrect email address or password')
export const tooManyWrongPasswords = defineError(
  'too_many_wrong_passwords',
  429,
  'Too many wrong passwords for this email address; wait, or reset the password',
)
export const secondFactorRequired = defineError(
  'second_factor_required',
  401,
  'Two-factor authentication is required: send a code with this token to /auth/login/second-factor',
)
export const wrongSecondFactor = defineError('wrong_second_factor', 401, 'The code is wrong or was used before')
export const tooManyWrongCodes = defineError(
  'too_many_wrong_codes',
  429,
  'Too many codes for this account; try again later',
)
export const secondFactorExists = defineError(
  'second_factor_exists',
  409,
  'Two-factor authentication is already enabled; disable it first',
)
export const secondFactorNotFound = defineError(
  'second_factor_not_found',
  404,
  'Two-factor authentication is not set up for this account',
)
export const invalidToken = defineError('invalid_token', 401, 'This token is not valid or has expired; sign in again')
export const sessionNotFound = defineError('session_not_found', 404, 'Session not found, or it has ended')
export const accountBanned = defineError('account_banned', 403, 'This account is banned')
export const deletionScheduled = defineError('deletion_scheduled', 403, 'This account is about to be deleted')
export const wrongPassword = defineError('wrong_password', 401, 'The password is wrong')
export const invalidOrExpiredToken = defineError(
  'invalid_or_expired_token',
  400,
  'The token is invalid, used or expired; request another email',
)
export const emailUnchanged = defineError('email_unchanged', 400, 'This is the email address of the account already')
export const alreadyVerified = defineError('already_verified', 400, 'The email address is already verified')
export const verificationSent = defineError(
  'verification_sent',
  400,
  'A verification email was sent recently; wait before you request another one',
)
export const noCodeRequested = defineError(
  'no_code_requested',
  400,
  'No deletion code was requested; request one at /auth/account/delete-code',
)
export const codeExpired = defineError('code_expired', 400, 'This code has expired; request a new one')
export const wrongCode = defineError('wrong_code', 401, 'The code does not match the one in the email')
export const loginCapacityExceeded = defineError(
  'login_capacity_exceeded',
  503,
  'Too many concurrent sign-ins; try again later',
)

/** The challenge of a 401 (RFC 6750). */
export const CREDENTIALS_NEEDED: ErrorContext = { challenges: [{ scheme: 'Bearer' }] }
export const TOKEN_REFUSED: ErrorContext = {
  challenges: [{ scheme: 'Bearer', parameters: { error: 'invalid_token' } }],
}
