import { pipeline, type Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { EepError } from '../../kernel/errors.ts'
import { type BlobStore, storageError } from '../../ports/blob-store.ts'
import { type ImageProcessor, imageBroken, imageTooLarge, MAX_IMAGE_PIXELS } from '../../ports/image-processor.ts'
import type { UploadedFile } from '../../ports/storage/files.ts'
import { createByteMeter } from './byte-meter.ts'
import { imageSizeOf } from './image-header.ts'

export interface TidyImageDeps {
  readonly blobs: BlobStore
  /** Without one, images are measured by their headers and stored unchanged. */
  readonly images: ImageProcessor | undefined
}

/** The size of the chunks in which the header of an image is searched. */
const WINDOW_BYTES = 16_384

type Blob = Pick<UploadedFile, 'key' | 'contentType' | 'size' | 'sha256'>

export interface TidyImageOptions {
  readonly signal: AbortSignal
  /** Called with the number of bytes so far; an error that it returns ends the stream. */
  readonly refuse: (size: number) => EepError | undefined
}

/**
 * Replaces an uploaded image by its re-encoded version before it is added to a profile. Other files are not changed.
 *
 * @throws `image_too_large`, `image_broken`, `storage_error`; what `refuse` returns; the reason of the signal
 */
export async function tidyImage(
  stored: Blob,
  { signal, refuse }: TidyImageOptions,
  { blobs, images }: TidyImageDeps,
): Promise<Blob> {
  if (!stored.contentType.startsWith('image/')) return stored
  if (!images?.contentTypes.includes(stored.contentType)) {
    await assertSmall(stored, blobs)
    return stored
  }
  const { key } = stored
  const sent = await open(blobs, key)
  let drawn: { readonly body: Readable; readonly contentType: string } | undefined
  try {
    drawn = await images.clean(sent, { contentType: stored.contentType, signal })
    const meter = createByteMeter({ refuse })
    pipeline(drawn.body, meter.bytes, () => {})
    // The original bytes are not read again.
    sent.destroy()
    const { size } = await blobs.put(key, meter.bytes, { signal })
    return { key, size, contentType: drawn.contentType, sha256: meter.sha256() }
  } catch (error) {
    if (sent.errored) throw sent.errored
    throw error
  } finally {
    sent.destroy()
    drawn?.body.destroy()
  }
}

async function open(blobs: BlobStore, key: string): Promise<Readable> {
  const content = await blobs.get(key)
  if (!content) throw storageError()
  return content.body
}

async function assertSmall({ key, size, contentType }: Blob, blobs: BlobStore): Promise<void> {
  let window = Buffer.alloc(0)
  let windowStart = 0
  const found = await imageSizeOf(async (start, length) => {
    if (start < windowStart || start + length > windowStart + window.length) {
      if (start >= size) return Buffer.alloc(0)
      const content = await blobs.get(key, { start, end: start + WINDOW_BYTES - 1 })
      if (!content) throw storageError()
      window = await buffer(content.body)
      windowStart = start
    }
    return window.subarray(start - windowStart, start - windowStart + length)
  }, contentType)
  if (found === 'unknown') return
  if (!found) throw imageBroken()
  const pixels = found.width * found.height
  if (pixels > MAX_IMAGE_PIXELS) throw imageTooLarge({ details: { pixels, max_pixels: MAX_IMAGE_PIXELS } })
}
