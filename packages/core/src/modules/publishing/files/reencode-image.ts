import { pipeline, type Readable } from 'node:stream'
import { type BlobStore, storageError } from '../../../ports/blob-store.ts'
import { type ImageProcessor, imageBroken, imageTooLarge, MAX_IMAGE_PIXELS } from '../../../ports/image-processor.ts'
import type { UploadedFile } from '../../../ports/storage/files.ts'
import { createByteMeter } from './byte-meter.ts'
import { type CleanOptions, cleanLocation, readerOf } from './clean-location.ts'
import { imageSizeOf } from './image-header.ts'
import { storeSizes } from './picture-sizes.ts'

export interface ReencodeImageDeps {
  readonly blobs: BlobStore
  /** Without one, images are measured by their headers. */
  readonly images: ImageProcessor | undefined
}

type Blob = Pick<UploadedFile, 'key' | 'contentType' | 'size' | 'sha256' | 'width' | 'height'>

/**
 * Replaces an uploaded image by its re-encoded version before it is added to a profile, or removes the location from a file
 * that is not re-encoded, and stores its sizes. The result has the width and height of the image, where its header has them.
 *
 * @throws `image_too_large`, `image_broken`, `location_not_removable`, `storage_error`; what `refuse` returns; the reason of the signal
 */
export async function reencodeImage(stored: Blob, options: CleanOptions, deps: ReencodeImageDeps): Promise<Blob> {
  const tidied = await cleaned(stored, options, deps)
  const measured = { ...tidied, ...(await shownSizeOf(tidied, deps.blobs)) }
  await storeSizes(measured, options.signal, deps)
  return measured
}

/** The width and height of a stored image, where its header has them. */
export async function shownSizeOf(stored: Blob, blobs: BlobStore): Promise<Pick<Blob, 'width' | 'height'>> {
  if (!stored.contentType.startsWith('image/')) return {}
  const found = await imageSizeOf(readerOf(stored, blobs), stored.contentType)
  return found && found !== 'unknown' ? found : {}
}

async function cleaned(stored: Blob, options: CleanOptions, { blobs, images }: ReencodeImageDeps): Promise<Blob> {
  if (!images?.contentTypes.includes(stored.contentType)) {
    if (stored.contentType.startsWith('image/')) await assertSmall(stored, blobs)
    return cleanLocation(stored, options, blobs)
  }
  const { signal, refuse } = options
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

async function assertSmall(stored: Blob, blobs: BlobStore): Promise<void> {
  const found = await imageSizeOf(readerOf(stored, blobs), stored.contentType)
  if (found === 'unknown') return
  if (!found) throw imageBroken()
  const pixels = found.width * found.height
  if (pixels > MAX_IMAGE_PIXELS) throw imageTooLarge({ details: { pixels, max_pixels: MAX_IMAGE_PIXELS } })
}
