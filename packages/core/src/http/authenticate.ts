import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import {
  defineError,
  type EepError,
  forbidden,
  insufficientScope,
  isEepError,
  unauthenticated,
} from '../kernel/errors.ts'
import type { Caller } from '../model/caller.ts'
import { storageUnavailable } from '../ports/storage/storage.ts'
import { readCookies } from './cookies.ts'
import type { RouteConfig } from './routes.ts'
import { isSocketUpgrade } from './sockets/socket-upgrade.ts'

export const csrf = defineError('csrf', 403, 'A cookie session may not be used from another site')

const API_KEY_PREFIX = 'eep_'

/** The caller, or why the credentials that came do not count. */
export interface IdentifiedCaller {
  readonly caller?: Caller | undefined
  readonly refusal?: EepError | undefined
}

/** Ways to recognise a caller. They throw an EepError when what they were shown is not good. */
export interface Authenticators {
  /** The account of an API key. */
  apiKey(key: string): Promise<Caller>
  /** The account of a user whom the host knows; undefined for an anonymous request. Missing without host authentication. */
  host?(headers: IncomingHttpHeaders): Promise<Caller | undefined>
  /** The account of a session token. */
  session(token: string): Promise<Caller>
}

/** The token of an `Authorization` header of one scheme; undefined for another scheme. */
function authorizationToken(header: string | undefined, scheme: string): string | undefined {
  if (!header) return undefined
  const space = header.indexOf(' ')
  if (space < 0 || header.slice(0, space).toLowerCase() !== scheme) return undefined
  return header.slice(space + 1).trim()
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a browser sent a request from a page of another site that must not act with a cookie: one that may change something, or
 * that opens a WebSocket, whose messages the page could read.
 */
export function isForeign(request: FastifyRequest, ownOrigins: ReadonlySet<string>): boolean {
  if (SAFE_METHODS.has(request.method) && !isSocketUpgrade(request)) return false
  const { origin } = request.headers
  if (origin !== undefined) return !ownOrigins.has(origin)
  return request.headers['sec-fetch-site'] === 'cross-site'
}

/**
 * Recognises a caller in one way; refusals are kept for routes that want to know who calls. A caller who cannot be looked
 * up while the storage is unavailable still reads what is open to everyone.
 */
async function attempt(work: () => Promise<Caller | undefined>): Promise<IdentifiedCaller> {
  try {
    return { caller: await work() }
  } catch (error) {
    if (isEepError(error) && (error.status < 500 || error.code === storageUnavailable.code)) return { refusal: error }
    throw error
  }
}

const sessionCookieOf = (request: FastifyRequest) => readCookies(request)[request.eep.cookies.names.session]

/** Whether the only credential of a request is a session cookie. */
export const cameByCookie = (request: FastifyRequest): boolean =>
  request.headers.authorization === undefined &&
  request.headers['x-api-key'] === undefined &&
  Boolean(sessionCookieOf(request))

/** The API key in the query of a route that takes one there. */
function keyInQuery({ query, routeOptions }: FastifyRequest): string | undefined {
  if (!routeOptions.config.eep?.keyInQuery) return undefined
  const { api_key: key } = query as { readonly api_key?: unknown }
  return typeof key === 'string' ? key : undefined
}

const ANONYMOUS: IdentifiedCaller = {}

/**
 * Recognises the caller by API key, by the host, by bearer token or by session cookie, in this order. A key is ours
 * beyond doubt, so the host is not asked about it. Returns no promise for a request without credentials.
 */
export function identify(
  request: FastifyRequest,
  authenticators: Authenticators,
  ownOrigins: ReadonlySet<string>,
): IdentifiedCaller | Promise<IdentifiedCaller> {
  const { authorization, cookie, 'x-api-key': key } = request.headers
  const isAnonymous =
    authorization === undefined && cookie === undefined && key === undefined && keyInQuery(request) === undefined
  if (isAnonymous && !authenticators.host) return ANONYMOUS
  return identifyByCredentials(request, authenticators, ownOrigins)
}

async function identifyByCredentials(
  request: FastifyRequest,
  authenticators: Authenticators,
  ownOrigins: ReadonlySet<string>,
): Promise<IdentifiedCaller> {
  const { headers } = request
  const bearer = authorizationToken(headers.authorization, 'bearer')
  const header = headers['x-api-key']
  const sent = typeof header === 'string' ? header : bearer?.startsWith(API_KEY_PREFIX) ? bearer : undefined
  const key = sent ?? (bearer === undefined ? keyInQuery(request) : undefined)
  if (key !== undefined) return attempt(() => authenticators.apiKey(key))

  const { host } = authenticators
  if (host) {
    const known = await attempt(() => host(headers))
    // What the host goes by may be a cookie, which a browser sends from any site.
    if (known.caller && isForeign(request, ownOrigins)) return { refusal: csrf() }
    if (known.caller || known.refusal) return known
  }

  if (bearer !== undefined) return attempt(() => authenticators.session(bearer))
  const cookie = sessionCookieOf(request)
  if (!cookie) return ANONYMOUS
  if (isForeign(request, ownOrigins)) return { refusal: csrf() }
  return attempt(async () => ({ ...(await authenticators.session(cookie)), via: 'cookie' }))
}

/**
 * Recognises the caller of a request once more: by its own credentials, or by a token in their place.
 *
 * @throws the refusal of the credentials
 */
export async function identifyAgain(
  request: FastifyRequest,
  authenticators: Authenticators,
  ownOrigins: ReadonlySet<string>,
  token?: string,
): Promise<IdentifiedCaller & { readonly caller: Caller }> {
  const shown: FastifyRequest =
    token === undefined
      ? request
      : Object.create(request, {
          headers: { value: { authorization: `Bearer ${token}` } satisfies IncomingHttpHeaders },
        })
  const { caller, refusal } = await identify(shown, authenticators, ownOrigins)
  if (!caller) throw refusal ?? unauthenticated()
  return { caller }
}

/** Whether a caller may have an account but cannot be looked up, because the storage is unavailable. */
export const isUnidentified = ({ code }: EepError): boolean => code === storageUnavailable.code

const hasScope = ({ scopes }: Caller, scope: string) => scopes === 'all' || scopes.includes(scope)

/**
 * The caller of a public route: a key counts within its scopes, otherwise the request is anonymous.
 * A caller who cannot be identified only reads: what a request changes depends on whose it is.
 */
function visitorOf({ scope }: RouteConfig, { caller, refusal }: IdentifiedCaller, method: string): Caller | undefined {
  // A cookie from another site must not act, and a route for everybody may act: it is refused, not ignored.
  if (refusal?.code === csrf.code) throw refusal
  if (refusal && isUnidentified(refusal) && !SAFE_METHODS.has(method)) throw refusal
  if (caller?.via !== 'key') return caller
  return scope && hasScope(caller, scope) ? caller : undefined
}

/**
 * The caller of a route, as far as the route needs; throws when the caller is not allowed. A signing agent is
 * by where the route takes agents: its signature is checked when the body is read.
 */
export function authorize(
  route: RouteConfig,
  identified: IdentifiedCaller,
  { method, signed = false }: { readonly method: string; readonly signed?: boolean },
): Caller | undefined {
  if (route.auth === 'none') return visitorOf(route, identified, method)
  const { caller, refusal } = identified
  if (!caller && !refusal && signed && route.agents) return undefined
  if (!caller) throw refusal ?? unauthenticated({ headers: { 'WWW-Authenticate': 'Bearer' } })
  if (caller.via === 'key') {
    if (route.auth !== 'key') throw forbidden({ message: 'API keys may not do this; sign in' })
    const { scope } = route
    if (scope && !hasScope(caller, scope)) throw insufficientScope({ details: { required: scope } })
  }
  if (route.auth === 'admin' && !caller.isAdmin) throw forbidden()
  return caller
}
