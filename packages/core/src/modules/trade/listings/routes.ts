import { z } from 'zod'
import { formatQuery, invalidFormat, protocolTypes } from '../../../http/documents/negotiation.ts'
import { sendProtocolDocument } from '../../../http/documents/send-with-etag.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { listingDetails } from '../../../model/listing-details.ts'
import { CACHE_CONTROL, robotsOf } from '../../../model/visibility.ts'
import { notProfileOwner, profileMoved, profileNotFound } from '../../profiles/profiles/index.ts'
import { serviceNotFound, tooManyServices } from './errors.ts'
import { reviewRoutes } from './reviews.routes.ts'
import type { ReviewService } from './reviews.ts'
import { catalogueSchema, didParams, listingParams, listingSchema, serializeListing } from './schemas.ts'
import type { Catalogue, ListingService } from './service.ts'

export interface ListingRouteServices {
  readonly listings: ListingService
  readonly reviews: ReviewService
}

const bytesOf = ({ entityDid, listings }: Catalogue): Buffer =>
  Buffer.from(JSON.stringify({ entity_did: entityDid, services: listings.map(serializeListing) }))

/** Routes of listings and reviews. */
export function listingRoutes(app: EepRoutes, { listings, reviews }: ListingRouteServices): void {
  const changing = { auth: 'key', scope: 'write:services', tag: 'services' } as const
  const errors = [profileNotFound, profileMoved, notProfileOwner]

  app.get(
    '/eep/services/:did',
    {
      config: routeConfig({
        auth: 'none',
        scope: 'read:services',
        tag: 'services',
        operationId: 'listServices',
        summary: 'List the services of an entity',
        errors: [profileNotFound, profileMoved, invalidFormat],
        produces: protocolTypes(),
      }),
      schema: {
        params: didParams,
        querystring: formatQuery,
        response: { 200: catalogueSchema, 304: z.undefined() },
      },
    },
    async (request, reply) => {
      const found = await listings.get(request.params.did, request.eep.caller)
      const { visibility } = found.profile
      return sendProtocolDocument(request, reply, {
        title: 'Services',
        // A cached catalog is the same object until it changes.
        body: request.eep.representations.get(found.catalogue, 'json', () => bytesOf(found.catalogue)),
        cacheControl: CACHE_CONTROL[visibility],
        headers: { 'eep-entity-did': found.catalogue.entityDid, ...robotsOf(visibility) },
      })
    },
  )

  app.post(
    '/eep/services/:did',
    {
      config: routeConfig({
        ...changing,
        operationId: 'createService',
        summary: 'Create a service',
        errors: [...errors, tooManyServices],
      }),
      schema: { params: didParams, body: listingDetails, response: { 201: listingSchema } },
    },
    async (request, reply) => {
      const listing = await listings.add(request.params.did, request.body, callerOf(request))
      reply.code(201)
      return serializeListing(listing)
    },
  )

  app.put(
    '/eep/services/:did/:id',
    {
      config: routeConfig({
        ...changing,
        operationId: 'replaceService',
        summary: 'Replace a service',
        errors: [...errors, serviceNotFound],
      }),
      schema: { params: listingParams, body: listingDetails, response: { 200: listingSchema } },
    },
    async (request) => {
      const { did, id } = request.params
      return serializeListing(await listings.replace(did, id, { details: request.body }, callerOf(request)))
    },
  )

  app.delete(
    '/eep/services/:did/:id',
    {
      config: routeConfig({
        ...changing,
        operationId: 'deleteService',
        summary: 'Delete a service and its reviews',
        errors: [...errors, serviceNotFound],
      }),
      schema: {
        params: listingParams,
        response: { 200: z.object({ success: z.literal(true) }).meta({ id: 'Success' }) },
      },
    },
    async (request) => {
      const { did, id } = request.params
      await listings.remove(did, id, callerOf(request))
      return { success: true as const }
    },
  )

  reviewRoutes(app, { reviews })
}
