import { clamdScanner, directoryBlobs, type EepOptions } from '@eep/core'
import { sharpImages } from '@eep/core/images'

// #region options
export const files: Pick<EepOptions, 'blobs' | 'images' | 'scanner'> = {
  blobs: directoryBlobs({ directory: '/var/lib/eep/files' }),
  images: sharpImages({ maxPixels: 50_000_000 }),
  scanner: clamdScanner({ host: 'clamd', port: 3310 }),
}
// #endregion
