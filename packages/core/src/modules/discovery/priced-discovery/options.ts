import { z } from 'zod'
import { acceptedTags, isShortText } from './resource-info.ts'

const MAX_GUIDANCE = 4_000
const MAX_CATEGORIES = 5

/** The options of the feature. */
export const pricedDiscoveryOptions = {
  /** The URL for questions of clients, in `/openapi.json`: https or mailto. Default: `publicUrl`. */
  contact: z.strictObject({ url: z.url({ protocol: /^(https?|mailto)$/ }).max(500) }).optional(),
  /** The name of sellers whose own name does not fit: 1 to 32 printable ASCII characters. Default: `name`, if it fits. */
  serviceName: z.string().refine(isShortText, { error: 'Must be 1 to 32 printable ASCII characters' }).optional(),
  /** The tags of sellers without keywords: at most 5, each of 1 to 32 printable ASCII characters. Default: none. */
  tags: z
    .array(z.string())
    .refine((tags) => acceptedTags(tags).length === tags.length, {
      error: 'Must be at most 5 different tags of 1 to 32 printable ASCII characters',
    })
    .default([]),
  /** What the service is about, in `/openapi.json`: at most 5 words. Default: none. */
  categories: z.array(z.string().trim().min(1).max(50)).max(MAX_CATEGORIES).default([]),
  /** How agents use the service, in `/openapi.json`, at most 4,000 characters. Default: a text about search, reading, payment and receipts. */
  guidance: z.string().trim().min(1).max(MAX_GUIDANCE).optional(),
  /** Whether `/openapi.json` and those of profiles exist. Set it to `false` when the host has its own `/openapi.json`. @default true */
  paidOpenapi: z.boolean().default(true),
  /** Whether `/discovery/resources` and `/discovery/search` exist: the catalogue of what clients of x402 can buy. @default true */
  catalogue: z.boolean().default(true),
}
