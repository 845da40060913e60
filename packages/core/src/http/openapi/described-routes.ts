import type { RegisteredRoute } from './registered-route.ts'

/** Returns the routes for the OpenAPI document: without redirects, and each family as one route. */
export function describedRoutes(routes: Iterable<RegisteredRoute>): RegisteredRoute[] {
  const described = new Map<string, RegisteredRoute>()
  for (const route of routes) {
    if (route.config.alias) continue
    const path = route.config.family?.path ?? route.path
    const key = `${route.method} ${path}`
    if (!described.has(key)) described.set(key, { ...route, path })
  }
  return [...described.values()]
}

/**
 * Checks that each `operationId` is unique, as generated clients require.
 *
 * @throws TypeError that names the two routes with the same `operationId`
 */
export function requireUniqueOperationIds(routes: readonly RegisteredRoute[]): void {
  const known = new Map<string, string>()
  for (const { method, path, config } of routes) {
    const other = known.get(config.operationId)
    const route = `${method} ${path}`
    if (other !== undefined) throw new TypeError(`"${config.operationId}" is the operationId of ${other} and ${route}`)
    known.set(config.operationId, route)
  }
}
