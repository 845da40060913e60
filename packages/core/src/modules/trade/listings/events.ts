import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'
import type { AboutProfile } from '../../../runtime/events/signals.ts'

const service = z.object({ serviceId: z.string() })
interface ListingData {
  readonly serviceId: string
}

const signalled = <const Type extends string>(type: Type) => ({
  types: { [type]: z.object({ entity_id: z.int(), service_id: z.string() }) },
  of: ({ serviceId }: ListingData, { profileId }: AboutProfile) => ({
    type,
    data: { entity_id: profileId, service_id: serviceId },
  }),
})
const ofProfile = { audience: 'public', subject: 'profile', invalidates: ['profile'] } as const

export const listingCreated = defineEvent('listings.listing_created', {
  ...ofProfile,
  data: service,
  signal: signalled('service.listed'),
  summary: 'A listing was created',
})
export const listingUpdated = defineEvent('listings.listing_updated', {
  ...ofProfile,
  data: service,
  signal: signalled('service.updated'),
  summary: 'A listing was updated',
})
export const listingDeleted = defineEvent('listings.listing_deleted', {
  ...ofProfile,
  data: service,
  signal: signalled('service.delisted'),
  summary: 'A listing was deleted',
})
export const reviewWritten = defineEvent('listings.review_written', {
  ...ofProfile,
  data: service.extend({ reviewId: z.string(), score: z.number() }),
  signal: {
    types: {
      'service.reviewed': z.object({
        entity_id: z.int(),
        service_id: z.string(),
        review_id: z.string(),
        score: z.number(),
      }),
    },
    of: ({ serviceId, reviewId, score }, { profileId }) => ({
      type: 'service.reviewed',
      data: { entity_id: profileId, service_id: serviceId, review_id: reviewId, score },
    }),
  },
  summary: 'A buyer reviewed a listing',
})

export const listingEvents = [listingCreated, listingUpdated, listingDeleted, reviewWritten] as const
