import { EepError, type ErrorContext } from '../../../kernel/errors.ts'

/** The error codes of OAuth that the service sends, and the status of each in a response. */
const STATUS = {
  // RFC 6749, 4.1.2.1 and 5.2
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  access_denied: 400,
  server_error: 500,
  temporarily_unavailable: 503,
  // RFC 8707
  invalid_target: 400,
  // RFC 7591
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  // RFC 8628
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
  // OpenID Connect Core 3.1.2.6, for `prompt` and requests as objects
  interaction_required: 400,
  login_required: 400,
  request_not_supported: 400,
  request_uri_not_supported: 400,
} as const

/** An error code of OAuth. */
export type OAuthErrorCode = keyof typeof STATUS

/** Whether a text is an error code that {@link oauthError} takes. */
export const isOAuthErrorCode = (text: string): text is OAuthErrorCode => Object.hasOwn(STATUS, text)

const MAX_DESCRIPTION = 300

/** A text within the characters of `error_description` (RFC 6749, 4.1.2.1): printable ASCII without `"` and `\`. */
const descriptionOf = (text: string): string =>
  text
    .replaceAll('"', "'")
    .replaceAll('\\', '/')
    .replaceAll(/[^\x20-\x7e]/g, '')
    .slice(0, MAX_DESCRIPTION)

/** What an OAuth error can carry besides its code. */
export interface OAuthErrorContext extends Pick<ErrorContext, 'retryAfterMs' | 'challenges' | 'cause'> {
  /** Replaces the status of the code. */
  readonly status?: number | undefined
}

/**
 * Creates an error of an OAuth route. Its JSON body is that of RFC 6749, 5.2, with `code` beside `error`.
 *
 * @param description - one English sentence for developers. Characters that OAuth does not permit are left out
 * @example
 * throw oauthError('invalid_grant', 'The code has expired')
 */
export function oauthError(code: OAuthErrorCode, description: string, context: OAuthErrorContext = {}): EepError {
  const { status = STATUS[code], ...facts } = context
  const message = descriptionOf(description)
  return new EepError({ code, status, message }, { ...facts, body: { error: code, error_description: message, code } })
}

/** What a response in the address of an app has besides its parameters. */
export interface RedirectContext {
  /** The `state` of the request, sent back as it is. */
  readonly state?: string | undefined
  /** The issuer (RFC 9207). */
  readonly issuer: string
}

/**
 * The address of a response to an app: its redirect URI with parameters added to the query. A query that the address has is kept.
 *
 * @param redirectUri - an address that the app may use, without a fragment
 */
export function redirectWith(
  redirectUri: string,
  parameters: Readonly<Record<string, string | undefined>>,
  { state, issuer }: RedirectContext,
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({ ...parameters, state, iss: issuer })) {
    if (value !== undefined) query.append(name, value)
  }
  const separator = !redirectUri.includes('?') ? '?' : /[?&]$/.test(redirectUri) ? '' : '&'
  return `${redirectUri}${separator}${query}`
}

/** The address that reports to an app an error of its authorization request. */
export const errorRedirect = (
  redirectUri: string,
  { code, message }: Pick<EepError, 'code' | 'message'>,
  context: RedirectContext,
): string =>
  redirectWith(
    redirectUri,
    { error: isOAuthErrorCode(code) ? code : 'server_error', error_description: descriptionOf(message) },
    context,
  )
