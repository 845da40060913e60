import { listResponse } from '../../../http/documents/lists.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import { CACHE_CONTROL } from '../../../model/visibility.ts'
import { activeProfileHeader, notProfileOwner, profileMoved, profileNotFound } from '../../profiles/profiles/index.ts'
import { readParticipant } from '../commerce/index.ts'
import { alreadyReviewed, noDealToReview, serviceNotFound, tooManyReviews } from './errors.ts'
import type { ReviewService } from './reviews.ts'
import { didParams, reviewBody, reviewList, reviewSchema, reviewsQuery, serializeReview } from './schemas.ts'

/** Routes of reviews. */
export function reviewRoutes(app: EepRoutes, { reviews }: { readonly reviews: ReviewService }): void {
  app.get(
    '/eep/services/:did/reviews',
    {
      config: routeConfig({
        auth: 'none',
        scope: 'read:services',
        tag: 'services',
        operationId: 'listServiceReviews',
        summary: 'List the reviews of the services of an entity, newest first',
        errors: [profileNotFound, profileMoved, invalidCursor],
      }),
      schema: { params: didParams, querystring: reviewsQuery, response: { 200: reviewList } },
    },
    async (request, reply) => {
      const { service_id: serviceId, ...query } = request.query
      const { profile, page } = await reviews.list(request.params.did, { ...query, serviceId }, request.eep.caller)
      reply.header('cache-control', CACHE_CONTROL[profile.visibility])
      return listResponse(page, serializeReview)
    },
  )

  app.post(
    '/eep/services/:did/reviews',
    {
      config: routeConfig({
        auth: 'key',
        scope: 'write:reviews',
        tag: 'services',
        operationId: 'createServiceReview',
        summary: 'Create a review of a service, once for each completed negotiation',
        agents: true,
        errors: [
          profileNotFound,
          profileMoved,
          notProfileOwner,
          serviceNotFound,
          noDealToReview,
          alreadyReviewed,
          tooManyReviews,
        ],
      }),
      schema: { headers: activeProfileHeader, params: didParams, body: reviewBody, response: { 201: reviewSchema } },
    },
    async (request, reply) => {
      const { service_id: serviceId, ...draft } = request.body
      const review = await reviews.write(request.params.did, { serviceId, ...draft }, readParticipant(request))
      reply.code(201)
      return serializeReview(review)
    },
  )
}
