import { oauthError } from '../oauth-error.ts'
import { isChallenge } from '../pkce.ts'
import { parseResource, type Resources } from '../resource.ts'
import { parseScope } from '../scopes.ts'

/** The longest query of an authorization request. */
const MAX_QUERY = 8_192
/** RFC 8707 lets a request name several resources. */
const REPEATABLE: ReadonlySet<string> = new Set(['resource'])

/** What an authorization request (RFC 6749, 4.1.1) contains. */
export interface AuthorizationParameters {
  /** The query as it was sent, without a question mark. */
  readonly query: string
  /** Returns a parameter; undefined for one that is missing or empty, as RFC 6749, 3.1, asks. */
  get(name: string): string | undefined
  readonly resources: readonly string[]
}

/**
 * Reads the query of an authorization request.
 *
 * @throws `invalid_request` for a query above 8 KiB, and for a parameter that is repeated
 */
export function readParameters(query: string): AuthorizationParameters {
  if (Buffer.byteLength(query) > MAX_QUERY) throw oauthError('invalid_request', 'The request is longer than 8 KiB')
  const parameters = new URLSearchParams(query)
  const names = [...parameters.keys()]
  const repeated = names.find((name, at) => !REPEATABLE.has(name) && names.indexOf(name) !== at)
  if (repeated !== undefined) throw oauthError('invalid_request', `The parameter ${repeated} is repeated`)
  return {
    query,
    get: (name) => parameters.get(name) || undefined,
    resources: parameters.getAll('resource').filter((resource) => resource !== ''),
  }
}

/** What a service grants, and where. */
export interface Grantable {
  readonly scopes: readonly string[]
  /** The addresses that tokens can be issued for, now. */
  readonly resources: () => Resources
}

/** An authorization request that can be shown to a person. */
export interface CheckedRequest {
  readonly scopes: readonly string[]
  readonly resources: readonly string[]
  readonly challenge: string
  /** How old the proof of the person may be, in seconds. Undefined when the app asks for none. */
  readonly maxAge: number | undefined
}

/** A request with `prompt=login` is answered only when the person proved lately to own the account. */
const FRESH_SECONDS = 60
const MAX_AGE = /^\d{1,9}$/

const refusals = {
  request: ['request_not_supported', 'Send the parameters in the query, not as an object'],
  request_uri: ['request_uri_not_supported', 'Send the parameters in the query, not by reference'],
} as const

function maxAgeOf(parameters: AuthorizationParameters): number | undefined {
  const text = parameters.get('max_age')
  if (text !== undefined && !MAX_AGE.test(text)) throw oauthError('invalid_request', 'max_age must be seconds')
  const prompts = parameters.get('prompt')?.split(' ') ?? []
  if (prompts.includes('none')) throw oauthError('interaction_required', 'The person is always asked')
  const ages = [...(text === undefined ? [] : [Number(text)]), ...(prompts.includes('login') ? [FRESH_SECONDS] : [])]
  return ages.length === 0 ? undefined : Math.min(...ages)
}

/**
 * Checks a request of an app that may use its redirect URI.
 *
 * @throws an error of OAuth, for the redirect URI
 */
export function checkParameters(parameters: AuthorizationParameters, grantable: Grantable): CheckedRequest {
  for (const name of ['request', 'request_uri'] as const) {
    const [code, text] = refusals[name]
    if (parameters.get(name) !== undefined) throw oauthError(code, text)
  }
  const mode = parameters.get('response_mode')
  if (mode !== undefined && mode !== 'query') throw oauthError('invalid_request', 'response_mode must be query')
  const type = parameters.get('response_type')
  if (type === undefined) throw oauthError('invalid_request', 'response_type is missing')
  if (type !== 'code') throw oauthError('unsupported_response_type', 'response_type must be code')
  const challenge = parameters.get('code_challenge')
  if (challenge === undefined || parameters.get('code_challenge_method') !== 'S256' || !isChallenge(challenge))
    throw oauthError('invalid_request', 'A code_challenge with code_challenge_method=S256 is required')
  return {
    challenge,
    resources: parseResource(parameters.resources, grantable.resources()),
    scopes: parseScope(parameters.get('scope'), grantable.scopes),
    maxAge: maxAgeOf(parameters),
  }
}
