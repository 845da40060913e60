import type { ArchiveFormat } from '../../ports/archive-format.ts'
import { port } from '../fields.ts'

export const archives = {
  /**
   * Writes and reads archives: `zipArchives()` of `@eep/core/archives`. Without it, and without `files.blobStore`, profiles
   * cannot be exported or imported.
   */
  format: port<ArchiveFormat>('write', 'entries').optional(),
}
