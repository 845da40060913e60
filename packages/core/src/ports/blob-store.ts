import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { defineError } from '../kernel/errors.ts'

/** What a store knows of a blob without reading it. */
export interface BlobMetadata {
  readonly key: string
  /** In bytes. */
  readonly size: number
  /** When its put ended, by the store's clock. */
  readonly modifiedAt: Date
}

/** Bytes of a blob, both ends included; without `end`, to the last one. */
export interface BlobRange {
  readonly start: number
  readonly end?: number | undefined
}

/** What a read gets. */
export interface BlobContent {
  /** Of the whole blob. */
  readonly size: number
  /** Where `body` starts, and how many bytes it has. */
  readonly start: number
  readonly length: number
  /** To be read to its end or destroyed. It has `length` bytes or fails; it never ends short. */
  readonly body: Readable
}

/** Options of {@link BlobStore.put}. */
export interface BlobPutOptions {
  /** How many bytes will come, where that is known; more or fewer are `incomplete_upload`. */
  readonly size?: number | undefined
  /** Gives the put up; it throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
}

/** Some blobs, in an order of the store's own. */
export interface BlobPage {
  readonly blobs: readonly BlobMetadata[]
  /** Where the next page starts; absent on the last one. A page may be empty and not be the last. */
  readonly nextCursor?: string | undefined
}

/**
 * Keeps bytes under keys that the service makes ({@link newBlobKey}); other keys are a `TypeError`.
 *
 * A blob is there whole or not at all. Trouble of the store is `storage_error`.
 */
export interface BlobStore {
  /**
   * Stores what `body` gives and answers with its size, once it is kept for good.
   *
   * The blob is not visible before. When the body fails or breaks off, is aborted, or is not as long as announced, that is
   * thrown, and an existing blob is unchanged. The body is destroyed then. After `storage_error` the blob
   * is there whole or not at all: an answer can be lost. Of two puts of one key, one is there whole. A crash may leave
   * unreadable leftovers, until `sweep`.
   */
  put(key: string, body: Readable, options?: BlobPutOptions): Promise<{ readonly size: number }>
  /**
   * The blob, or a range of it; undefined when there is none. A blob that is deleted or put again meanwhile is read on as
   * it was, or `body` fails.
   *
   * @throws `range_not_satisfiable` when it has no byte at `start`; an `end` after its last byte is its last byte
   */
  get(key: string, range?: BlobRange): Promise<BlobContent | undefined>
  head(key: string): Promise<BlobMetadata | undefined>
  /** Removes a blob; one that is not there is removed already. After a crash it may be there again. */
  delete(key: string): Promise<void>
  /**
   * At most `limit` blobs (1 to 1,000) after `cursor`. A reader of all pages sees each blob once that existed the whole time;
   * blobs put or deleted meanwhile may be missing.
   */
  list(request: { readonly limit: number; readonly cursor?: string | undefined }): Promise<BlobPage>
  /**
   * Removes leftovers of puts that began before this time and never ended, and says how many. A put that is still
   * under way may be among them: it fails then.
   */
  sweep(before: Date): Promise<number>
  /** Throws `storage_error` when the store cannot be used. */
  ping?(): Promise<void>
  close?(): Promise<void>
}

/** Creates the error of a blob store that fails: 502 `storage_error`. */
export const storageError = defineError('storage_error', 502, 'The store of files does not answer as it should')
/** Creates the error of a range that begins after the last byte: 416 `range_not_satisfiable`. */
export const rangeNotSatisfiable = defineError('range_not_satisfiable', 416, 'There are no bytes in this range')
/** Creates the error of bytes that break off or have another length than announced: 400 `incomplete_upload`. */
export const incompleteUpload = defineError(
  'incomplete_upload',
  400,
  'The upload broke off, or is not as long as it said',
)

// Lower case, because some disks ignore case; sixteen or more, so that none is a name a system keeps for itself.
const KEY = /^[a-z0-9][a-z0-9_-]{15,127}$/

/** A key that no blob has. */
export const newBlobKey = (): string => randomUUID()

/** Says whether a text is a key: 16 to 128 of `a-z`, `0-9`, `_` and `-`, of which the first is a letter or digit. */
export const isBlobKey = (text: string): boolean => KEY.test(text)

/**
 * For stores: rejects invalid keys, before it becomes part of a path.
 *
 * @throws TypeError
 */
export function assertBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new TypeError(`${JSON.stringify(key)} is not a blob key`)
}

/**
 * For stores: which bytes of a blob of this size are asked for.
 *
 * @throws `range_not_satisfiable`; TypeError when the range is none
 */
export function bytesOf(
  range: BlobRange | undefined,
  size: number,
): { readonly start: number; readonly length: number } {
  if (!range) return { start: 0, length: size }
  assertBlobRange(range)
  if (range.start >= size) {
    throw rangeNotSatisfiable({ details: { size }, headers: { 'content-range': `bytes */${size}` } })
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
