import { z } from 'zod'
import { defineEvent } from '../../events/define-event.ts'
import type { AboutProfile } from '../../events/signals.ts'

const service = z.object({ serviceId: z.string() })
interface ServiceData {
  readonly serviceId: string
}

const signalled = <const Type extends string>(type: Type) => ({
  types: { [type]: z.object({ entity_id: z.int(), service_id: z.string() }) },
  of: ({ serviceId }: ServiceData, { profileId }: AboutProfile) => ({
    type,
    data: { entity_id: profileId, service_id: serviceId },
  }),
})
const ofProfile = { audience: 'public', subject: 'profile', invalidates: ['profile'] } as const

export const serviceListed = defineEvent('services.service_listed', {
  ...ofProfile,
  data: service,
  signal: signalled('service.listed'),
  summary: 'A service was listed',
})
export const serviceUpdated = defineEvent('services.service_updated', {
  ...ofProfile,
  data: service,
  signal: signalled('service.updated'),
  summary: 'A service was changed',
})
export const serviceDelisted = defineEvent('services.service_delisted', {
  ...ofProfile,
  data: service,
  signal: signalled('service.delisted'),
  summary: 'A service was taken off the list',
})
export const reviewWritten = defineEvent('services.review_written', {
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
  summary: 'A buyer reviewed a service',
})

export const serviceEvents = [serviceListed, serviceUpdated, serviceDelisted, reviewWritten] as const
