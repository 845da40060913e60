import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { NO_BOT } from '../../model/bot.ts'
import { canonicalAddress } from '../documents/canonical-address.ts'
import { takeSuffix } from '../documents/format-suffix.ts'
import type { Representations } from '../documents/representation-cache.ts'
import type { HttpEnvironment } from '../environment.ts'
import { chosenLanguage, languageOfAddress } from '../html/chosen-language.ts'
import type { SiteFor } from '../html/sites.ts'
import type { RouteConfig } from '../routes.ts'
import { hasOneHost, isPipelined } from '../server-options.ts'
import { isSocketUpgrade, readProtocolToken } from '../sockets/socket-upgrade.ts'
import { authorize } from './admit.ts'
import { closeUnfinished } from './body-timeout.ts'
import { allowOrigin, varyByOrigin } from './cors.ts'
import { takeDispatched } from './dispatched.ts'
import { type IdentifyOptions, identifyAgain } from './identify.ts'
import { EEP_VERSION } from './protocol-version.ts'

/** The configuration for paths without a route. */
const NOWHERE: RouteConfig = { auth: 'none', tag: 'system', operationId: '', summary: '' }

export interface BeginOptions extends IdentifyOptions {
  readonly environment: Pick<
    HttpEnvironment,
    'cookies' | 'onAgentAccess' | 'onVisit' | 'portraitOf' | 'isStopping' | 'bodyTimeoutMs' | 'isSandbox'
  >
  readonly basePath: string
  readonly representations: Representations
  readonly siteFor: SiteFor
  /** Whether this listener compresses responses itself. */
  readonly compresses: boolean
  /** The origins of other sites whose pages may use cookies. */
  readonly credentialed: ReadonlySet<string>
  /** The methods to allow for a preflight; undefined for other requests. */
  readonly preflightOf: (request: FastifyRequest) => readonly string[] | undefined
}

/** Begins a request: creates its context, and sets the headers that every response has. */
export function begin(options: BeginOptions): onRequestHookHandler {
  const { environment, basePath, siteFor, representations, compresses, credentialed, preflightOf } = options
  const { authenticators, ownOrigins } = options
  const { cookies, onAgentAccess, onVisit, portraitOf, isStopping, bodyTimeoutMs, isSandbox } = environment

  function setHeaders(request: FastifyRequest, reply: FastifyReply, { auth }: RouteConfig): void {
    reply
      .header('eep-version', EEP_VERSION)
      .header('x-content-type-options', 'nosniff')
      .header('x-request-id', request.id)
    if (isSandbox) reply.header('x-eep-sandbox', 'true')
    // HTTP/2 has no such header: its connections end with a GOAWAY frame.
    if (isStopping() && request.raw.httpVersionMajor !== 2) reply.header('connection', 'close')
    allowOrigin(request, reply, credentialed)
    // Streams write their headers themselves, so the hook that adds it runs too late for them.
    if (credentialed.size > 0) varyByOrigin(reply)
    // A default that routes can override.
    if (auth !== 'none') reply.header('cache-control', 'private, no-store')
  }

  return (request, reply, done) => {
    if (isPipelined(request.raw, reply.raw)) {
      reply.hijack()
      request.raw.destroy()
      return
    }
    // The getter of Fastify creates a new object on each access.
    const { routeOptions } = request
    const preflight = preflightOf(request)
    const ofRoute = (preflight ? undefined : routeOptions.config.eep) ?? NOWHERE
    const isUpgrade = ofRoute.upgrade !== undefined && isSocketUpgrade(request)
    const route = isUpgrade ? { ...ofRoute, ...ofRoute.upgrade } : ofRoute
    const isMalformed = !hasOneHost(request.raw)
    // Before the suffix is taken from the parameters.
    const canonical = isMalformed ? undefined : canonicalAddress(request, routeOptions)
    const suffix = takeSuffix(request, routeOptions)
    const named = languageOfAddress(request)
    const site = siteFor(request.headers['accept-language'], chosenLanguage(request, named, cookies))
    const receivedAt = performance.now()
    const dispatched = takeDispatched(request)
    const [caller, agent, identified] = [undefined, undefined, {}]
    const { bot = NO_BOT, botCheck, searchEngine } = dispatched ?? {}
    const context = {
      route,
      receivedAt,
      basePath,
      site,
      named,
      representations,
      compresses,
      cookies,
      suffix,
      onAgentAccess,
      onVisit,
      portraitOf,
    }
    const program = { bot, botCheck, searchEngine, dispatched }
    request.eep = { ...context, ...program, caller, agent, identified, preflight, canonical, isMalformed }
    setHeaders(request, reply, route)
    closeUnfinished(request, reply, bodyTimeoutMs)
    if (isUpgrade) readProtocolToken(request)
    if (isUpgrade || route.staysOpen) {
      request.eep.authenticateAgain = async (token) => {
        const again = await identifyAgain(request, authenticators, ownOrigins, token)
        authorize(route, again, request)
        return again.caller
      }
    }
    done()
  }
}
