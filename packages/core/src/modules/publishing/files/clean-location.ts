import { pipeline, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import type { EepError } from '../../../kernel/errors.ts'
import { type BlobStore, storageError } from '../../../ports/blob-store.ts'
import type { UploadedFile } from '../../../ports/storage/files.ts'
import { createByteMeter } from './byte-meter.ts'
import type { ReadBytes } from './image-header.ts'
import { metadataFinders } from './image-segments.ts'
import { locationInIsoMedia, type Patch } from './iso-media.ts'
import { assertWithoutLocation } from './untouched-images.ts'

/** The size of the chunks in which headers are searched. */
const WINDOW_BYTES = 16_384
/** The same for images that are read from their beginning to their end. */
const IMAGE_WINDOW_BYTES = 1_048_576
/** How many reads are served before other work may run. */
const READS_PER_TURN = 1_000

const ISO_MEDIA = /^(image\/(hei[cf](-sequence)?|avif)|(video|audio)\/(mp4|quicktime|x-m4[av]|3gpp2?))(;|$)/

type Blob = Pick<UploadedFile, 'key' | 'contentType' | 'size' | 'sha256'>

export interface CleanOptions {
  readonly signal: AbortSignal
  /** Called with the number of bytes so far; an error that it returns ends the stream. */
  readonly refuse: (size: number) => EepError | undefined
}

/**
 * Removes the location from an uploaded image, film or recording, without decoding it: from JPEG, PNG, WebP and GIF everything
 * but the picture, its colors and its orientation, from HEIC, HEIF, AVIF, MP4, MOV, M4A and 3GP the location. TIFF, raw and
 * JPEG XL images that have one are refused. Other files are not changed.
 *
 * @throws `location_not_removable`, `storage_error`; what `refuse` returns; the reason of the signal
 */
export async function cleanLocation(stored: Blob, { signal, refuse }: CleanOptions, blobs: BlobStore): Promise<Blob> {
  const { key, size, contentType } = stored
  const finder = ISO_MEDIA.test(contentType) ? locationInIsoMedia : metadataFinders[contentType]
  const stoppable = (read: ReadBytes): ReadBytes => {
    return (start, length) => {
      signal.throwIfAborted()
      return read(start, length)
    }
  }
  if (!finder) {
    await assertWithoutLocation(stoppable(readerOf(stored, blobs)), size, contentType)
    return stored
  }
  const windowBytes = finder === locationInIsoMedia ? WINDOW_BYTES : IMAGE_WINDOW_BYTES
  const patches = await finder(stoppable(readerOf(stored, blobs, windowBytes)), size)
  if (patches.length === 0) return stored
  const content = await blobs.get(key)
  if (!content) throw storageError()
  const meter = createByteMeter({ refuse })
  try {
    pipeline(content.body, overwrite(patches), meter.bytes, () => {})
    const written = await blobs.put(key, meter.bytes, { size, signal })
    return { ...stored, size: written.size, sha256: meter.sha256() }
  } finally {
    content.body.destroy()
  }
}

/** Reads a stored file in windows, so that headers side by side are one request. Lets other work run between many reads. */
export function readerOf(
  { key, size }: Pick<Blob, 'key' | 'size'>,
  blobs: BlobStore,
  windowBytes = WINDOW_BYTES,
): ReadBytes {
  let window = Buffer.alloc(0)
  let windowStart = 0
  let reads = 0
  return async (start, length) => {
    reads += 1
    if (reads % READS_PER_TURN === 0) await setImmediate()
    const end = Math.min(start + length, size)
    if (start >= end) return Buffer.alloc(0)
    if (start < windowStart || end > windowStart + window.length) {
      const content = await blobs.get(key, { start, end: Math.min(start + Math.max(windowBytes, length), size) - 1 })
      if (!content) throw storageError()
      window = await buffer(content.body)
      windowStart = start
    }
    return window.subarray(start - windowStart, end - windowStart)
  }
}

/** Writes patches over the bytes that pass through: zeros first, each byte once however many patches cover it. */
function overwrite(patches: readonly Patch[]): Transform {
  const writeZeros = createWriter(merged(patches.filter(({ bytes }) => !bytes)))
  const writeBytes = createWriter(patches.filter(({ bytes }) => bytes).toSorted(byStart))
  let offset = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const bytes = Buffer.from(chunk)
      writeZeros(bytes, offset)
      writeBytes(bytes, offset)
      offset += bytes.length
      done(null, bytes)
    },
  })
}

const byStart = (left: Patch, right: Patch) => left.start - right.start

/** Zeros without overlaps, in their order. */
function merged(zeros: readonly Patch[]): readonly Patch[] {
  const result: { start: number; length: number }[] = []
  for (const { start, length } of zeros.toSorted(byStart)) {
    const last = result.at(-1)
    if (last && start <= last.start + last.length) last.length = Math.max(last.length, start + length - last.start)
    else result.push({ start, length })
  }
  return result
}

/** Writes sorted patches that do not overlap over one chunk after the other. */
function createWriter(sorted: readonly Patch[]): (chunk: Buffer, offset: number) => void {
  let index = 0
  return (chunk, offset) => {
    const limit = offset + chunk.length
    for (let patch = sorted[index]; patch && patch.start < limit; patch = sorted[index]) {
      const from = Math.max(patch.start, offset)
      const to = Math.min(patch.start + patch.length, limit)
      if (to > from) {
        if (patch.bytes) patch.bytes.copy(chunk, from - offset, from - patch.start, to - patch.start)
        else chunk.fill(0, from - offset, to - offset)
      }
      // The rest is in the next chunk.
      if (patch.start + patch.length > limit) break
      index += 1
    }
  }
}
