import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest, onRequestHookHandler } from 'fastify'
import { defineError, type EepError, isEepError, unauthenticated } from '../../kernel/errors.ts'
import type { Agent } from '../../model/agent.ts'
import type { Caller } from '../../model/caller.ts'
import { storageUnavailable } from '../../ports/storage/storage.ts'
import { readCookies } from '../cookies.ts'
import { isSocketUpgrade } from '../sockets/socket-upgrade.ts'
import { APP_TOKEN_PREFIX, type AppTokens, resourceOf } from './app-tokens.ts'
import {
  authorizationToken,
  credentialIn,
  type IdentifiedByModule,
  isSentByBrowsers,
  type ModuleAuthenticator,
} from './authenticator.ts'

export const csrf = defineError('csrf', 403, 'Session cookies are not accepted from other sites')

const API_KEY_PREFIX = 'eep_'

/** The caller, or the reason why the request's credentials were rejected. */
export interface IdentifiedCaller {
  readonly caller?: Caller | undefined
  readonly refusal?: EepError | undefined
  /** The agent that a credential of a module proves. */
  readonly agent?: Agent | undefined
  /** Whether the request has a credential in a carrier of a module, accepted or not. */
  readonly isOfModule?: boolean | undefined
  /** Whether the refusal is that of a session cookie. */
  readonly isOfCookie?: boolean | undefined
  /** Whether the request has the token of a connected app, accepted or not. */
  readonly isOfApp?: boolean | undefined
}

const ANONYMOUS: IdentifiedCaller = {}

/** Identifies callers by their credentials. Each function throws an `EepError` for invalid credentials. */
export interface Authenticators {
  /** Returns the caller of an API key. */
  apiKey(key: string): Promise<Caller>
  /** Identifies connected apps. Absent when nothing connects them. */
  readonly apps?: AppTokens
  /** Returns the caller that the host authenticated; undefined for anonymous requests. Absent without host authentication. */
  host?(headers: IncomingHttpHeaders): Promise<Caller | undefined>
  /** Returns the caller of a session token that came in the cookie or as bearer token. */
  session(token: string, carrier: 'cookie' | 'bearer'): Promise<Caller>
  /** Those of modules, for credentials that the contract does not define. */
  readonly modules: readonly ModuleAuthenticator[]
}

/** The methods that change nothing. */
export const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

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
const attempt = (work: () => Promise<Caller | undefined>): Promise<IdentifiedCaller> =>
  attemptAny(async () => ({ caller: await work() }))

async function attemptAny(work: () => Promise<IdentifiedByModule | undefined>): Promise<IdentifiedCaller> {
  try {
    return (await work()) ?? ANONYMOUS
  } catch (error) {
    if (isEepError(error) && (error.status < 500 || error.code === storageUnavailable.code)) return { refusal: error }
    throw error
  }
}

/** The token in the session cookie of a request. */
export const sessionCookieOf = (request: FastifyRequest) => readCookies(request)[request.eep.cookies.names.session]

/** Returns the API key in the query, on routes that accept it there. */
function keyInQuery({ query, eep }: FastifyRequest): string | undefined {
  if (!eep.route.keyInQuery) return undefined
  const { api_key: key } = query as { readonly api_key?: unknown }
  return typeof key === 'string' ? key : undefined
}

/** A credential that a request has in the carrier of a module. */
interface Presented {
  readonly credential: string
  readonly authenticator: ModuleAuthenticator
}

const presentedTo = (request: FastifyRequest, modules: readonly ModuleAuthenticator[]): readonly Presented[] =>
  modules.flatMap((authenticator) => {
    // A route for tokens reads no cookie: pages of all sites may call it.
    if (request.eep.route.tokensOnly && authenticator.carrier.cookie !== undefined) return []
    const credential = credentialIn(request, authenticator.carrier)
    return credential === undefined || credential === '' ? [] : { credential, authenticator }
  })

/**
 * Identifies the caller by API key, token of a connected app, credential of a module, host authentication, bearer token or session
 * cookie, in this order. API keys and tokens of apps have our own format, so the host is not asked about them. Returns synchronously for requests without credentials.
 */
export function identify(
  request: FastifyRequest,
  authenticators: Authenticators,
  ownOrigins: ReadonlySet<string>,
): IdentifiedCaller | Promise<IdentifiedCaller> {
  const { authorization, cookie, 'x-api-key': key } = request.headers
  const isAnonymous =
    authorization === undefined && cookie === undefined && key === undefined && keyInQuery(request) === undefined
  const presented = authenticators.modules.length === 0 ? [] : presentedTo(request, authenticators.modules)
  if (presented.length > 0) return identifyByModules(request, authenticators, ownOrigins, presented)
  if (isAnonymous && !authenticators.host) return ANONYMOUS
  return identifyByCredentials(request, authenticators, ownOrigins)
}

async function identifyByModules(
  request: FastifyRequest,
  authenticators: Authenticators,
  ownOrigins: ReadonlySet<string>,
  presented: readonly Presented[],
): Promise<IdentifiedCaller> {
  const ofModules = () => firstOf(request, presented, ownOrigins)
  return { ...(await identifyByCredentials(request, authenticators, ownOrigins, ofModules)), isOfModule: true }
}

/** Asks modules one after the other, until one knows its credential or refuses it. */
async function firstOf(
  request: FastifyRequest,
  presented: readonly Presented[],
  ownOrigins: ReadonlySet<string>,
): Promise<IdentifiedCaller> {
  for (const { credential, authenticator } of presented) {
    const found = await attemptAny(() => authenticator.identify(credential))
    if (found === ANONYMOUS) continue
    // Browsers also send these for pages of other sites.
    const isForged = isSentByBrowsers(authenticator.carrier) && !found.refusal && isForeign(request, ownOrigins)
    return isForged ? { refusal: csrf() } : found
  }
  return ANONYMOUS
}

async function identifyByCredentials(
  request: FastifyRequest,
  authenticators: Authenticators,
  ownOrigins: ReadonlySet<string>,
  ofModules?: () => Promise<IdentifiedCaller>,
): Promise<IdentifiedCaller> {
  const { headers } = request
  const bearer = authorizationToken(headers.authorization, 'bearer')
  const header = headers['x-api-key']
  const sent = typeof header === 'string' ? header : bearer?.startsWith(API_KEY_PREFIX) ? bearer : undefined
  const key = sent ?? (bearer === undefined ? keyInQuery(request) : undefined)
  if (key !== undefined) return attempt(() => authenticators.apiKey(key))
  const { apps } = authenticators
  if (apps && bearer?.startsWith(APP_TOKEN_PREFIX)) {
    return { ...(await attempt(() => apps.authenticate(bearer, resourceOf(request)))), isOfApp: true }
  }

  const known = ofModules ? await ofModules() : ANONYMOUS
  if (known !== ANONYMOUS) return known

  // These are for people, who do not give them to programs.
  if (request.eep.route.tokensOnly) return bearer === undefined ? ANONYMOUS : { refusal: unauthenticated() }
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
  return { ...(await attempt(() => authenticators.session(cookie, 'cookie'))), isOfCookie: true }
}

/** Identifies the caller of a token that came without the other headers of a request. */
async function identifyByToken(
  token: string,
  { apiKey, apps, host, session }: Authenticators,
): Promise<IdentifiedCaller> {
  if (token.startsWith(API_KEY_PREFIX)) return attempt(() => apiKey(token))
  if (apps && token.startsWith(APP_TOKEN_PREFIX)) return attempt(() => apps.authenticate(token, ''))
  const known = host ? await attempt(() => host({ authorization: `Bearer ${token}` })) : ANONYMOUS
  return known.caller || known.refusal ? known : attempt(() => session(token, 'bearer'))
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
  const { caller, refusal } = await (token === undefined
    ? identify(request, authenticators, ownOrigins)
    : identifyByToken(token, authenticators))
  if (!caller) throw refusal ?? unauthenticated()
  return { caller }
}

/** Whether a caller could not be looked up because the storage is unavailable. */
export const isUnidentified = ({ code }: EepError): boolean => code === storageUnavailable.code

/** What identifies the callers of a listener. */
export interface IdentifyOptions {
  readonly authenticators: Authenticators
  readonly ownOrigins: ReadonlySet<string>
}

/**
 * Identifies the caller of a request. A failure is kept until the request was counted, by its address.
 *
 * The hook calls back instead of returning a promise, because most requests have no credentials.
 */
export const identifyCaller =
  ({ authenticators, ownOrigins }: IdentifyOptions): onRequestHookHandler =>
  (request, _reply, done) => {
    const { eep } = request
    // Before anything is looked up, so that a redirect reveals nothing and uses up no credential.
    const identified =
      eep.canonical !== undefined || eep.route.hasOwnToken
        ? ANONYMOUS
        : (eep.dispatched?.identified ?? identify(request, authenticators, ownOrigins))
    if (!(identified instanceof Promise)) {
      eep.identified = identified
      eep.caller = identified.caller
      done()
      return
    }
    identified
      .then((found) => {
        eep.identified = found
        eep.caller = found.caller
      })
      .catch((error: Error) => {
        eep.failure = error
      })
      .then(() => done(), done)
  }
