import type { Readable } from 'node:stream'
import type { JsonObject } from '../../../kernel/json.ts'
import type { ArchiveSource } from '../../../ports/archive-format.ts'
import type { DirectArchiveOptions, ExportOf, ImportTarget } from './direct-archives.ts'

/** The methods of `app.eep.archives`. */
export interface ArchivesApi {
  /**
   * Writes the archive of a profile, or that of an account, and returns its bytes. Permissions and daily limits do not apply.
   * The stream fails when a part cannot be read.
   *
   * @throws `archives_disabled`, `profile_not_found`, `not_found` for an account
   */
  openExport(subject: ExportOf, options?: DirectArchiveOptions): Promise<Readable>
  /**
   * Imports the archive of a profile as a new profile of an account, all or nothing, and returns the report of the import. With
   * `dryRun` everything is checked and nothing is stored.
   *
   * @throws `archives_disabled`, `invalid_archive`, `archive_tampered`, `archive_too_large`, `username_taken` and other codes of
   * an import
   */
  importProfile(source: ArchiveSource, target: ImportTarget, options?: DirectArchiveOptions): Promise<JsonObject>
}
