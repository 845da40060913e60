import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'

interface Destroyable {
  destroy(): unknown
}

/** Whether a payload is a stream of Node, which may fail while it is sent. */
const isStream = (payload: unknown): payload is Destroyable =>
  typeof (payload as Partial<Destroyable> | null)?.destroy === 'function'

/** Statuses whose responses have no body, so no length either (RFC 9110, 8.6). */
const WITHOUT_LENGTH: ReadonlySet<number> = new Set([204, 304])

/** Removes the body of the response to a HEAD request and keeps the headers that GET would have after compression. */
function removeBody(
  { method, raw: { httpVersion } }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  if (method !== 'HEAD') {
    done(null, payload)
    return
  }
  if (typeof payload === 'string' || Buffer.isBuffer(payload)) {
    reply.header('content-length', Buffer.byteLength(payload))
  } else if (isStream(payload)) {
    payload.destroy()
    // The framing that GET would have; HTTP/2 and HTTP/1.0 have none.
    if (httpVersion === '1.1' && !reply.hasHeader('content-length')) reply.header('transfer-encoding', 'chunked')
  } else if (!WITHOUT_LENGTH.has(reply.statusCode) && !reply.hasHeader('content-length')) {
    reply.header('content-length', 0)
  }
  done(null, null)
}

/** Whether GET requests to a route can become WebSocket connections. Such a route takes no other method. */
export const acceptsSockets = (route: Pick<RouteOptions, 'method'>): boolean => 'wsHandler' in route

/** The route with HEAD, if it is a GET route of the service. */
function withHead<Options extends Pick<RouteOptions, 'method' | 'config'>>(options: Options): Options {
  const methods = [options.method].flat()
  if (!options.config?.eep || acceptsSockets(options)) return options
  return methods.includes('GET') && !methods.includes('HEAD') ? { ...options, method: [...methods, 'HEAD'] } : options
}

/**
 * Lets every GET route of the service take HEAD too, regardless of the host's `exposeHeadRoutes`. Fastify's own HEAD routes
 * set `content-length` before compression, and `content-length: 0` on a 304 (RFC 9110, 8.6); and a separate route for
 * each HEAD takes as long to build as the one for GET. Call it after compression is set up.
 */
export function addHeadRoutes(app: FastifyInstance): void {
  const { route: addRoute } = app
  // Fastify decides whether to add a HEAD route before hooks can say that there is one.
  app.route = function route(this: FastifyInstance, options: Parameters<typeof addRoute>[0]) {
    return addRoute.call(this, withHead(options))
  } as typeof addRoute
  app.get = function get(this: FastifyInstance, url: string, ...rest: readonly object[]) {
    const [options, handler] = rest.length > 1 ? rest : [{}, rest[0]]
    return this.route({ handler, ...options, method: 'GET', url } as Parameters<typeof addRoute>[0])
    // The overloads of Fastify are those of the function it replaces, which takes the same arguments.
  } as typeof app.get
  app.addHook('onRoute', (route) => {
    const { config, handler, method, routePath: url, schema = {} } = route
    if (!config?.eep) return
    if (acceptsSockets(route)) {
      const options = { method: 'HEAD' as const, url, handler, config, schema }
      app.route(options)
    } else if ([method].flat().includes('HEAD')) {
      route.onSend = [...[route.onSend ?? []].flat(), removeBody]
    }
  })
}
