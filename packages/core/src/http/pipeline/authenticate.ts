import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import {
  defineError,
  type EepError,
  forbidden,
  insufficientScope,
  isEepError,
  unauthenticated,
} from '../../kernel/errors.ts'
import type { Caller } from '../../model/caller.ts'
import { storageUnavailable } from '../../ports/storage/storage.ts'
import { readCookies } from '../cookies.ts'
import type { RouteConfig } from '../routes.ts'
import { isSocketUpgrade } from '../sockets/socket-upgrade.ts'

export const csrf = defineError('csrf', 403, 'Session cookies are not accepted from other sites')

const API_KEY_PREFIX = 'eep_'

/** The caller, or the reason why the request's credentials were rejected. */
export interface IdentifiedCaller {
  readonly caller?: Caller | undefined
  readonly refusal?: EepError | undefined
}

/** Identifies callers by their credentials. Each function throws an `EepError` for invalid credentials. */
export interface Authenticators {
  /** Returns the caller of an API key. */
  apiKey(key: string): Promise<Caller>
  /** Returns the caller that the host authenticated; undefined for anonymous requests. Absent without host authentication. */
  host?(headers: IncomingHttpHeaders): Promise<Caller | undefined>
  /** Returns the caller of a session token that came in the cookie or as bearer token. */
  session(token: string, carrier: 'cookie' | 'bearer'): Promise<Caller>
}

/** Returns the token of an `Authorization` header with this scheme; undefined for other schemes. */
function authorizationToken(header: string | undefined, scheme: string): string | undefined {
  if (!header) return undefined
  const space = header.indexOf(' ')
  if (space < 0 || header.slice(0, space).toLowerCase() !== scheme) return undefined
  return header.slice(space + 1).trim()
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

const isOwn = (origin: string, { host }: FastifyRequest, ownOrigins: ReadonlySet<string>) =>
  ownOrigins.has(origin) || (URL.canParse(origin) && new URL(origin).host === host)

/**
 * Whether a page of another site sent a request that cookies must not authenticate: one that can change something, or one
 * that opens a WebSocket, whose messages the page could read.
 */
export function isForeign(request: FastifyRequest, ownOrigins: ReadonlySet<string>): boolean {
  if (SAFE_METHODS.has(request.method) && !isSocketUpgrade(request)) return false
  const { origin, 'sec-fetch-site': site } = request.headers
  // Under an address other than the public URL, such as `localhost`, the browser compares the origins. No browser names
  //   another host beside `same-origin`; `null` is what it sends from pages without a referrer.
  if (site === 'same-origin') return origin !== undefined && origin !== 'null' && !isOwn(origin, request, ownOrigins)
  return origin === undefined ? site === 'cross-site' : !ownOrigins.has(origin)
}

/**
 * Tries one way to identify the caller. A rejection is returned, for routes that require a caller. A caller who cannot be
 * looked up while the storage is unavailable can still read public resources.
 */
async function attempt(work: () => Promise<Caller | undefined>): Promise<IdentifiedCaller> {
  try {
    return { caller: await work() }
  } catch (error) {
    if (isEepError(error) && (error.status < 500 || error.code === storageUnavailable.code)) return { refusal: error }
    throw error
  }
}

/** The token in the session cookie of a request. */
export const sessionCookieOf = (request: FastifyRequest) => readCookies(request)[request.eep.cookies.names.session]

/** Whether the only credential of a request is a session cookie. */
export const cameByCookie = (request: FastifyRequest): boolean =>
  request.headers.authorization === undefined &&
  request.headers['x-api-key'] === undefined &&
  Boolean(sessionCookieOf(request))

/** Returns the API key in the query, on routes that accept it there. */
function keyInQuery({ query, eep }: FastifyRequest): string | undefined {
  if (!eep.route.keyInQuery) return undefined
  const { api_key: key } = query as { readonly api_key?: unknown }
  return typeof key === 'string' ? key : undefined
}

const ANONYMOUS: IdentifiedCaller = {}

/**
 * Identifies the caller by API key, host authentication, bearer token or session cookie, in this order. API keys have our
 * own format, so the host is not asked about them. Returns synchronously for requests without credentials.
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
    // The host may authenticate by cookie, which browsers also send from other sites.
    if (known.caller && isForeign(request, ownOrigins)) return { refusal: csrf() }
    if (known.caller || known.refusal) return known
  }

  if (bearer !== undefined) return attempt(() => authenticators.session(bearer, 'bearer'))
  const cookie = sessionCookieOf(request)
  if (!cookie) return ANONYMOUS
  if (isForeign(request, ownOrigins)) return { refusal: csrf() }
  return attempt(() => authenticators.session(cookie, 'cookie'))
}

/**
 * Identifies the caller of a request again, by the credentials of the request or by another token.
 *
 * @throws when the credentials are no longer valid
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

/** Whether a caller could not be looked up because the storage is unavailable. */
export const isUnidentified = ({ code }: EepError): boolean => code === storageUnavailable.code

const hasScope = ({ scopes }: Caller, scope: string) => scopes === 'all' || scopes.includes(scope)

/**
 * Returns the caller of a public route. A request with an API key that lacks the scope counts as anonymous. Callers who
 * cannot be identified may only read, because the effect of a change depends on its author.
 */
function visitorOf({ scope }: RouteConfig, { caller, refusal }: IdentifiedCaller, method: string): Caller | undefined {
  // Public routes may also change data, so a cookie from another site is rejected instead of ignored.
  if (refusal?.code === csrf.code) throw refusal
  if (refusal && isUnidentified(refusal) && !SAFE_METHODS.has(method)) throw refusal
  if (caller?.via !== 'key') return caller
  return scope && hasScope(caller, scope) ? caller : undefined
}

/**
 * Returns the caller of a route, and throws when the route does not allow them. Routes that accept agents let signed
 * requests pass; the signature is verified when the body is read.
 */
export function authorize(
  route: RouteConfig,
  identified: IdentifiedCaller,
  { method, signed = false }: { readonly method: string; readonly signed?: boolean },
): Caller | undefined {
  if (route.auth === 'none') return visitorOf(route, identified, method)
  const { caller, refusal } = identified
  if (!caller && !refusal && signed && route.agents) return undefined
  if (!caller) throw refusal ?? unauthenticated({ challenges: [{ scheme: 'Bearer' }] })
  if (caller.via === 'key') {
    if (route.auth !== 'key') throw forbidden({ message: 'API keys cannot be used for this request; sign in instead' })
    const { scope } = route
    if (scope && !hasScope(caller, scope)) throw insufficientScope({ details: { required: scope } })
  }
  if (route.auth === 'admin' && !caller.isAdmin) throw forbidden()
  return caller
}
