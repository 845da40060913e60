import { z } from 'zod'
import { defineEvent } from '../../events/define-event.ts'

const service = z.object({ serviceId: z.string() })
const ofProfile = { audience: 'public', subject: 'profile', invalidates: ['profile'] } as const

export const serviceListed = defineEvent('services.service_listed', {
  ...ofProfile,
  data: service,
  signal: 'service.listed',
  summary: 'A service was listed',
})
export const serviceUpdated = defineEvent('services.service_updated', {
  ...ofProfile,
  data: service,
  signal: 'service.updated',
  summary: 'A service was changed',
})
export const serviceDelisted = defineEvent('services.service_delisted', {
  ...ofProfile,
  data: service,
  signal: 'service.delisted',
  summary: 'A service was taken off the list',
})
export const reviewWritten = defineEvent('services.review_written', {
  ...ofProfile,
  data: service.extend({ reviewId: z.string(), score: z.number() }),
  signal: 'service.reviewed',
  summary: 'A buyer reviewed a service',
})

export const serviceEvents = [serviceListed, serviceUpdated, serviceDelisted, reviewWritten] as const
