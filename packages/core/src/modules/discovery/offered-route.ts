/** A route that this service really answers, as documents name it. */
export interface OfferedRoute {
  readonly method: string
  /** With parameters in braces and without the prefix of the listener: `/{prefix}/{username}`. */
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
