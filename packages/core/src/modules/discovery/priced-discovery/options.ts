import { z } from 'zod'
import { acceptedTags, isShortText } from './resource-info.ts'

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
}
