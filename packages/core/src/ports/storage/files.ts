import type { Page, PageRequest } from '../../kernel/page.ts'
import type { PageStatus } from './content.ts'
import type { ErasedAccount } from './erasure.ts'

/** A file of a profile. */
export interface StoredFile {
  readonly id: number
  readonly profileId: number
  /** The uploader; null once that account is deleted. */
  readonly accountId: string | null
  readonly filename: string
  /** The key of its bytes in the blob store. */
  readonly key: string
  /** In bytes. */
  readonly size: number
  readonly contentType: string
  /** The encoding of a text, as named by the Encoding standard; null for UTF-8 and for binary files. */
  readonly encoding: string | null
  /** Hexadecimal. */
  readonly sha256: string
  /** In pixels, as shown; null for a file that is not an image, or of which it is unknown. */
  readonly width: number | null
  readonly height: number | null
  /** What an image shows, for readers who do not see it; null for none. */
  readonly alt: string | null
  readonly createdAt: Date
  /** When its content was last replaced; null for a file with its first content. */
  readonly replacedAt: Date | null
}

/** A file whose bytes are still being stored. It is not visible. */
export interface NewUpload {
  readonly key: string
  readonly accountId: string
  readonly createdAt: Date
}

/** A file whose bytes are stored. */
export type UploadedFile = Pick<StoredFile, 'key' | 'filename' | 'size' | 'contentType' | 'sha256'> & {
  /** Default: UTF-8, or a binary file. */
  readonly encoding?: string | null | undefined
  /** In pixels. Default: unknown. */
  readonly width?: number | undefined
  readonly height?: number | undefined
  /** Default: none. */
  readonly alt?: string | null | undefined
  /** When the file was first stored, for files of another service. Default: when its upload was registered. */
  readonly createdAt?: Date | undefined
}

/** The maximum number of files and bytes of all profiles of an account together. */
export interface FileQuota {
  readonly files: number
  readonly bytes: number
}

/** The uploads to commit as files of a profile, and the account whose quota they use. */
export interface FilesToKeep {
  readonly profileId: number
  readonly ownerAccountId: string
  readonly quota: FileQuota
  /** Ids are assigned in this order. */
  readonly files: readonly UploadedFile[]
}

/** `gone`: an upload or the profile no longer exists, or the account no longer owns the profile. */
export type KeepOutcome =
  | { readonly outcome: 'kept'; readonly files: readonly StoredFile[] }
  | { readonly outcome: 'too_many' | 'too_large' | 'gone' }

/** The new content of a file: an upload, and the account whose quota it uses. */
export interface FileReplacement {
  readonly profileId: number
  readonly fileId: number
  readonly ownerAccountId: string
  /** The maximum number of bytes of all profiles of the account together. */
  readonly maxBytes: number
  /** The key of the content that it replaces. Default: whatever the file has. */
  readonly replacedKey?: string | undefined
  readonly replacedAt: Date
  /** Its name becomes that of the file. */
  readonly file: UploadedFile
}

/** `gone`: the upload, the file or the profile no longer exists, or the account no longer owns it. `changed`: the file has other content. */
export type ReplaceOutcome =
  | { readonly outcome: 'replaced'; readonly file: StoredFile }
  | { readonly outcome: 'too_large' | 'changed' | 'gone' }

/** Fields of a file to change. Others stay. */
export interface FileChanges {
  readonly filename?: string | undefined
  readonly alt?: string | null | undefined
}

/** A page that uses a file: its text, its cover or its draft names it. */
export interface FileUse {
  readonly pageId: number
  readonly title: string
  readonly status: PageStatus
}

/** Files of profiles, for reading. */
export interface FileReader {
  /** Returns a file that is stored permanently; undefined for an upload that has not ended. */
  get(id: number): Promise<StoredFile | undefined>
  /** The newest first. */
  listOfProfile(profileId: number, page: PageRequest): Promise<Page<StoredFile>>
  /** The newest files of each of these profiles, at most `limit` of each. Profiles without files are left out. */
  listOfProfiles(profileIds: readonly number[], limit: number): Promise<ReadonlyMap<number, readonly StoredFile[]>>
  /**
   * Those of some files that are images of the profile, or the images of a profile that one of its pages links to as `/files/<id>`, whatever its status, or those of some files that its published
   * pages link to or have as covers, or those of some files that are covers of published pages below public categories only. At most
   * 1,000, newest first.
   */
  listShown(
    profileId: number,
    images:
      | { readonly imageIds: readonly number[] }
      | { readonly pageId: number }
      | { readonly fileIds: readonly number[] }
      | { readonly coverIds: readonly number[] },
  ): Promise<readonly StoredFile[]>
  /**
   * The pages of the profile of a file that use it, whatever their status: that link to it as `/files/<id>` or `/media/<id>`, or have it as
   * cover, in their text or in their draft. At most `limit`, the last changed ones first.
   */
  listUses(file: Pick<StoredFile, 'id' | 'profileId'>, limit: number): Promise<readonly FileUse[]>
  /** Returns those of these keys that belong to a file or an upload, or are returned by `listDropped`. */
  listKnownKeys(keys: readonly string[]): Promise<readonly string[]>
  /** The keys of blobs whose file or upload was deleted, in the order of deletion. */
  listDropped(limit: number): Promise<readonly string[]>
}

/**
 * Files of profiles.
 *
 * Deleting a file or an upload, also with its profile, adds the key of its blob to `listDropped` in the same transaction.
 */
export interface FileStore extends FileReader {
  /** Registers an upload before its bytes are stored. False when the account does not exist. */
  createUpload(upload: NewUpload): Promise<boolean>
  /**
   * Turns uploads into files of a profile, all or none. Concurrent calls for one account wait for each other, so that
   * together they never exceed the quota.
   */
  commitUploads(files: FilesToKeep): Promise<KeepOutcome>
  /**
   * Makes an upload the content of a file, which keeps its id and all else: name, type, size, digest and uploader are those of the
   * upload. The key of the content before is added to `listDropped`; its extracted text and its transcript are deleted. The
   * quota applies to content that is larger than the one before. Concurrent calls for one account wait for each other;
   * of two that replace the same key, exactly one gets `replaced`.
   */
  replaceContent(replacement: FileReplacement): Promise<ReplaceOutcome>
  /** Changes fields of a file of the profile, and returns it; undefined when the profile has no such file. */
  update(profileId: number, id: number, changes: FileChanges): Promise<StoredFile | undefined>
  /** Discards uploads. Does not affect committed files. */
  discardUploads(keys: readonly string[]): Promise<void>
  /** Discards at most `limit` uploads that started before this time, and returns how many. */
  discardOldUploads(before: Date, limit: number): Promise<number>
  /** Deletes those of these files that belong to the profile, and returns them. */
  delete(profileId: number, ids: readonly number[]): Promise<readonly StoredFile[]>
  /** Confirms that these blobs were deleted. */
  confirmBlobsDeleted(keys: readonly string[]): Promise<void>
  /** Removes an account from the uploads and files that it uploaded. Files are deleted with their profile. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
