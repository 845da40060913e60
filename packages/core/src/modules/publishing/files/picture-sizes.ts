import { Readable } from 'node:stream'
import { isEepError } from '../../../kernel/errors.ts'
import { IMAGE_WIDTHS, type ImageSize } from '../../../model/image-widths.ts'
import { type BlobContent, type BlobStore, storageError } from '../../../ports/blob-store.ts'
import { type ImageProcessor, imageBroken, imageTooLarge } from '../../../ports/image-processor.ts'
import type { UploadedFile } from '../../../ports/storage/files.ts'

export const PICTURE_SIZES: readonly ImageSize[] = ['small', 'large']

/** The media type of all sizes. */
export const PICTURE_TYPE = 'image/webp'

/** The key of the blob with a size of an image. It belongs to the blob of the image, and is deleted with it. */
export const sizeKey = (key: string, size: ImageSize): string => `${key}_${size}`

type Image = Pick<UploadedFile, 'key' | 'contentType'> & { readonly width?: number | null | undefined }

/** Whether an image may be stored in this size: pages show others as they are. */
const hasSize = ({ contentType, width }: Image, size: ImageSize, images: ImageProcessor | undefined): boolean =>
  images?.shrink !== undefined &&
  images.contentTypes.includes(contentType) &&
  (width ?? Number.POSITIVE_INFINITY) > IMAGE_WIDTHS[size]

export interface PictureDeps {
  readonly blobs: BlobStore
  readonly images: ImageProcessor | undefined
}

/**
 * Stores the sizes of an image that is not a file of a profile yet. An image that cannot be drawn has none.
 *
 * @throws `storage_error`; the reason of the signal
 */
export async function storeSizes(image: Image, signal: AbortSignal, { blobs, images }: PictureDeps): Promise<void> {
  for (const size of PICTURE_SIZES) {
    if (!hasSize(image, size, images)) continue
    const content = await blobs.get(image.key)
    if (!content) throw storageError()
    try {
      const width = IMAGE_WIDTHS[size]
      const drawn = await images?.shrink?.(content.body, { contentType: image.contentType, width, signal })
      if (drawn) await blobs.put(sizeKey(image.key, size), Readable.from([drawn]), { size: drawn.length, signal })
    } catch (error) {
      const codes: readonly string[] = [imageBroken.code, imageTooLarge.code]
      if (!isEepError(error) || !codes.includes(error.code)) throw error
    } finally {
      content.body.destroy()
    }
  }
}

/** Opens a size of an image; undefined when it is not stored. */
export const openSize = async (
  image: Image,
  size: ImageSize,
  { blobs, images }: PictureDeps,
): Promise<BlobContent | undefined> => (hasSize(image, size, images) ? blobs.get(sizeKey(image.key, size)) : undefined)
