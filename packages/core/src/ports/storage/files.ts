import type { Page, PageRequest } from '../../kernel/page.ts'
import type { ErasedAccount } from './erasure.ts'

/** A file that a profile has. */
export interface StoredFile {
  readonly id: number
  readonly profileId: number
  /** The uploader; null after that account is deleted. */
  readonly accountId: string | null
  readonly filename: string
  /** Where its bytes are in the blob store. */
  readonly key: string
  /** In bytes. */
  readonly size: number
  readonly contentType: string
  /** Hexadecimal. */
  readonly sha256: string
  readonly createdAt: Date
}

/** A file whose bytes are still being stored. It is not visible. */
export interface NewUpload {
  readonly key: string
  readonly accountId: string
  readonly createdAt: Date
}

/** A file whose bytes are stored. */
export type UploadedFile = Pick<StoredFile, 'key' | 'filename' | 'size' | 'contentType' | 'sha256'>

/** How many files all profiles of an account may have together, and how many bytes. */
export interface FileQuota {
  readonly files: number
  readonly bytes: number
}

/** Which uploads become files of a profile, and whose quota they count in. */
export interface FilesToKeep {
  readonly profileId: number
  readonly ownerAccountId: string
  readonly quota: FileQuota
  /** They get their ids in this order. */
  readonly files: readonly UploadedFile[]
}

/** `gone`: an upload, the profile, or the ownership of the account is not there any more. */
export type KeepOutcome =
  | { readonly outcome: 'kept'; readonly files: readonly StoredFile[] }
  | { readonly outcome: 'too_many' | 'too_large' | 'gone' }

/** Files of profiles, for reading. */
export interface FileReader {
  get(id: number): Promise<StoredFile | undefined>
  /** The newest first. */
  listOfProfile(profileId: number, page: PageRequest): Promise<Page<StoredFile>>
  /** The newest of each of these profiles, at most `limit` of each; profiles without files are left out. */
  listOfProfiles(profileIds: readonly number[], limit: number): Promise<ReadonlyMap<number, readonly StoredFile[]>>
  /** Which of these blobs belong to a file, to an upload, or to what is listed by `listDropped`. */
  listKnownKeys(keys: readonly string[]): Promise<readonly string[]>
  /** Some blobs that nothing belongs to any more, in the order in which it went. */
  listDropped(limit: number): Promise<readonly string[]>
}

/**
 * Files of profiles.
 *
 * Whatever goes, by itself or with its profile, leaves the key of its blob in `listDropped` in the same transaction.
 */
export interface FileStore extends FileReader {
  /** Makes place for a file that comes. False when the account is gone. */
  createUpload(upload: NewUpload): Promise<boolean>
  /**
   * Makes uploads files of a profile, all or none. Concurrent calls for one account wait for each other,
   * so that together they never have more than the quota.
   */
  commitUploads(files: FilesToKeep): Promise<KeepOutcome>
  /** Discards uploads. Existing files stay. */
  discardUploads(keys: readonly string[]): Promise<void>
  /** Gives at most `limit` uploads up that began before this moment, and says how many. */
  discardOldUploads(before: Date, limit: number): Promise<number>
  /** Removes those of these files that the profile has, and says which. */
  delete(profileId: number, ids: readonly number[]): Promise<readonly StoredFile[]>
  /** Says that these blobs are removed. */
  confirmBlobsDeleted(keys: readonly string[]): Promise<void>
  /** Removes the sender from the uploads and files that an account sent. Files go with their profile. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
