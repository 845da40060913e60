import { z } from 'zod'

/** The schema of the app by which an account acted: its own name, and the host that vouches for it. */
export const actingAppFields = z.object({ name: z.string(), host: z.string().nullable() }).meta({ id: 'ActingApp' })

/** The app, or null. */
export const actingAppRecord = actingAppFields.nullable().describe('The connected app that did it')
