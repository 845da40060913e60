import { port } from '../../../framework/options/fields.ts'
import type { BlobStore } from '../../../ports/blob-store.ts'
import type { ImageProcessor } from '../../../ports/image-processor.ts'
import type { Scanner } from '../../../ports/scanner.ts'

/** The options of the feature. */
export const filesOptions = {
  /** Stores the bytes of files: `directoryBlobs()`, `s3Blobs()`. Without one, files are off. */
  blobStore: port<BlobStore>('put', 'get', 'head', 'delete', 'list', 'sweep').optional(),
  /** Re-encodes images to strip metadata and appended data: `sharpImages()`. Without one, JPEG, PNG, WebP and GIF lose their metadata in place. */
  imageProcessor: port<ImageProcessor>('clean')
    .refine(({ contentTypes }) => Array.isArray(contentTypes), { error: 'Needs contentTypes' })
    .optional(),
  /** Scans uploads before they are stored permanently: `clamdScanner()`. Files that cannot be scanned are rejected. */
  scanner: port<Scanner>('scan').optional(),
}
