import { pipeline, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { EepError } from '../../kernel/errors.ts'
import { type BlobStore, storageError } from '../../ports/blob-store.ts'
import type { UploadedFile } from '../../ports/storage/files.ts'
import { createByteMeter } from './byte-meter.ts'
import type { ReadBytes } from './image-header.ts'
import { metadataFinders } from './image-segments.ts'
import { locationInIsoMedia, type Patch } from './iso-media.ts'
import { assertWithoutLocation } from './untouched-images.ts'

/** The size of the chunks in which headers are searched. */
const WINDOW_BYTES = 16_384
/** The same for images that are read from their beginning to their end. */
const IMAGE_WINDOW_BYTES = 1_048_576

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

/** Reads a stored file in windows, so that headers side by side are one request. */
export function readerOf(
  { key, size }: Pick<Blob, 'key' | 'size'>,
  blobs: BlobStore,
  windowBytes = WINDOW_BYTES,
): ReadBytes {
  let window = Buffer.alloc(0)
  let windowStart = 0
  return async (start, length) => {
    if (start < windowStart || start + length > windowStart + window.length) {
      if (start >= size) return Buffer.alloc(0)
      const content = await blobs.get(key, { start, end: start + Math.max(windowBytes, length) - 1 })
      if (!content) throw storageError()
      window = await buffer(content.body)
      windowStart = start
    }
    return window.subarray(start - windowStart, start - windowStart + length)
  }
}

/** Writes patches over the bytes that pass through. */
function overwrite(patches: readonly Patch[]): Transform {
  const sorted = patches.toSorted((left, right) => left.start - right.start)
  let offset = 0
  let first = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const bytes = Buffer.from(chunk)
      for (let index = first; index < sorted.length; index++) {
        const patch = sorted[index]
        if (!patch || patch.start >= offset + bytes.length) break
        const from = Math.max(patch.start, offset)
        const to = Math.min(patch.start + patch.length, offset + bytes.length)
        if (to > from) {
          if (patch.bytes) patch.bytes.copy(bytes, from - offset, from - patch.start, to - patch.start)
          else bytes.fill(0, from - offset, to - offset)
        }
        if (index === first && patch.start + patch.length <= offset + bytes.length) first += 1
      }
      offset += bytes.length
      done(null, bytes)
    },
  })
}
