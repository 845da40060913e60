import { z } from 'zod'
import { line, prose } from '../kernel/text-fields.ts'
import { metadata } from './metadata.ts'
import { listedPricingSchema } from './pricing.ts'

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
const clock = z.string().regex(/^[0-2][0-9]:[0-5][0-9]$/, 'Must be a time of day such as 09:30')
const hours = z.array(z.strictObject({ start: clock, end: clock })).max(24)

const availability = z.strictObject({
  type: z.enum(['always', 'schedule', 'on_demand', 'limited']).optional(),
  timezone: line(64).optional(),
  schedule: z.strictObject(Object.fromEntries(DAYS.map((day) => [day, hours.optional()]))).optional(),
  slots_remaining: z.int().min(0).optional(),
  next_available: z.iso.datetime({ offset: true }).optional(),
})

const requirement = z
  .object({ type: line(64) })
  .catchall(z.union([line(256), z.number(), z.boolean()]))
  .refine((members) => Object.keys(members).length <= 20, 'At most 20 members')

/** A listing in the format of EEP (`service.listing.json`). */
export const listingDetails = z.strictObject({
  name: line(256),
  category: line(64).meta({ description: 'For example consulting, data_feed, api_access, content or training' }),
  pricing: listedPricingSchema,
  delivery: z.enum(['realtime', 'async', 'scheduled', 'sse', 'webhook', 'download', 'a2a_task']),
  description: prose(4_096).optional(),
  tags: z.array(line(64)).max(20).optional(),
  availability: availability.optional(),
  gate_requirements: z.array(requirement).max(5).optional(),
  negotiable: z.boolean().default(false),
  status: z.enum(['active', 'paused', 'sold_out', 'coming_soon']).default('active'),
  metadata: metadata.optional(),
})

/** The details of a listed service, with defaults filled in. */
export type ListingDetails = z.output<typeof listingDetails>
