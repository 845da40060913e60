import type { Purchase } from '../../../../ports/payment-rail.ts'
import type { Profile } from '../../../../ports/storage/profiles.ts'
import type { EndpointListing, ToolListing } from './endpoint-listing.ts'
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
  /** When the money of a payment that is bound to one request is taken; undefined when payments are not bound to requests. */
  readonly charge?: Purchase['charge']
  /** Undefined for a route that catalogues do not list. */
  readonly listing: EndpointListing | undefined
}

/** A tool for assistants that is sold at a fixed price, as catalogues describe it. */
export interface SoldTool extends Pick<SoldEndpoint, 'resource' | 'description' | 'mimeType' | 'charge'> {
  readonly url: string
  readonly seller: number | string
  readonly price: FixedPrice
  readonly listing: ToolListing
}

/** The routes and tools of the host that are sold. They are registered before the server listens. */
export function createSoldEndpoints() {
  const endpoints: SoldEndpoint[] = []
  const tools: SoldTool[] = []
  return {
    add(endpoint: SoldEndpoint): void {
      endpoints.push(endpoint)
    },
    list: (): readonly SoldEndpoint[] => endpoints,
    addTool(tool: SoldTool): void {
      tools.push(tool)
    },
    tools: (): readonly SoldTool[] => tools,
    /** The fixed price of a resource of a profile; undefined when no route has one. */
    priceOf({ id }: Pick<Profile, 'id'>, did: string, resource: string): FixedPrice | undefined {
      const isBy = ({ seller }: SoldEndpoint) => seller === undefined || seller === id || seller === did
      return endpoints.find((one) => one.resource === resource && one.price && isBy(one))?.price
    },
  }
}
