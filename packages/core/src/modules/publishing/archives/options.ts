import { z } from 'zod'
import { origin } from '../../../framework/options/fields.ts'

/** The options of the feature. */
export const archivesOptions = {
  /**
   * Services whose exports are trusted: their public URLs, and the public keys of their `/.well-known/jwks.json`. Imports of
   * other services are accepted, reported as `foreign`, and their images are re-encoded.
   * @default []
   */
  trustedIssuers: z
    .array(
      z.object({
        issuer: origin,
        keys: z
          .array(z.object({ x: z.string() }))
          .min(1)
          .readonly(),
      }),
    )
    .readonly()
    .default([]),
}
