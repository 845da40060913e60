import { z } from 'zod'
import type { ArchiveFormat } from '../../../ports/archive-format.ts'
import { origin, port } from '../fields.ts'

export const archives = {
  /**
   * Writes and reads archives: `zipArchives()` of `@eep/core/archives`. Without it, and without `files.blobStore`, profiles
   * cannot be exported or imported.
   */
  format: port<ArchiveFormat>('write', 'entries').optional(),
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
