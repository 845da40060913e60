import type { FastifyInstance, FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import type { Metrics } from '../telemetry/metrics.ts'
import { requestDuration } from './metrics.ts'
import type { RouteConfig } from './routes.ts'

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
 * Measures the time of each request, from its head until its response was sent. It uses no `onResponse` hook, with which Fastify
 * listens for the end of each response: for a response from the cache, that takes as long as the rest of measuring.
 */
export function measureRequests(app: FastifyInstance, metrics: Pick<Metrics, 'histogram'>): void {
  const duration = metrics.histogram(requestDuration)
  // Looked up by route, method and class of the status, because this runs with every request.
  const known = new Map<RouteConfig, Map<string, Map<number, Observe>>>()

  const observerOf = (route: RouteConfig, method: string, statusClass: number): Observe => {
    const ofRoute = getOrAdd(known, route, () => new Map<string, Map<number, Observe>>())
    const ofMethod = getOrAdd(ofRoute, method, () => new Map<number, Observe>())
    return getOrAdd(ofMethod, statusClass, () =>
      duration.series({ operation: route.operationId || 'none', method, status: `${statusClass}xx` }),
    )
  }

  function observe({ eep, method }: FastifyRequest, { statusCode }: FastifyReply): void {
    const { route, receivedAt } = eep
    // The time of a stream is that of its client.
    if (route.staysOpen && statusCode < 400) return
    observerOf(route, method, Math.floor(statusCode / 100))((performance.now() - receivedAt) / 1_000)
  }

  const measure: onSendHookHandler = (request, reply, payload, done) => {
    // Requests that failed before the hooks of the service have no context.
    if (request.eep !== undefined) {
      if (isWhole(payload)) observe(request, reply)
      else reply.raw.once('finish', () => observe(request, reply))
    }
    done(null, payload)
  }

  // After the hooks of the route, the last of which compresses.
  app.addHook('onRoute', (route) => {
    route.onSend = [...[route.onSend ?? []].flat(), measure]
  })
  // Paths without a route have the hooks of the plugin only.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (request.is404) measure.call(app, request, reply, payload, done)
    else done(null, payload)
  })
}
