import { PREFIX_BY_TYPE } from '../profiles/index.ts'

/** A route that this service really answers, as documents name it. */
export interface OfferedRoute {
  readonly method: string
  /** With parameters in braces and without the prefix of the listener: `/u/{username}`. */
  readonly path: string
  readonly auth: string
  readonly tag: string
  readonly summary: string
}

/** What is offered, so that no document names what is not there. */
export interface Offer {
  readonly routes: readonly OfferedRoute[]
  has(path: string, method?: string): boolean
}

export function offerOf(routes: readonly OfferedRoute[]): Offer {
  const known = new Set(routes.map(({ method, path }) => `${method} ${path}`))
  return { routes, has: (path, method = 'GET') => known.has(`${method} ${path}`) }
}

const BELOW_A_PREFIX = new RegExp(`^/(${Object.values(PREFIX_BY_TYPE).join('|')})/(?=\\{username\\})`)

/** The routes with those that differ in the prefix of the profile only as one: `/{prefix}/{username}`. */
export function compactRoutes(routes: readonly OfferedRoute[]): OfferedRoute[] {
  const compact = new Map<string, OfferedRoute>()
  for (const route of routes) {
    const path = route.path.replace(BELOW_A_PREFIX, '/{prefix}/')
    const key = `${route.method} ${path}`
    if (!compact.has(key)) compact.set(key, { ...route, path })
  }
  return [...compact.values()]
}
