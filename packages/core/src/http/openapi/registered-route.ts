import type { HTTPMethods, RouteOptions } from 'fastify'
import type { RouteConfig } from '../routes.ts'

/** A registered route and its configuration. */
export interface RegisteredRoute {
  readonly method: string
  /** Without the prefix of the listener. */
  readonly path: string
  readonly config: RouteConfig
  readonly schema: RouteOptions['schema']
  /** The URL that the path is below, for routes outside of the service. Default: that of the listener. */
  readonly serverUrl?: string | undefined
}

/** HEAD comes last, as it is added to each GET. */
const inOrder = (methods: ReadonlySet<HTTPMethods>): readonly HTTPMethods[] => [
  ...[...methods].filter((method) => method !== 'HEAD'),
  ...(methods.has('HEAD') ? (['HEAD'] as const) : []),
]

/** The routes of a listener, as they are registered. */
export interface RegisteredRoutes {
  /** Adds a route. For a method and path that is registered twice, the first route counts. */
  add(route: RegisteredRoute): void
  all(): Iterable<RegisteredRoute>
  get(method: string, path: string): RegisteredRoute | undefined
  /**
   * Notes methods of a path, and returns `OPTIONS` for the first route of the path, which handles CORS preflights. Separate OPTIONS
   * routes would make startup about 50 % slower.
   */
  preflight(path: string, methods: readonly HTTPMethods[]): readonly HTTPMethods[]
  /** The methods that a preflight of a path allows; undefined for a path that has no route. */
  allowed(path: string): readonly HTTPMethods[] | undefined
}

/** Collects the routes of a listener. Paths are without its prefix. */
export function collectRoutes(): RegisteredRoutes {
  const routes = new Map<string, RegisteredRoute>()
  const methodsOf = new Map<string, Set<HTTPMethods>>()
  return {
    add(route) {
      const key = `${route.method} ${route.path}`
      if (!routes.has(key)) routes.set(key, route)
    },
    all: () => routes.values(),
    get: (method, path) => routes.get(`${method} ${path}`),
    preflight(path, methods) {
      const known = methodsOf.get(path)
      methodsOf.set(path, new Set([...(known ?? []), ...methods]))
      return known ? [] : ['OPTIONS']
    },
    allowed(path) {
      const methods = methodsOf.get(path)
      return methods && [...inOrder(methods), 'OPTIONS']
    },
  }
}
