import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { BlobContent, BlobRange } from '../../../ports/blob-store.ts'
import type { StoredFile } from '../../../ports/storage/files.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { FileDeletion, FoundFile } from './service.ts'

/** The methods of `app.eep.files`. */
export interface FilesApi {
  /**
   * Returns a file and its profile. Files of unlisted profiles need the key of their address, unless the caller is of the
   * team. Gates are not evaluated; see `paywall.hasAccess`.
   *
   * @throws `file_not_found`, `files_disabled`
   */
  find(id: number, caller: Caller | undefined, key?: string): Promise<FoundFile>
  /**
   * Deletes a file. Its blob is deleted after the transaction; a blob store that fails is retried in the background.
   *
   * @throws `file_not_found` also when a concurrent call deleted it, `file_changed`, `not_profile_owner`, `files_disabled`
   */
  delete(id: number, caller: Caller, how: FileDeletion): Promise<void>
  /**
   * Returns a page of the files of a profile, newest first, to its owner.
   * @throws `not_profile_owner`, `invalid_cursor`, `files_disabled`
   */
  list(profile: Profile, request: PageRequest, caller: Caller): Promise<Page<StoredFile>>
  /**
   * Opens the content of a file as a stream.
   *
   * @param range - The first and last byte. Default: all.
   * @throws `storage_error` when the blob store is unavailable or lost the blob; `files_disabled`
   */
  open(storedFile: StoredFile, range?: BlobRange): Promise<BlobContent>
  /** Whether a blob store is configured; without one the other methods throw `files_disabled`. */
  readonly isEnabled: boolean
}
