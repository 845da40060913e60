import type { onRequestHookHandler } from 'fastify'
import type { Clock } from '../../kernel/clock.ts'
import { forbidden, insufficientScope, unauthenticated } from '../../kernel/errors.ts'
import { type Caller, hasScope, isApp, isKey, isLimited } from '../../model/caller.ts'
import { requireRecentProof } from '../../model/recent-proof.ts'
import { type CookiePolicy, clearCookie } from '../cookies.ts'
import { viewerOf } from '../html/viewer.ts'
import type { RouteConfig } from '../routes.ts'
import { hasOneHost, malformedRequest } from '../server-options.ts'
import { claimedAgent, isSignedRequest } from './agent.ts'
import { appScopeOf } from './app-tokens.ts'
import { assertStorableText } from './assert-storable-text.ts'
import { csrf, type IdentifiedCaller, isUnidentified, SAFE_METHODS } from './identify.ts'
import { checkVersion } from './protocol-version.ts'

/**
 * Returns the caller of a public route. A credential that lacks the scope counts as anonymous. Callers who
 * cannot be identified may only read, because the effect of a change depends on its author.
 */
function visitorOf({ scope }: RouteConfig, identified: IdentifiedCaller, method: string): Caller | undefined {
  const { caller, refusal } = identified
  // Read as an anonymous visitor, a client whose token has expired would buy again what its account bought.
  if (refusal && identified.isOfApp) throw refusal
  // Public routes may also change data, so a cookie from another site is rejected instead of ignored.
  if (refusal?.code === csrf.code) throw refusal
  if (refusal && isUnidentified(refusal) && !SAFE_METHODS.has(method)) throw refusal
  if (caller === undefined || !isLimited(caller)) return caller
  return scope && hasScope(caller, scope) ? caller : undefined
}

const credentialsOf = (caller: Caller): string =>
  isKey(caller) ? 'API keys' : isApp(caller) ? 'Connected apps' : 'Credentials with scopes'

/** The scope that a caller with scopes needs for a route: undefined for none, false when no scope is enough. */
function scopeFor(route: RouteConfig, caller: Caller): string | false | undefined {
  if (isApp(caller)) return appScopeOf(route)
  return route.auth === 'key' ? route.scope : false
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
  const { caller, refusal, agent } = identified
  if (!caller && !refusal && (signed || agent) && route.agents) return undefined
  if (!caller) throw refusal ?? unauthenticated({ challenges: [{ scheme: 'Bearer' }] })
  if (isLimited(caller)) {
    const scope = scopeFor(route, caller)
    if (scope === false)
      throw forbidden({ message: `${credentialsOf(caller)} cannot be used for this request; sign in instead` })
    if (scope && !hasScope(caller, scope)) throw insufficientScope({ details: { required: scope } })
  }
  if (route.auth === 'admin' && !caller.isAdmin) throw forbidden()
  return caller
}

/**
 * The scope that a connected app lacks on a public route, which it then reads as an anonymous visitor. Sold or hidden resources may be
 * open to its account, so the response names the scope instead of the refusal for anonymous visitors.
 */
export const missingScope = ({ auth, scope }: RouteConfig, { caller }: IdentifiedCaller): string | undefined =>
  auth === 'none' && scope !== undefined && caller !== undefined && isApp(caller) && !hasScope(caller, scope)
    ? scope
    : undefined

/**
 * Admits a request to its route, or throws: the head of the request must be valid, and the route must allow the caller, in some cases only
 * soon after a proof of the person. Names the agent that the request claims to be.
 */
export const admit =
  ({ cookies, clock }: { readonly cookies: CookiePolicy; readonly clock: Clock }): onRequestHookHandler =>
  (request, reply, done) => {
    const { route, identified } = request.eep
    // Deletes the cookie of a session that has ended.
    if (route.auth !== 'none' && identified.refusal?.status === 401 && identified.isOfCookie) {
      clearCookie(reply, cookies.names.session, cookies)
    }
    if (!hasOneHost(request.raw)) throw malformedRequest({ message: 'A request must have exactly one Host header' })
    checkVersion(request.headers['eep-version'])
    assertStorableText(request.params, 'path')
    if (!route.anyQuery) assertStorableText(request.query, 'query')
    // The signature of a request names its agent, whatever other credential the request has.
    const proven = isSignedRequest(request) ? undefined : identified.agent
    request.eep.agent = proven ?? claimedAgent(request)
    // A DID alone proves nothing, so an unsigned request counts as new.
    if (request.eep.agent) reply.header('x-eep-trust-state', 'cold_start')
    const { method } = request
    request.eep.caller = authorize(route, identified, { method, signed: isSignedRequest(request) })
    const { caller } = request.eep
    request.eep.missingScope = missingScope(route, identified)
    // What an API key may do is in its scopes.
    if (route.recent === true && caller && caller.keyId === undefined) requireRecentProof(caller, clock())
    const viewer = viewerOf(request, caller)
    if (viewer) request.eep.site = { ...request.eep.site, viewer }
    if (identified.refusal && isUnidentified(identified.refusal)) request.eep.unidentified = identified.refusal
    done()
  }
