import { z } from 'zod'
import { listOf, listQuery } from '../../../http/documents/lists.ts'
import { prose } from '../../../kernel/text-fields.ts'
import { listingDetails } from '../../../model/listing-details.ts'
import type { Listing, Review } from '../../../ports/storage/listings.ts'

export const didParams = z.object({ did: z.string().min(1).max(512) })
export const listingParams = didParams.extend({ id: z.string().min(1).max(128) })

const serviceId = z.string().regex(/^svc_[a-zA-Z0-9_]{1,64}$/, 'The id of a service: svc_…')

export const reviewBody = z.strictObject({
  service_id: serviceId,
  score: z.int().min(1).max(5),
  comment: prose(2_048).optional(),
})

export const reviewsQuery = listQuery.extend({ service_id: serviceId.optional() })

const time = z.iso.datetime()

export const listingSchema = listingDetails
  .extend({
    id: z.string(),
    rating: z.object({ score: z.number().min(1).max(5), count: z.int() }).optional(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'ServiceListing' })

/** The catalog of a profile, in the closed schema of EEP. */
export const catalogueSchema = z
  .object({ entity_did: z.string(), services: z.array(listingSchema) })
  .meta({ id: 'ServiceCatalogue' })

export const reviewSchema = z
  .object({
    id: z.string(),
    service_id: z.string(),
    reviewer_did: z
      .string()
      .describe('`did:eep:erased` for a profile that is not public, was deleted, or whose account is banned'),
    score: z.int(),
    comment: z.string().optional(),
    created_at: time,
  })
  .meta({ id: 'Review' })

export const reviewList = listOf(reviewSchema)

/** A serialized service. It has no rating without a review. */
export const serializeListing = ({ id, details, scores, createdAt, updatedAt }: Listing) => ({
  id,
  ...details,
  ...(scores.count > 0
    ? { rating: { score: Math.round((scores.sum / scores.count) * 10) / 10, count: scores.count } }
    : {}),
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
})

export const serializeReview = ({ id, serviceId, reviewerDid, score, comment, createdAt }: Review) => ({
  id,
  service_id: serviceId,
  reviewer_did: reviewerDid,
  score,
  ...(comment === null ? {} : { comment }),
  created_at: createdAt.toISOString(),
})
