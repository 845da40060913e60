/** A route that this service answers, as it is named in documents. */
export interface AvailableRoute {
  readonly method: string
  /** With parameters in braces and without the prefix of the listener: `/{prefix}/{username}`. */
  readonly path: string
  readonly auth: string
  readonly operationId?: string | undefined
  readonly tag: string
  readonly summary: string
  /** The rate group that it counts in. Default: `default`. */
  readonly limit?: string | undefined
}

/** A registered route, so that no document names a missing one. */
export interface Offer {
  readonly routes: readonly AvailableRoute[]
  has(path: string, method?: string): boolean
  /** The path of an operation, which options may move; undefined when the service does not have it. */
  pathOf(operationId: string): string | undefined
  /** Whether a route counts in a rate group. */
  countsIn(group: string): boolean
}

export function offerOf(routes: readonly AvailableRoute[]): Offer {
  const known = new Set(routes.map(({ method, path }) => `${method} ${path}`))
  const groups = new Set(routes.map(({ limit = 'default' }) => limit))
  return {
    routes,
    pathOf: (operationId) => routes.find((route) => route.operationId === operationId)?.path,
    has: (path, method = 'GET') => known.has(`${method} ${path}`),
    countsIn: (group) => groups.has(group),
  }
}
