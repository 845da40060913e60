import type { Profile } from '../../../../ports/storage/profiles.ts'
import type { EndpointListing } from './endpoint-listing.ts'
import type { FixedPrice } from './priced-gate.ts'

/** A route of a host that is sold, as documents describe it. */
export interface SoldEndpoint {
  readonly method: string
  /** As the host registered it: `/quotes/:symbol`. */
  readonly path: string
  /** The name of the resource in gates. */
  readonly resource: string
  readonly description: string
  readonly mimeType: string
  /** The seller by id or DID; undefined when it depends on the request. */
  readonly seller: number | string | undefined
  /** Undefined when the gate configuration of the seller decides. */
  readonly price: FixedPrice | undefined
  /** Fastify's schema of the route: its parameters, query and responses. */
  readonly schema: Readonly<Record<string, unknown>> | undefined
  /** Whether payments are bound to single requests. Default: false. */
  readonly isOfRequests?: boolean | undefined
  /** Undefined for a route that catalogues do not list. */
  readonly listing: EndpointListing | undefined
}

/** The routes of a host that `requireAccess` sells. They are registered before the server listens. */
export function createSoldEndpoints() {
  const endpoints: SoldEndpoint[] = []
  return {
    add(endpoint: SoldEndpoint): void {
      endpoints.push(endpoint)
    },
    list: (): readonly SoldEndpoint[] => endpoints,
    /** The fixed price of a resource of a profile; undefined when no route has one. */
    priceOf({ id }: Pick<Profile, 'id'>, did: string, resource: string): FixedPrice | undefined {
      const isBy = ({ seller }: SoldEndpoint) => seller === undefined || seller === id || seller === did
      return endpoints.find((one) => one.resource === resource && one.price && isBy(one))?.price
    },
  }
}
