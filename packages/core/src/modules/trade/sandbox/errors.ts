import { defineError } from '../../../kernel/errors.ts'

export const tooManyTokens = defineError(
  'too_many_tokens',
  429,
  'Too many tokens of the sandbox are open; they expire within a day',
)
export const tokenExpiryInvalid = defineError(
  'token_expiry_invalid',
  400,
  'expiresAt must be in the future, and at most one hour away',
)
