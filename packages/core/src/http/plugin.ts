import fastifyCompress from '@fastify/compress'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import { claimedAgent, isSignedRequest, verifiedAgent } from './pipeline/agent.ts'
import './augment.ts'
import { type EepError, errorDefinitions } from '../kernel/errors.ts'
import { clearCookie } from './cookies.ts'
import { addSlashAliases, canonicalAddress, redirectTo } from './documents/canonical-address.ts'
import { BROTLI_OPTIONS, ENCODINGS, MIN_COMPRESSED_BYTES } from './documents/encodings.ts'
import { addSuffixes, takeSuffix } from './documents/format-suffix.ts'
import { acceptsSockets, addHeadRoutes } from './documents/head-requests.ts'
import { compressOnRequest, showsErrorsAsHtml } from './documents/negotiation.ts'
import { answerFromCache } from './documents/response-cache.ts'
import type { HttpEnvironment } from './environment.ts'
import { explainConflict } from './host-conflicts.ts'
import { createSites } from './html/sites.ts'
import { replayResponses } from './idempotency/replay-responses.ts'
import { errorsSent, planLimitRefusals } from './metrics.ts'
import { describedRoutes, requireUniqueOperationIds } from './openapi/described-routes.ts'
import type { OpenApiDocument } from './openapi/openapi.ts'
import type { RegisteredRoute } from './openapi/registered-route.ts'
import { assertStorableText } from './pipeline/assert-storable-text.ts'
import {
  authorize,
  cameByCookie,
  type IdentifiedCaller,
  identify,
  identifyAgain,
  isUnidentified,
} from './pipeline/authenticate.ts'
import { limitBodyTime } from './pipeline/body-timeout.ts'
import { allowOrigin, answerPreflight, varyByOrigin } from './pipeline/cors.ts'
import { createErrorHandler, createNotFoundHandler } from './pipeline/error-handler.ts'
import { readJsonBodies } from './pipeline/json-body.ts'
import { registerListener } from './pipeline/listener-state.ts'
import { redactingSerializers, secretPathPattern } from './pipeline/logged-url.ts'
import { measureRequests } from './pipeline/measure-requests.ts'
import { checkVersion, EEP_VERSION } from './pipeline/protocol-version.ts'
import { traceRequests } from './pipeline/trace-requests.ts'
import { serializerCompiler, validatorCompiler } from './pipeline/validation.ts'
import type { EepRoutes, RateGroup, RouteConfig, ZodTypeProvider } from './routes.ts'
import { hasOneHost, isPipelined, malformedRequest, requireRoomForDids } from './server-options.ts'
import { forAnyServer } from './server-plugin.ts'
import { isSocketUpgrade, readProtocolToken } from './sockets/socket-upgrade.ts'
import { healthRoutes, systemRoutes } from './system.routes.ts'

/** The options of one listener. */
export interface HttpOptions {
  /**
   * Answers paths without a route with 404 in the error format of the service. Set it to `false` to leave them to the host:
   * a server can have only one not-found handler at the root prefix.
   * @default true
   */
  readonly notFound?: boolean | undefined
  /**
   * Serves `/health`, `/healthz`, `/health/live` and `/health/ready`. Set it to `false` to leave these paths to the host.
   * @default true
   */
  readonly health?: boolean | undefined
}

const MAX_BODY_BYTES = 1_048_576

/** The configuration for paths without a route. */
const NOWHERE: RouteConfig = { auth: 'none', tag: 'system', operationId: '', summary: '' }

/** Returns the configuration for a request: that of its route, or of the WebSocket upgrade it asks for. */
const requestedRoute = (request: FastifyRequest, route: RouteConfig): RouteConfig =>
  route.upgrade && isSocketUpgrade(request) ? { ...route, ...route.upgrade } : route

const withoutPrefix = (url: string, prefix: string) => url.slice(prefix.length) || '/'

/** @throws TypeError when a route names a rate group or a scope that no module defines */
function requireDefined(
  named: string,
  { limit, scope, upgrade }: RouteConfig,
  { rateGroups, knownScopes }: Pick<HttpEnvironment, 'rateGroups' | 'knownScopes'>,
): void {
  if (limit !== undefined && !rateGroups.includes(limit)) {
    throw new TypeError(`${named} counts in the rate group "${limit}", which no module defines`)
  }
  for (const each of [scope, upgrade?.scope]) {
    if (each !== undefined && !knownScopes.has(each)) {
      throw new TypeError(`${named} requires the scope "${each}", which no module defines`)
    }
  }
}

/** Collects the routes of the service as they are registered. For a path registered twice, the first route counts. */
function collectRoutes(app: FastifyInstance): Map<string, RegisteredRoute> {
  const routes = new Map<string, RegisteredRoute>()
  app.addHook('onRoute', ({ method, url, config, schema }) => {
    const route = config?.eep
    if (!route) return
    for (const each of [method].flat()) {
      if (each === 'HEAD' || each === 'OPTIONS') continue
      const path = withoutPrefix(url, app.prefix)
      const key = `${each} ${path}`
      if (!routes.has(key)) routes.set(key, { method: each, path, config: route, schema })
    }
  })
  return routes
}

/** HEAD comes last, as it is added to each GET. */
const methodsInOrder = (methods: ReadonlySet<string>) => [
  ...[...methods].filter((method) => method !== 'HEAD'),
  ...(methods.has('HEAD') ? ['HEAD'] : []),
]

/**
 * Handles CORS preflights on the first route of each path. Separate OPTIONS routes would make startup about 50 % slower. Returns a function that gives the methods to allow for a preflight; undefined for
 * other requests.
 */
function addPreflights(app: FastifyInstance): (request: FastifyRequest) => readonly string[] | undefined {
  const allowed = new Map<string, Set<string>>()
  app.addHook('onRoute', (route) => {
    const methods = [route.method].flat()
    if (!route.config?.eep || methods.includes('OPTIONS')) return
    const known = allowed.get(route.url)
    if (!known && !acceptsSockets(route)) route.method = [...methods, 'OPTIONS'] as HTTPMethods[]
    allowed.set(route.url, new Set([...(known ?? []), ...methods]))
  })
  return (request) => {
    const methods = request.method === 'OPTIONS' ? allowed.get(request.routeOptions.url ?? '') : undefined
    return methods && [...methodsInOrder(methods), 'OPTIONS']
  }
}

/** The description of the routes of a listener, complete once it is ready. */
interface ListenerRoutes {
  readonly registered: () => readonly RegisteredRoute[]
  readonly openApi: () => Promise<OpenApiDocument>
}

/** Adds the routes of the modules. */
type AddModules = (app: EepRoutes, routes: ListenerRoutes) => void

/**
 * Creates the Fastify plugin with the routes of the service on one listener. It is encapsulated: hooks, parsers, error
 * handler and decorators do not affect the host. Its prefix is added to relative links and never stored.
 */
export function createHttpPlugin(environment: HttpEnvironment, addModules: AddModules) {
  const { countRequest, bodyTimeoutMs, requestScope } = environment
  const plugin: FastifyPluginAsync<HttpOptions> = async (instance, { notFound = true, health = true }) => {
    const app = instance.withTypeProvider<ZodTypeProvider>()
    const basePath = app.prefix
    const { name, publicUrl, pages } = environment
    const isOffered = (key: string) => routes.has(key) && !routes.get(key)?.config.unavailable
    const has = (path: string) => isOffered(`GET ${path}`) || isOffered(`POST ${path}`)
    const port = () => {
      const address = app.server.address()
      return typeof address === 'object' ? address?.port : undefined
    }
    const siteFor = createSites({ name, publicUrl, basePath, has, port }, pages)
    const trusted = new Set(environment.trustedOrigins)
    // Pages of this origin do not need CORS.
    const own = new URL(environment.publicUrl).origin
    const credentialed = new Set(environment.trustedOrigins.filter((origin) => origin !== own))

    app.setValidatorCompiler(validatorCompiler)
    app.setSerializerCompiler(serializerCompiler)
    const countError = environment.metrics.counter(errorsSent)
    const countPlanLimit = environment.metrics.counter(planLimitRefusals)
    const planLimits = new Set(errorDefinitions().flatMap(({ code, isPlanLimit }) => (isPlanLimit ? [code] : [])))
    const onError = ({ code }: EepError) => {
      countError({ code })
      if (planLimits.has(code)) countPlanLimit({ code })
    }
    app.setErrorHandler(createErrorHandler({ docsUrl: `${publicUrl}/docs/errors`, site: siteFor(undefined), onError }))
    requireRoomForDids(instance, environment.longestDid)
    readJsonBodies(instance)
    const compresses = !app.hasReplyDecorator('compress')
    if (compresses) {
      await app.register(fastifyCompress, {
        encodings: [...ENCODINGS],
        threshold: MIN_COMPRESSED_BYTES,
        brotliOptions: BROTLI_OPTIONS,
      })
      compressOnRequest(instance)
    }
    if (!app.hasRequestDecorator('eep')) app.decorateRequest('eep')
    const { secretPaths } = registerListener(instance, environment)
    const logSerializers = redactingSerializers(instance.log)

    const begin = (
      request: FastifyRequest,
      reply: FastifyReply,
      routeOptions: FastifyRequest['routeOptions'],
      route: RouteConfig,
    ) => {
      const suffix = takeSuffix(request, routeOptions)
      const { cookies, onAgentAccess, onVisit } = environment
      const [caller, agent] = [undefined, undefined]
      const site = siteFor(request.headers['accept-language'])
      const receivedAt = performance.now()
      request.eep = {
        route,
        receivedAt,
        basePath,
        site,
        compresses,
        cookies,
        caller,
        agent,
        suffix,
        onAgentAccess,
        onVisit,
      }
      reply
        .header('eep-version', EEP_VERSION)
        .header('x-content-type-options', 'nosniff')
        .header('x-request-id', request.id)
      // HTTP/2 has no such header: its connections end with a GOAWAY frame.
      if (environment.isStopping() && request.raw.httpVersionMajor !== 2) reply.header('connection', 'close')
      limitBodyTime(request, reply, bodyTimeoutMs)
      allowOrigin(request, reply, credentialed)
      // Streams write their headers themselves, so the hook below does not run for them.
      if (credentialed.size > 0) varyByOrigin(reply)
      // A default that routes can override.
      if (route.auth !== 'none') reply.header('cache-control', 'private, no-store')
    }

    const inSpan = traceRequests(instance, environment.tracing)
    const enter = (request: FastifyRequest, work: () => void) =>
      inSpan(request, () => requestScope.run({ requestId: request.id }, work))

    const prepareToStayOpen = (request: FastifyRequest, route: RouteConfig) => {
      request.eep.authenticateAgain = async (token) => {
        const { caller } = await identifyAgain(request, environment.authenticators, trusted, token)
        authorize(route, { caller }, request)
        return caller
      }
    }

    const count = (request: FastifyRequest, reply: FastifyReply, { limit = 'default' }: RouteConfig) =>
      countRequest(request, reply, limit as RateGroup)

    async function identifyAndCount(
      request: FastifyRequest,
      reply: FastifyReply,
      route: RouteConfig,
      identifying: Promise<IdentifiedCaller>,
    ): Promise<IdentifiedCaller> {
      try {
        const identified = await identifying
        request.eep.caller = identified.caller
        return identified
      } finally {
        // Requests whose caller cannot be identified are counted by address.
        await count(request, reply, route)
      }
    }

    const admit = (
      request: FastifyRequest,
      reply: FastifyReply,
      route: RouteConfig,
      identified: IdentifiedCaller,
    ): void => {
      // Deletes the cookie of a session that has ended.
      if (route.auth !== 'none' && identified.refusal?.status === 401 && cameByCookie(request)) {
        clearCookie(reply, environment.cookies.names.session, environment.cookies)
      }
      if (!hasOneHost(request.raw)) throw malformedRequest({ message: 'A request must have exactly one Host header' })
      checkVersion(request.headers['eep-version'])
      assertStorableText(request.params, 'path')
      if (!route.anyQuery) assertStorableText(request.query, 'query')
      request.eep.agent = claimedAgent(request)
      // A DID alone proves nothing, so an unsigned request counts as new.
      if (request.eep.agent) reply.header('x-eep-trust-state', 'cold_start')
      const { method } = request
      request.eep.caller = authorize(route, identified, { method, signed: isSignedRequest(request) })
      if (identified.refusal && isUnidentified(identified.refusal)) request.eep.unidentified = identified.refusal
    }

    /** Returns the page to which a browser is sent from a route that returns JSON. */
    const pageFor = (request: FastifyRequest, { page }: RouteConfig): string | undefined => {
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      if (page === undefined || !isRead || !has(page) || !showsErrorsAsHtml(request)) return undefined
      const mark = request.url.indexOf('?')
      return `${basePath}${page}${mark < 0 ? '' : request.url.slice(mark)}`
    }

    // Callback hooks, because most requests have no credentials and need no promise.
    app.addHook('onRequest', (request, reply, done) => {
      enter(request, () => receive(request, reply, done))
    })

    function receive(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
      if (isPipelined(request.raw, reply.raw)) {
        reply.hijack()
        request.raw.destroy()
        return
      }
      // The getter of Fastify creates a new object on each access.
      const { routeOptions } = request
      const preflight = allowedMethods(request)
      const route = preflight ? NOWHERE : requestedRoute(request, routeOptions.config.eep ?? NOWHERE)
      const next = preflight ? () => answerPreflight(reply, preflight) : done
      // Before the suffix is taken from the parameters.
      const isMalformed = !hasOneHost(request.raw)
      const canonical = isMalformed ? undefined : canonicalAddress(request, routeOptions)
      begin(request, reply, routeOptions, route)
      const isUpgrade = route.upgrade !== undefined && isSocketUpgrade(request)
      if (isUpgrade) readProtocolToken(request)
      if (isUpgrade || route.staysOpen) prepareToStayOpen(request, route)
      // Before anything is looked up, so that it reveals nothing and uses up no credential.
      if (canonical !== undefined) {
        const send = () => void redirectTo(reply, canonical)
        const counted = count(request, reply, route)
        if (counted) counted.then(send, done)
        else send()
        return
      }
      const identifying = route.hasOwnToken ? {} : identify(request, environment.authenticators, trusted)
      const waits =
        identifying instanceof Promise
          ? identifyAndCount(request, reply, route, identifying)
          : count(request, reply, route)?.then(() => identifying)
      const page = isMalformed ? undefined : pageFor(request, route)
      if (page !== undefined) {
        const send = () => void reply.redirect(page, 303)
        if (waits) waits.then(send, done)
        else send()
        return
      }
      if (waits) {
        waits.then((identified) => admit(request, reply, route, identified)).then(() => next(), done)
        return
      }
      admit(request, reply, route, identifying as IdentifiedCaller)
      next()
    }

    // A body ends in the context of its connection, so requests that have one enter their scope and span again.
    app.addHook('preValidation', (request, reply, done) => {
      if (request.method === 'GET' || request.method === 'HEAD') verify(request, reply, done)
      else enter(request, () => verify(request, reply, done))
    })

    /** An agent's signature covers the body. */
    function verify(request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void {
      // Verification may fetch keys and stores a nonce, so it does not run on routes that are never rate limited.
      if (!isSignedRequest(request) || request.routeOptions.config.eep?.limit === 'exempt') {
        done()
        return
      }
      checkSignature(request, reply).then(() => done(), done)
    }

    async function checkSignature(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      request.eep.agent = await verifiedAgent(request, environment.verifyAgent)
      reply.header('x-eep-trust-state', await environment.trustStateOf(request.eep.agent.did))
    }

    if (environment.metrics.isOn) measureRequests(instance, environment.metrics)
    if (credentialed.size > 0) app.addHook('onSend', async (_request, reply) => varyByOrigin(reply))

    replayResponses(instance, environment.idempotency)
    const routes = collectRoutes(instance)
    // After the routes were collected: it removes the schemas that the OpenAPI document describes.
    answerFromCache(instance, environment.responseCache)
    addSuffixes(instance)
    addSlashAliases(instance)
    addHeadRoutes(instance)
    instance.addHook('onRoute', (route) => {
      route.bodyLimit ??= MAX_BODY_BYTES
      if (route.config?.eep) requireDefined(`${[route.method].flat()[0]} ${route.url}`, route.config.eep, environment)
      for (const name of route.config?.eep?.secrets ?? []) {
        route.logSerializers = { ...logSerializers }
        if (route.routePath.includes(`/:${name}`)) secretPaths.push(secretPathPattern(route.routePath, name))
      }
      // The host's @fastify/swagger reads JSON Schema only. The routes of the service are described by /docs/openapi.json.
      Object.assign(route, { schema: { ...route.schema, hide: true } })
      // The host's @fastify/cors would handle preflights of these routes, which have different rules.
      if (route.config?.eep) route.config = { ...route.config, cors: false } as typeof route.config
    })
    const allowedMethods = addPreflights(instance)
    const described = () => describedRoutes(routes.values())
    const registered = () => described().filter(({ config }) => config.aliasOf === undefined)
    try {
      if (health) healthRoutes(app, environment)
      const openApi = systemRoutes(app, environment, described)
      addModules(app, { registered, openApi })
      if (notFound) app.setNotFoundHandler(createNotFoundHandler())
    } catch (error) {
      throw explainConflict(error, basePath)
    }
    instance.addHook('onReady', async () => requireUniqueOperationIds(described()))
  }
  return forAnyServer(fastifyPlugin(plugin, { name: '@eep/core/http', fastify: '5.x', encapsulate: true }))
}
