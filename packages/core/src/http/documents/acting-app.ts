import { z } from 'zod'

/** The schema of the app by which an account acted. */
export const actingAppFields = z
  .object({
    name: z.string().describe('As the app names itself'),
    host: z.string().nullable().describe('The host that vouches for it; null when nothing does'),
  })
  .meta({ id: 'ActingApp' })

/** The app, or null. */
export const actingAppRecord = actingAppFields
  .nullable()
  .describe('The connected app by which it was done; null without one')
