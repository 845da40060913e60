import { z } from 'zod'
import { callerOf } from '../../http/request-context.ts'
import { type EepRoutes, routeConfig } from '../../http/routes.ts'
import { sendTagged } from '../../http/tagged-answer.ts'
import { CACHE_CONTROL, robotsOf } from '../../http/visibility-headers.ts'
import { serviceDetails } from '../../model/service-details.ts'
import { notProfileOwner, profileNotFound } from '../profiles/index.ts'
import { serviceNotFound, tooManyServices } from './errors.ts'
import { reviewRoutes } from './reviews.routes.ts'
import type { ReviewService } from './reviews.ts'
import { didParams, listingSchema, serviceDocument, serviceParams, serviceSchema } from './schemas.ts'
import type { Catalogue, CatalogueService } from './service.ts'

export interface ServiceRouteServices {
  readonly catalogue: CatalogueService
  readonly reviews: ReviewService
}

// A catalogue is the same object until it changes, and so are its bytes.
const kept = new WeakMap<Catalogue, Buffer>()

function bytesOf(catalogue: Catalogue): Buffer {
  const known = kept.get(catalogue)
  if (known) return known
  const { entityDid, services } = catalogue
  const bytes = Buffer.from(JSON.stringify({ entity_did: entityDid, services: services.map(serviceDocument) }))
  kept.set(catalogue, bytes)
  return bytes
}

/** What profiles sell, and what buyers say of it. */
export function serviceRoutes(app: EepRoutes, { catalogue, reviews }: ServiceRouteServices): void {
  const changing = { auth: 'key', scope: 'write:services', tag: 'services' } as const
  const errors = [profileNotFound, notProfileOwner]

  app.get(
    '/eep/services/:did',
    {
      config: routeConfig({
        auth: 'none',
        scope: 'read:services',
        tag: 'services',
        operationId: 'listServices',
        summary: 'What an entity sells',
        errors: [profileNotFound],
      }),
      schema: { params: didParams, response: { 200: listingSchema, 304: z.undefined() } },
    },
    async (request, reply) => {
      const found = await catalogue.get(request.params.did, request.eep.caller)
      const { visibility } = found.profile
      return sendTagged(request, reply, {
        body: bytesOf(found.catalogue),
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
        summary: 'Lists a service',
        errors: [...errors, tooManyServices],
      }),
      schema: { params: didParams, body: serviceDetails, response: { 201: serviceSchema } },
    },
    async (request, reply) => {
      const service = await catalogue.add(request.params.did, request.body, callerOf(request))
      reply.code(201)
      return serviceDocument(service)
    },
  )

  app.put(
    '/eep/services/:did/:id',
    {
      config: routeConfig({
        ...changing,
        operationId: 'replaceService',
        summary: 'Replaces what is said of a service',
        errors: [...errors, serviceNotFound],
      }),
      schema: { params: serviceParams, body: serviceDetails, response: { 200: serviceSchema } },
    },
    async (request) => {
      const { did, id } = request.params
      return serviceDocument(await catalogue.replace(did, id, request.body, callerOf(request)))
    },
  )

  app.delete(
    '/eep/services/:did/:id',
    {
      config: routeConfig({
        ...changing,
        operationId: 'deleteService',
        summary: 'Takes a service and its reviews out of the catalogue',
        errors: [...errors, serviceNotFound],
      }),
      schema: { params: serviceParams, response: { 200: z.object({ success: z.literal(true) }) } },
    },
    async (request) => {
      const { did, id } = request.params
      await catalogue.remove(did, id, callerOf(request))
      return { success: true as const }
    },
  )

  reviewRoutes(app, { reviews })
}
