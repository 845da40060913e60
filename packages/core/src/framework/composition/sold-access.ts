import type { FastifyRequest } from 'fastify'
import type { EndpointListing, FixedPrice } from '../../modules/access/paywall/index.ts'

/** A profile by its id or its DID, or a function that returns one of these for a request. */
export type NamedProfile = number | string | ((request: FastifyRequest) => number | string)

/** The resource that a route of the host sells. */
export interface SoldAccess {
  /** The seller. */
  readonly profile: NamedProfile
  /** The name of the resource in gates, of the form `api.quotes`. */
  readonly resource: string
  /** The description in offers. Default: the name of the resource. */
  readonly description?: string | undefined
  /**
   * A fixed price, instead of the gate configuration of the profile: `{ amount: 0.05, currency: 'usd', per: 'request' }`.
   * The team of the profile reads without paying.
   */
  readonly price?: FixedPrice | undefined
  /** The media type of the response, for offers and descriptions. Default: `application/json`. */
  readonly mimeType?: string | undefined
  /**
   * How `/openapi.json` and catalogues list the route, with the feature `pricedDiscovery`. Default: not listed. Clients try listed
   * routes without parameters in the query, so a route that validates its requests must mount the hook as `onRequest`.
   */
  readonly listing?: EndpointListing | undefined
}
