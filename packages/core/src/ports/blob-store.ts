import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { defineError } from '../kernel/errors.ts'

/** The metadata of a blob. */
export interface BlobMetadata {
  readonly key: string
  /** In bytes. */
  readonly size: number
  /** When its `put` ended, by the clock of the store. */
  readonly modifiedAt: Date
}

/** A range of bytes, both ends inclusive. Default for `end`: the last byte. */
export interface BlobRange {
  readonly start: number
  readonly end?: number | undefined
}

/** The result of {@link BlobStore.get}. */
export interface BlobContent {
  /** Of the whole blob. */
  readonly size: number
  /** Where `body` starts, and how many bytes it has. */
  readonly start: number
  readonly length: number
  /** Read it to its end or destroy it. It yields exactly `length` bytes or fails. */
  readonly body: Readable
}

/** Options of {@link BlobStore.put}. */
export interface BlobPutOptions {
  /** The size of the body, if known. A body of another size fails with `incomplete_upload`. */
  readonly size?: number | undefined
  /** Aborts the `put`, which then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

/** A page of blobs, in an order that the store chooses. */
export interface BlobPage {
  readonly blobs: readonly BlobMetadata[]
  /** Where the next page starts; absent on the last page. A page may be empty without being the last. */
  readonly nextCursor?: string | undefined
}

/**
 * Stores bytes under keys that the service creates ({@link newBlobKey}). Throws a `TypeError` for invalid keys.
 *
 * A blob exists completely or not at all. Failures of the store throw `storage_error`.
 */
export interface BlobStore {
  /**
   * Stores the bytes of `body`, and returns their number once they are durable.
   *
   * The blob is not visible before that. When the body fails or ends early, is aborted, or does not have the announced
   * size, `put` throws that error, destroys the body and leaves an existing blob unchanged. After `storage_error` the blob
   * may exist, but only completely, because a response can be lost. Of two concurrent puts with one key, one is stored
   * completely. A crash may leave partial data that no method returns, until `sweep`.
   */
  put(key: string, body: Readable, options?: BlobPutOptions): Promise<{ readonly size: number }>
  /**
   * Returns a blob, or a range of it; undefined when it does not exist. When the blob is deleted or replaced while it is
   * read, `body` yields the old bytes or fails.
   *
   * @throws `range_not_satisfiable` when it has no byte at `start`; an `end` after the last byte means the last byte
   */
  get(key: string, range?: BlobRange): Promise<BlobContent | undefined>
  /** Returns the size and the type of a blob; undefined when it does not exist. */
  head(key: string): Promise<BlobMetadata | undefined>
  /** Deletes a blob. Does nothing when it does not exist. After a crash it may exist again. */
  delete(key: string): Promise<void>
  /**
   * Lists at most `limit` blobs (1 to 1,000) after `cursor`. Reading all pages returns each blob that existed the whole
   * time exactly once; blobs that are stored or deleted meanwhile may be missing.
   */
  list(request: { readonly limit: number; readonly cursor?: string | undefined }): Promise<BlobPage>
  /**
   * Removes partial data of puts that started before this time and did not end, and returns how many there were. A put that
   * is still running may be among them, and then fails.
   */
  sweep(before: Date): Promise<number>
  /** Throws `storage_error` when the store cannot be used. */
  ping?(): Promise<void>
  /** Releases the resources of the store. Called once, after background work has ended. */
  close?(): Promise<void>
}

/** Creates the error for a failed blob store: 502 `storage_error`. */
export const storageError = defineError('storage_error', 502, 'The file storage returned an error')
/** Creates the error for a range that starts after the last byte: 416 `range_not_satisfiable`. */
export const rangeNotSatisfiable = defineError(
  'range_not_satisfiable',
  416,
  'The range starts after the end of the file',
)
/** Creates the error for a body that ends early or does not have the announced size: 400 `incomplete_upload`. */
export const incompleteUpload = defineError(
  'incomplete_upload',
  400,
  'The upload ended early or does not have the announced size',
)

// Lower case, because some file systems ignore case. At least sixteen characters, so that no key is a reserved file name.
const KEY = /^[a-z0-9][a-z0-9_-]{15,127}$/

/** Creates a unique key. */
export const newBlobKey = (): string => randomUUID()

/** Whether a string is a valid key: 16 to 128 of `a-z`, `0-9`, `_` and `-`, starting with a letter or digit. */
export const isBlobKey = (text: string): boolean => KEY.test(text)

/**
 * For stores: rejects invalid keys, before they become part of a path.
 *
 * @throws TypeError
 */
export function assertBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new TypeError(`${JSON.stringify(key)} is not a blob key`)
}

/**
 * For stores: resolves a range for a blob of this size.
 *
 * @throws `range_not_satisfiable`; TypeError when the range is invalid
 */
export function bytesOf(
  range: BlobRange | undefined,
  size: number,
): { readonly start: number; readonly length: number } {
  if (!range) return { start: 0, length: size }
  assertBlobRange(range)
  if (range.start >= size) {
    throw rangeNotSatisfiable({ details: { size }, size })
  }
  return { start: range.start, length: Math.min(range.end ?? size - 1, size - 1) - range.start + 1 }
}

/**
 * For stores: rejects invalid ranges.
 *
 * @throws TypeError
 */
export function assertBlobRange({ start, end }: BlobRange): void {
  const whole = Number.isSafeInteger(start) && (end === undefined || Number.isSafeInteger(end))
  if (!whole || start < 0 || (end !== undefined && end < start))
    throw new TypeError(`${start}-${end ?? ''} is not a range`)
}
