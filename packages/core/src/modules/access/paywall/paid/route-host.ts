import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Gate } from '../../../../ports/storage/gates.ts'
import type { Profile } from '../../../../ports/storage/profiles.ts'
import type { EndpointListing, ToolListing } from '../access/endpoint-listing.ts'
import type { FixedPrice } from '../access/priced-gate.ts'
import type { GatedResource } from '../access/resource.ts'
import type { Paywall } from '../service.ts'
import type { ChargeSettings, RequestPrice } from './options.ts'

/** A route of a host that takes payments for any method. */
export interface PaidRoute {
  readonly resource: string
  /** The address in offers. Default: that of the request. */
  readonly url?: string | undefined
  readonly description: string
  readonly mimeType: string
  readonly listing: EndpointListing | ToolListing | undefined
  readonly price: FixedPrice | RequestPrice | undefined
  readonly settings: ChargeSettings
}

/** What the framework does for a route of a host. */
export interface PaidRouteHost {
  readonly paywall: Paywall
  /** The origin of the routes of the host. */
  readonly origin: string
  /** Identifies the caller and admits it. */
  identify(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Verifies the signature of an agent, over the body in `sentBody`. */
  identifyAgent(request: FastifyRequest, reply: FastifyReply): Promise<void>
  findProfile(request: FastifyRequest): Promise<Profile>
  roleOf(profile: Profile, request: FastifyRequest): Promise<GatedResource['role']>
  gateOf(profileId: number, price: FixedPrice): Gate
  sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<unknown> | unknown
  isSigned(request: FastifyRequest): boolean
}
