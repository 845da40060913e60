import type { FastifyInstance, FastifySchema, HTTPMethods, onSendHookHandler, preHandlerHookHandler } from 'fastify'
import { recentSignInRequired } from '../model/recent-proof.ts'
import { withSlash } from './documents/canonical-address.ts'
import { compress } from './documents/compress.ts'
import { withSuffix } from './documents/format-suffix.ts'
import { acceptsSockets, removeBody } from './documents/head-requests.ts'
import { answerFromCache, type ListenerCache } from './documents/response-cache.ts'
import type { HttpEnvironment } from './environment.ts'
import { beginAttempt, endAttempt, takesIdempotencyKey } from './idempotency/replay-responses.ts'
import { beginForm } from './idempotency/send-once.ts'
import type { RegisteredRoutes } from './openapi/registered-route.ts'
import { type redactingSerializers, secretPathPattern } from './pipeline/logged-url.ts'
import type { RouteDefinition } from './route-definition.ts'
import type { EepHandler, EepRouteOptions, EepRoutes, RouteConfig, RouteMethod } from './routes.ts'

const MAX_BODY_BYTES = 1_048_576

/** What routes of one listener need to be registered. */
export interface Listener {
  /** The module whose routes are registered; undefined for those of the service itself. */
  readonly module?: string | undefined
  readonly environment: Pick<HttpEnvironment, 'rateGroups' | 'knownScopes' | 'idempotency'>
  readonly cache: ListenerCache
  /** Collects the routes, for the OpenAPI document and for CORS preflights. */
  readonly routes: RegisteredRoutes
  /** Whether the service compresses responses; otherwise the host does. */
  readonly compresses: boolean
  readonly logSerializers: ReturnType<typeof redactingSerializers>
  /** The patterns of paths with secrets, which logs do not show. */
  readonly secretPaths: RegExp[]
}

/**
 * Registers a route of the service, with everything that such a route has: `HEAD` for `GET`, the CORS preflight of its path, the
 * addresses with a suffix for each format and with a slash at the end, `Idempotency-Key`, the response cache and compression. All of
 * it is decided before Fastify gets the route, so that nothing depends on the order of `onRoute` hooks.
 *
 * @throws TypeError when the route names a rate group or a scope that no module defines
 */
function registerRoute(app: FastifyInstance, declared: RouteDefinition, listener: Listener): void {
  const definition = withRecentProof(declared)
  requireDefined(definition, listener.environment)
  const addresses = [definition, withSuffix(definition), withSlash(definition, app.initialConfig)]
  for (const address of addresses) if (address) registerAddress(app, address, listener)
}

/** Adds what {@link RouteConfig.recent} is by default, and the error of routes that have it. */
function withRecentProof(definition: RouteDefinition): RouteDefinition {
  const { method, url, config } = definition
  const changesAsAdmin = config.eep.auth === 'admin' && url.startsWith('/admin/') && method !== 'GET'
  const recent = config.eep.recent ?? (changesAsAdmin || undefined)
  if (recent === undefined) return definition
  const errors = new Set([...(config.eep.errors ?? []), recentSignInRequired])
  return { ...definition, config: { ...config, eep: { ...config.eep, recent, errors: [...errors] } } }
}

function registerAddress(app: FastifyInstance, definition: RouteDefinition, listener: Listener): void {
  const { url, method, config, schema } = definition
  const { eep } = config
  listener.routes.add({ method, path: url, config: eep, schema, module: listener.module })
  const answered = answerFromCache(definition, listener.cache)
  const route = {
    bodyLimit: MAX_BODY_BYTES,
    ...answered,
    // The host's @fastify/swagger reads JSON Schema only. The routes of the service are described by /docs/openapi.json.
    schema: { ...answered.schema, hide: true },
    // The host's @fastify/cors would handle preflights of these routes, which have different rules.
    config: { ...config, cors: false },
    // Fastify's own HEAD routes set `content-length` before compression, and `content-length: 0` on a 304 (RFC 9110, 8.6).
    exposeHeadRoute: false,
    preHandler: [...beforeHandler(definition, listener), ...[definition.preHandler ?? []].flat()],
    onSend: [...[definition.onSend ?? []].flat(), ...beforeSending(definition, listener)],
    ...hideSecrets(definition, listener),
  }
  if (acceptsSockets(definition)) {
    // Upgrades are for GET only, so HEAD and OPTIONS have a route without them.
    const { wsHandler: _, ...plain } = route as typeof route & { readonly wsHandler: unknown }
    app.route({ ...plain, method: ['HEAD', ...listener.routes.preflight(url, ['HEAD'])] })
    listener.routes.preflight(url, [method])
    app.route(route)
    return
  }
  const methods: HTTPMethods[] = method === 'GET' ? ['GET', 'HEAD'] : [method]
  app.route({ ...route, method: [...methods, ...listener.routes.preflight(url, methods)] })
}

/** The hooks that run before the handler and before those of the route. */
function beforeHandler({ method, config }: RouteDefinition, { environment }: Listener): preHandlerHookHandler[] {
  const takesKey = takesIdempotencyKey(method, config.eep)
  if (takesKey) return [(request, reply) => beginAttempt(environment.idempotency, request, reply)]
  return config.eep.hasFormId ? [(request, reply) => beginForm(environment.idempotency, request, reply)] : []
}

/** The hooks that run before a response is sent: a stored response is not compressed, and HEAD has the headers of a compressed one. */
function beforeSending(definition: RouteDefinition, { compresses }: Listener): onSendHookHandler[] {
  const { method, config } = definition
  return [
    ...(takesIdempotencyKey(method, config.eep) || config.eep.hasFormId ? [endAttempt] : []),
    ...(compresses && definition.compress !== false ? [compress] : []),
    ...(method === 'GET' ? [removeBody] : []),
  ]
}

/** The log serializers of a route with secrets in its URL. */
function hideSecrets({ url, config }: RouteDefinition, { secretPaths, logSerializers }: Listener) {
  const { secrets = [] } = config.eep
  for (const name of secrets) if (url.includes(`/:${name}`)) secretPaths.push(secretPathPattern(url, name))
  return secrets.length > 0 && { logSerializers: { ...logSerializers } }
}

function requireDefined({ method, url, config }: RouteDefinition, environment: Listener['environment']): void {
  const { limit, scope, upgrade }: RouteConfig = config.eep
  if (limit !== undefined && !environment.rateGroups.includes(limit)) {
    throw new TypeError(`${method} ${url} counts in the rate group "${limit}", which no module defines`)
  }
  for (const each of [scope, upgrade?.scope]) {
    if (each !== undefined && !environment.knownScopes.has(each)) {
      throw new TypeError(`${method} ${url} requires the scope "${each}", which no module defines`)
    }
  }
}

/** Returns what modules add their routes to: each is registered with {@link registerRoute}. */
export function createRoutes(app: FastifyInstance, listener: Listener): EepRoutes {
  const add =
    (method: RouteMethod) =>
    <Schema extends FastifySchema>(url: string, options: EepRouteOptions<Schema>, handler: EepHandler<Schema>): void =>
      // The types of the schema are for the handler. Fastify validates requests with the schema before it runs.
      registerRoute(app, { ...options, method, url, handler } as unknown as RouteDefinition, listener)
  return {
    prefix: app.prefix,
    isTaken: (path, method = 'GET') => app.hasRoute({ method, url: app.prefix + path }),
    get: add('GET'),
    post: add('POST'),
    put: add('PUT'),
    patch: add('PATCH'),
    delete: add('DELETE'),
    // As above: `EepRoutes` has checked that the handler fits the schema.
    route: ({ method, url, handler, ...options }) => add(method)(url, options as never, handler as never),
    scope: (addRoutes) => void app.register(async (instance) => addRoutes(createRoutes(instance, listener), instance)),
  }
}
