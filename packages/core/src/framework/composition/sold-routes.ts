import type { RouteOptions } from 'fastify'
import type { EndpointListing, SoldEndpoint } from '../../modules/access/paywall/index.ts'
import type { Purchase } from '../../ports/payment-rail.ts'
import type { SoldAccess } from './sold-access.ts'

/** The hooks of a route in which a guard may be. */
const HOOKS = ['onRequest', 'preParsing', 'preValidation', 'preHandler'] as const
/** The hooks of a route that take its payment and release its answer. */
const PAID_HOOKS = ['onRequest', 'preParsing', 'preHandler', 'onSend'] as const
/** The parts of a route's schema that Fastify validates before `preHandler`. */
const VALIDATED = ['params', 'querystring', 'query', 'headers'] as const

const DEFAULT_TYPE = 'application/json'

/** The functions that sell a route, by their hooks. */
export type PaidParts = Readonly<Record<(typeof PAID_HOOKS)[number], object>>

/** Notes the routes of the host that are sold, and checks their listings. */
export function createSoldRoutes(endpoints: () => { add(endpoint: SoldEndpoint): void }) {
  const sellers = new WeakMap<object, SoldAccess>()
  /** When the guards take the money that take payments for any method, each bound to one request. */
  const charges = new WeakMap<object, NonNullable<Purchase['charge']>>()
  /** The parts of `paidRoute`, each by all of its functions. */
  const paidParts = new WeakMap<object, PaidParts>()
  /** The listings whose route is not registered yet, by path. */
  const unrouted = new Map<string, string>()
  const listedPaths = new Set<string>()

  function noteListing(resource: string, { path }: EndpointListing): void {
    if (listedPaths.has(path))
      throw new TypeError(`Two listings have the path ${path}; the second one is "${resource}"`)
    listedPaths.add(path)
    unrouted.set(path, resource)
  }

  /** Checks that the route of a listing is the one that it names, and returns 402 before it validates requests. */
  function checkListedRoute(route: RouteOptions, { resource, listing }: SoldAccess, guard: object): void {
    if (!listing) return
    if (route.url !== listing.path) {
      throw new TypeError(`The listing of "${resource}" has the path ${listing.path}, but guards ${route.url}`)
    }
    unrouted.delete(listing.path)
    const schema = (route.schema ?? {}) as Readonly<Record<string, unknown>>
    const isLate = [route.preHandler ?? []].flat().some((hook) => hook === guard)
    const validated = VALIDATED.find((part) => schema[part] !== undefined)
    if (isLate && validated) {
      throw new TypeError(
        `${route.url} is listed and validates its ${validated} before preHandler: use { onRequest: app.eep.requireAccess(…) }, so that requests without them get the 402`,
      )
    }
  }

  /** Checks that a route has all parts of `paidRoute` if it has one: without one of them it would run, or answer, unpaid. */
  function checkParts(route: RouteOptions): void {
    const hooksOf = (name: (typeof PAID_HOOKS)[number]): readonly object[] => [route[name] ?? []].flat()
    const parts = PAID_HOOKS.flatMap(hooksOf)
      .map((hook) => paidParts.get(hook))
      .find((found) => found !== undefined)
    const missing = parts && PAID_HOOKS.find((name) => !hooksOf(name).includes(parts[name]))
    if (missing) {
      throw new TypeError(
        `${[route.method].flat().join(', ')} ${route.url} replaces ${missing} of paidRoute: pass its own hooks as paidRoute(options, { ${missing} })`,
      )
    }
  }

  return {
    /** Notes the functions of `paidRoute` in the hooks of a route. All of them must be there. */
    addPaid(parts: PaidParts): void {
      for (const name of PAID_HOOKS) paidParts.set(parts[name], parts)
    },

    /** Notes a guard and what it sells. A guard whose payments are not bound to one request may guard `GET` only. */
    add(guard: object, sold: SoldAccess, charge?: Purchase['charge']): void {
      sellers.set(guard, sold)
      if (charge) charges.set(guard, charge)
    },

    /**
     * Notes a listing, until its route is registered.
     *
     * @throws TypeError when another listing has the same path
     */
    noteListing,

    /**
     * An `onRoute` hook that notes the routes which `requireAccess` and `paidRoute` sell, for OpenAPI, `/llms.txt` and `/discover`. The
     * Fastify plugin adds it. Routes whose guard is in a hook of their scope are not noted.
     *
     * @throws TypeError when `requireAccess` guards a route of another method than GET, or one that its listing does not fit, and
     * when a route has only a part of the hooks of `paidRoute`
     */
    noteRoute(route: RouteOptions & { readonly path: string }): void {
      checkParts(route)
      const guard = HOOKS.flatMap((hook) => route[hook] ?? []).find((each) => sellers.has(each))
      const sold = guard && sellers.get(guard)
      if (!sold) return
      const methods = [route.method].flat()
      const paid = methods.filter((method) => method !== 'HEAD' && method !== 'OPTIONS')
      const other = paid.find((method) => method !== 'GET')
      if (other !== undefined && !charges.has(guard)) {
        throw new TypeError(`requireAccess takes payments on GET requests only, and guards ${other} ${route.url}`)
      }
      if (paid.length === 0) return
      if (other !== undefined && sold.listing) {
        throw new TypeError(
          `Catalogues list GET routes only, and the listing of "${sold.resource}" is for ${other} ${route.url}`,
        )
      }
      checkListedRoute(route, sold, guard)
      const { profile, resource, description = resource, price, mimeType = DEFAULT_TYPE, listing } = sold
      for (const method of paid) {
        endpoints().add({
          method,
          path: route.url,
          resource,
          description,
          mimeType,
          seller: typeof profile === 'function' ? undefined : profile,
          price,
          charge: charges.get(guard),
          schema: route.schema as Readonly<Record<string, unknown>> | undefined,
          listing,
        })
      }
    },

    /**
     * Checks that every listing has a route. The Fastify plugin calls it when the server is ready.
     *
     * @throws TypeError that names the first listing without one
     */
    assertListedRoutes(): void {
      const [missing] = unrouted
      if (missing) throw new TypeError(`The listing of "${missing[1]}" names ${missing[0]}, and no route has this path`)
    },
  }
}
