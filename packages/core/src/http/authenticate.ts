import type { FastifyRequest } from 'fastify'
import { defineError, type EepError, forbidden, isEepError, unauthenticated } from '../kernel/errors.ts'
import type { Caller } from '../modules/accounts/caller.ts'
import { readCookies } from './cookies.ts'
import type { RouteFacts } from './routes.ts'

export const invalidApiKey = defineError('invalid_api_key', 401, 'This API key is unknown, revoked or expired')
export const insufficientScope = defineError('insufficient_scope', 403, 'This API key lacks a scope')
export const csrf = defineError('csrf', 403, 'A cookie session may not be used from another site')

export const SESSION_COOKIE = 'eep_session'
const API_KEY_PREFIX = 'eep_'

/** The caller, or why the credentials that came do not count. */
export interface IdentifiedCaller {
  readonly caller?: Caller | undefined
  readonly refusal?: EepError | undefined
}

/** Ways to recognise a caller. A way that is missing knows nobody. */
export interface Authenticators {
  /** The account of a session token. Throws an EepError when the token is not good. */
  session(token: string): Promise<Caller>
  /** The account of an API key. */
  apiKey?(key: string): Promise<Caller>
}

/** The token of an `Authorization` header of one scheme; undefined for another scheme. */
function authorizationToken(header: string | undefined, scheme: string): string | undefined {
  if (!header) return undefined
  const space = header.indexOf(' ')
  if (space < 0 || header.slice(0, space).toLowerCase() !== scheme) return undefined
  return header.slice(space + 1).trim()
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A browser says where a request comes from; a cookie counts only when that is us or nobody said. */
function isForeign(request: FastifyRequest, ownOrigins: ReadonlySet<string>): boolean {
  if (SAFE_METHODS.has(request.method)) return false
  const { origin } = request.headers
  if (origin !== undefined) return !ownOrigins.has(origin)
  return request.headers['sec-fetch-site'] === 'cross-site'
}

async function attempt(work: () => Promise<Caller>): Promise<IdentifiedCaller> {
  try {
    return { caller: await work() }
  } catch (error) {
    if (isEepError(error) && error.status === 401) return { refusal: error }
    throw error
  }
}

/** Whether the only credential of a request is a session cookie. */
export const cameByCookie = (request: FastifyRequest): boolean =>
  request.headers.authorization === undefined &&
  request.headers['x-api-key'] === undefined &&
  Boolean(readCookies(request)[SESSION_COOKIE])

/** Recognises the caller by `X-API-Key`, `Authorization: Bearer` or the session cookie, in this order. */
export function identify(
  request: FastifyRequest,
  authenticators: Authenticators,
  ownOrigins: ReadonlySet<string>,
): IdentifiedCaller | Promise<IdentifiedCaller> {
  const { headers } = request
  const bearer = authorizationToken(headers.authorization, 'bearer')
  const header = headers['x-api-key']
  const key = typeof header === 'string' ? header : bearer?.startsWith(API_KEY_PREFIX) ? bearer : undefined

  if (key !== undefined) {
    const { apiKey } = authenticators
    return apiKey ? attempt(() => apiKey(key)) : { refusal: invalidApiKey() }
  }
  if (bearer !== undefined) return attempt(() => authenticators.session(bearer))
  const cookie = readCookies(request)[SESSION_COOKIE]
  if (!cookie) return {}
  if (isForeign(request, ownOrigins)) return { refusal: csrf() }
  return attempt(async () => ({ ...(await authenticators.session(cookie)), via: 'cookie' }))
}

/** Whether the caller may call this route at all; throws when not. */
export function authorize(route: RouteFacts, { caller, refusal }: IdentifiedCaller): void {
  if (route.auth === 'none') {
    // A cookie from another site must not act, and a route for everybody may act: it is refused, not ignored.
    if (refusal?.code === csrf.code) throw refusal
    return
  }
  if (!caller) throw refusal ?? unauthenticated({ headers: { 'WWW-Authenticate': 'Bearer' } })
  if (caller.via === 'key') {
    if (route.auth !== 'key') throw forbidden({ message: 'API keys may not do this; sign in' })
    const { scope } = route
    if (scope && caller.scopes !== 'all' && !caller.scopes.includes(scope)) {
      throw insufficientScope({ details: { required: scope } })
    }
  }
  if (route.auth === 'admin' && !caller.isAdmin) throw forbidden()
}
