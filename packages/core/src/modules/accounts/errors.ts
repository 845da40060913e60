import { defineError, type ErrorContext } from '../../kernel/errors.ts'

export const emailTaken = defineError('email_taken', 409, 'This mail address has an account already')
export const weakPassword = defineError('weak_password', 400, 'This password is too weak')
export const invalidCredentials = defineError('invalid_credentials', 401, 'Mail address or password is wrong')
export const invalidToken = defineError('invalid_token', 401, 'This token is not valid or has expired; sign in again')
export const accountBanned = defineError('account_banned', 403, 'This account is banned')
export const busy = defineError('busy', 503, 'Too many people are signing in at this moment; try again')

/** What a 401 tells a client about how to come back (RFC 6750). */
export const CREDENTIALS_NEEDED: ErrorContext = { headers: { 'WWW-Authenticate': 'Bearer' } }
export const TOKEN_REFUSED: ErrorContext = { headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' } }
