import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
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

/**
 * Measures the time of each request once, from the first hook of the service until its response was sent. Add it before other hooks
 * that change responses. It uses no `onResponse`
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
    if (route.staysOpen === true && statusCode < 400) return
    observerOf(route, method, Math.floor(statusCode / 100))((performance.now() - receivedAt) / 1_000)
  }

  app.addHook('onSend', (request, reply, payload, done) => {
    // Runs the other hooks and sends the response, or throws.
    done(null, payload)
    // Requests that failed before the hooks of the service have no context.
    if (request.eep === undefined) return
    // A stream, and what a hook waits for, takes until its end.
    if (reply.raw.writableEnded) observe(request, reply)
    else reply.raw.once('finish', () => observe(request, reply))
  })
}
