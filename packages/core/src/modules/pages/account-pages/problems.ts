import { retrySeconds, waitText } from '../../../http/html/wait-text.ts'
import type { EepError } from '../../../kernel/errors.ts'
import type { PageLanguage } from '../../../model/messages.ts'
import { recentSignInRequired } from '../../../model/recent-proof.ts'
import type { ProblemKey } from './messages.ts'
import { problemMessages } from './messages.ts'

// Maps, because codes and reasons can be any text, such as the name of a member that every object has.
const keysOf = (keys: Readonly<Record<string, ProblemKey>>): ReadonlyMap<string, ProblemKey> =>
  new Map(Object.entries(keys))

const BY_CODE = keysOf({
  invalid_credentials: 'invalidCredentials',
  account_banned: 'accountBanned',
  wrong_password: 'wrongPassword',
  passkey_not_found: 'passkeyGone',
  login_capacity_exceeded: 'busy',
  email_taken: 'emailTaken',
  username_taken: 'usernameTaken',
  username_reserved: 'usernameReserved',
  invalid_or_expired_token: 'invalidToken',
  wrong_second_factor: 'wrongCode',
  second_factor_exists: 'secondFactorExists',
  second_factor_not_found: 'secondFactorNotFound',
  already_verified: 'alreadyVerified',
  recent_sign_in_required: 'recentProof',
})

const WAITING = keysOf({
  too_many_wrong_passwords: 'wrongPasswords',
  verification_sent: 'verificationSent',
  too_many_wrong_codes: 'wrongCodes',
  rate_limited: 'tooManyForms',
})

const WEAKNESSES = keysOf({
  too_short: 'tooShort',
  too_long: 'tooLong',
  no_uppercase: 'noUppercase',
  no_lowercase: 'noLowercase',
  no_number: 'noNumber',
  common: 'common',
})

const OAUTH = keysOf({
  invalid_state: 'oauthState',
  missing_code: 'oauthCode',
  invalid_email: 'oauthEmail',
  email_linked_other: 'oauthOther',
  access_denied: 'oauthDenied',
  callback_failed: 'oauthFailed',
})

/** Returns what a password lacks, from the details of `weak_password`; undefined for reasons that are not known. */
export function weaknessText(details: unknown, page: PageLanguage): string | undefined {
  const say = problemMessages(page)
  const { reasons = [] } = (details ?? {}) as { readonly reasons?: readonly string[] }
  const needs = reasons.flatMap((reason) => WEAKNESSES.get(reason) ?? []).map((key) => say(key))
  const list = new Intl.ListFormat(page.language).format(needs)
  return needs.length > 0 ? say('weakPassword', { needs: list }) : undefined
}

/** Returns an error in the language of the page, with the time to wait. Errors of the host keep their own words. */
export function problemText(error: EepError, page: PageLanguage): string {
  const say = problemMessages(page)
  if (error.code === 'weak_password') return weaknessText(error.details, page) ?? error.message
  const waiting = WAITING.get(error.code)
  if (waiting) return say(waiting, { time: waitText(page, retrySeconds(error) ?? 60) })
  const key = BY_CODE.get(error.code)
  return key ? say(key) : error.message
}

/**
 * Returns why a sign-in at a provider failed. Providers can report other codes.
 *
 * @param detail - the code of the error with which this service or its host refused the account
 */
export function oauthProblemText(reason: string, detail: string | undefined, page: PageLanguage): string {
  if (reason === 'callback_failed' && detail !== undefined) {
    const known = detail === recentSignInRequired.code ? 'oauthRecent' : BY_CODE.get(detail)
    return problemMessages(page)(known ?? 'oauthRefused')
  }
  const key = OAUTH.get(reason) ?? (reason.endsWith('_mismatch') ? 'oauthMismatch' : 'oauthFailed')
  return problemMessages(page)(key)
}
