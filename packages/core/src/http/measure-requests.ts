import type { FastifyInstance } from 'fastify'
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

/** Measures the time of each request, from its head to the end of the response. */
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

  app.addHook('onResponse', (request, reply, done) => {
    // Requests that failed before the hooks of the service have no context.
    const route = request.eep?.route
    const { statusCode } = reply
    // The time of a stream is that of its client.
    if (route && !(route.staysOpen && statusCode < 400)) {
      observerOf(route, request.method, Math.floor(statusCode / 100))(reply.elapsedTime / 1_000)
    }
    done()
  })
}
