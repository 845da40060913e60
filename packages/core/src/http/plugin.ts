import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import './augment.ts'
import type { HttpEnvironment } from './environment.ts'
import { explainConflict } from './host-conflicts.ts'
import { createSites } from './html/sites.ts'
import { errorCounter } from './metrics.ts'
import { describedRoutes, requireUniqueOperationIds } from './openapi/described-routes.ts'
import type { OpenApiDocument } from './openapi/openapi.ts'
import { collectRoutes, type RegisteredRoute } from './openapi/registered-route.ts'
import { admit } from './pipeline/admit.ts'
import { waitForService } from './pipeline/before-request.ts'
import { begin } from './pipeline/begin.ts'
import { limitBodyTime } from './pipeline/body-timeout.ts'
import { readCompressedBodies } from './pipeline/compressed-body.ts'
import { answerPreflight, varyByOrigin } from './pipeline/cors.ts'
import { count } from './pipeline/count.ts'
import { createErrorHandler, createNotFoundHandler } from './pipeline/error-handler.ts'
import { identifyCaller } from './pipeline/identify.ts'
import { identifyBots } from './pipeline/identify-bot.ts'
import { readJsonBodies } from './pipeline/json-body.ts'
import { registerListener } from './pipeline/listener-state.ts'
import { redactingSerializers } from './pipeline/logged-url.ts'
import { measureRequests } from './pipeline/measure-requests.ts'
import { keepApart } from './pipeline/own-credentials.ts'
import { redirect } from './pipeline/redirect.ts'
import { traceRequests } from './pipeline/trace-requests.ts'
import { serializerCompiler, validatorCompiler } from './pipeline/validation.ts'
import { createVerification } from './pipeline/verify-agent.ts'
import { createRoutes } from './register-route.ts'
import type { EepRoutes } from './routes.ts'
import { requireRoomForDids } from './server-options.ts'
import { forAnyServer } from './server-plugin.ts'
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

/** The description of the routes of a listener, complete once it is ready. */
interface ListenerRoutes {
  readonly registered: () => readonly RegisteredRoute[]
  readonly openApi: () => Promise<OpenApiDocument>
  readonly readiness: HttpEnvironment['readiness']
  readonly parts: HttpEnvironment['parts']
}

/** The modules of the service. */
export interface ListenerModules {
  /** @param routesOf - returns what a module, by its name, adds its routes to */
  addRoutes(routesOf: (module: string) => EepRoutes, routes: ListenerRoutes): void
  /** Ends the streams of the service, so that a server that closes does not wait for its clients. */
  drain(): void
}

/**
 * Creates the Fastify plugin with the routes of the service on one listener. It is encapsulated: hooks, parsers, error
 * handler and decorators do not affect the host. Its prefix is added to relative links and never stored.
 */
export function createHttpPlugin(environment: HttpEnvironment, modules: ListenerModules) {
  const { name, publicUrl, pages, authenticators, requestScope } = environment
  const ownOrigins = new Set(environment.trustedOrigins)
  // Pages of the service's own origin do not need CORS.
  const { origin } = new URL(publicUrl)
  const credentialed = new Set(environment.trustedOrigins.filter((each) => each !== origin))

  const plugin: FastifyPluginAsync<HttpOptions> = async (app, { notFound = true, health = true }) => {
    const basePath = app.prefix
    const routes = collectRoutes()
    const isOffered = (method: string, path: string) => {
      const route = routes.get(method, path)
      return route !== undefined && !route.config.unavailable
    }
    const has = (path: string) => isOffered('GET', path) || isOffered('POST', path)
    const port = () => {
      const address = app.server.address()
      return typeof address === 'object' ? address?.port : undefined
    }
    const representations = environment.representations.ofListener()
    const siteFor = createSites({ name, publicUrl, basePath, has, port }, pages)

    app.setValidatorCompiler(validatorCompiler)
    app.setSerializerCompiler(serializerCompiler)
    const onError = errorCounter(environment.metrics)
    const { apps } = environment.authenticators
    const docsUrl = `${publicUrl}/docs/errors`
    app.setErrorHandler(createErrorHandler({ docsUrl, site: siteFor(undefined), apps, onError }))
    requireRoomForDids(app, environment.longestDid)
    readJsonBodies(app)
    // A host with @fastify/compress compresses our responses too.
    const compresses = !app.hasReplyDecorator('compress')
    if (compresses) await readCompressedBodies(app)
    if (!app.hasRequestDecorator('eep')) app.decorateRequest('eep')
    const { secretPaths } = registerListener(app, environment)
    const inSpan = traceRequests(app, environment.tracing)
    const enter = (request: FastifyRequest, work: () => void) =>
      inSpan(request, () => requestScope.run({ requestId: request.id, caller: () => request.eep?.caller }, work))
    const preflightOf = ({ method, routeOptions }: FastifyRequest) =>
      method === 'OPTIONS' && routeOptions.url !== undefined
        ? routes.allowed(routeOptions.url.slice(basePath.length) || '/')
        : undefined
    const verifyAgent = createVerification(environment)

    // The steps of a request. They call back, because most requests wait for nothing and need no promise.
    app.addHook('onRequest', (request, _reply, done) => enter(request, done))
    const identity = { authenticators, ownOrigins }
    app.addHook(
      'onRequest',
      begin({ environment, basePath, siteFor, representations, compresses, credentialed, preflightOf, ...identity }),
    )
    app.addHook('onRequest', waitForService(environment))
    app.addHook('onRequest', identifyCaller(identity))
    app.addHook('onRequest', count(environment.countRequest))
    app.addHook('onRequest', redirect({ basePath, has }))
    app.addHook('onRequest', admit(environment))
    if (environment.identifyBot) app.addHook('onRequest', identifyBots(environment.identifyBot))
    const carriers = authenticators.modules.map(({ carrier }) => carrier)
    app.addHook('onRequest', answerPreflight(carriers))
    app.addHook('preParsing', limitBodyTime(environment.bodyTimeoutMs))
    // A body ends in the context of its connection, so requests that have one enter their scope and span again.
    app.addHook('preValidation', (request, reply, done) => {
      if (request.method === 'GET' || request.method === 'HEAD') verifyAgent(request, reply, done)
      else enter(request, () => verifyAgent(request, reply, done))
    })
    if (environment.metrics.isOn) measureRequests(app, environment.metrics)
    if (carriers.length > 0) app.addHook('onSend', keepApart(carriers))
    if (credentialed.size > 0) app.addHook('onSend', async (_request, reply) => varyByOrigin(reply))
    // A server closes once its connections have ended, and streams end when they are closed.
    app.addHook('preClose', async () => modules.drain())

    const logSerializers = redactingSerializers(app.log)
    const cache = environment.responseCache.ofListener()
    const routesOf = (module?: string) =>
      createRoutes(app, { environment, cache, routes, compresses, logSerializers, secretPaths, module })
    const add = routesOf()
    const described = () => describedRoutes(routes.all())
    const registered = () => described().filter(({ config }) => config.aliasOf === undefined)
    try {
      if (health) healthRoutes(add, environment)
      const openApi = systemRoutes(add, environment, described)
      modules.addRoutes(routesOf, { registered, openApi, readiness: environment.readiness, parts: environment.parts })
      if (notFound) app.setNotFoundHandler(createNotFoundHandler())
    } catch (error) {
      throw explainConflict(error, basePath)
    }
    app.addHook('onReady', async () => requireUniqueOperationIds(described()))
  }
  return forAnyServer(fastifyPlugin(plugin, { name: '@eep/core/http', fastify: '5.x', encapsulate: true }))
}
