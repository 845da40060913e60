import { defineError } from '../../../kernel/errors.ts'

export const requestExpired = defineError(
  'authorization_request_expired',
  400,
  'The authorization request has expired, or belongs to another account or session; start again in the app',
)
export const profileNotAllowed = defineError(
  'app_profile_not_allowed',
  403,
  'The account has no role in the profile that the app should act for',
)
export const appNotFound = defineError('connected_app_not_found', 404, 'No connected app of this account has this id')
export const appCannotSpend = defineError(
  'app_cannot_spend',
  409,
  'This app cannot get scopes that spend: other programs can claim its name',
)
export const userCodeNotFound = defineError(
  'user_code_not_found',
  404,
  'No device waits for this code; it may have expired or been used',
)
export const tooManyUserCodes = defineError('too_many_user_codes', 429, 'Too many codes were tried; try again later')
