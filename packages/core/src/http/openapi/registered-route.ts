import type { HTTPMethods, RouteOptions } from 'fastify'
import type { RouteConfig } from '../routes.ts'

/** A registered route and its configuration. */
export interface RegisteredRoute {
  readonly method: string
  /** Without the prefix of the listener. */
  readonly path: string
  readonly config: RouteConfig
  readonly schema: RouteOptions['schema']
  /** The module that serves it; undefined for routes of the service itself and of the host. */
  readonly module?: string | undefined
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
  /** Adds a route. @throws TypeError that names both modules, when a method and path is registered twice */
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

const serverOf = ({ module }: RegisteredRoute) => (module === undefined ? 'The service' : `The module "${module}"`)

/** Collects the routes of a listener. Paths are without its prefix. */
export function collectRoutes(): RegisteredRoutes {
  const routes = new Map<string, RegisteredRoute>()
  const methodsOf = new Map<string, Set<HTTPMethods>>()
  return {
    add(route) {
      const key = `${route.method} ${route.path}`
      const other = routes.get(key)
      if (other) throw new TypeError(`${serverOf(route)} serves ${key}, which ${serverOf(other).toLowerCase()} serves`)
      routes.set(key, route)
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
