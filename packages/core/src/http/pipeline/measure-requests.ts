import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import type { Metrics } from '../../runtime/telemetry/metrics.ts'
import { requestDuration } from '../metrics.ts'
import type { RouteConfig } from '../routes.ts'

type Observe = (seconds: number) => void

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** Whether a response is sent immediately. A stream, such as that of a compressed body, takes until its end. */
const isWhole = (payload: unknown): boolean =>
  payload === undefined || payload === null || typeof payload === 'string' || payload instanceof Uint8Array

/**
 * Measures the time of each request once, from the first hook of the service until its response was sent. It uses no `onResponse`
 * hook, with which Fastify listens for the end of each response: for a response from the cache, that takes as long as the rest of
 * measuring.
 */
export function measureRequests(app: FastifyInstance, metrics: Pick<Metrics, 'histogram'>): void {
  const duration = metrics.histogram(requestDuration)
  // Looked up by route, method and class of the status, because this runs with every request.
  const known = new Map<RouteConfig, Map<string, Map<number, Observe>>>()

  const observerOf = (route: RouteConfig, method: string, statusClass: number): Observe => {
    const ofRoute = getOrAdd(known, route, () => new Map<string, Map<number, Observe>>())
    const ofMethod = getOrAdd(ofRoute, method, () => new Map<number, Observe>())
    return getOrAdd(ofMethod, statusClass, () =>
      duration.series({
        operation: route.aliasOf ?? (route.operationId || 'none'),
        method,
        status: `${statusClass}xx`,
      }),
    )
  }

  function observe({ eep, method }: FastifyRequest, { statusCode }: FastifyReply): void {
    const { route, receivedAt, isMeasured } = eep
    // An error while a response is sent causes another response.
    if (isMeasured) return
    eep.isMeasured = true
    // The time of a stream is that of its client.
    if (route.staysOpen && statusCode < 400) return
    observerOf(route, method, Math.floor(statusCode / 100))((performance.now() - receivedAt) / 1_000)
  }

  const measure: onSendHookHandler = (request, reply, payload, done) => {
    // Requests that failed before the hooks of the service have no context.
    const isStream = request.eep !== undefined && !isWhole(payload)
    if (isStream) reply.raw.once('finish', () => observe(request, reply))
    // Sends the response, or throws.
    done(null, payload)
    if (request.eep !== undefined && !isStream) observe(request, reply)
  }

  // After the hooks of the route, the last of which compresses. A route that copies another one has its hooks too.
  app.addHook('onRoute', (route) => {
    const hooks = [route.onSend ?? []].flat()
    route.onSend = [...hooks.filter((hook) => hook !== measure), measure]
  })
  // Paths without a route have the hooks of the plugin only.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.is404) measure.call(app, request, reply, payload, done)
    else done(null, payload)
  })
}
