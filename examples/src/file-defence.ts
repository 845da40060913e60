import { clamdScanner, directoryBlobs, type EepOptions } from '@eep/core'
import { sharpImages } from '@eep/core/images'

// #region options
export const files: EepOptions['files'] = {
  blobStore: directoryBlobs({ directory: '/var/lib/eep/files' }),
  imageProcessor: sharpImages({ maxPixels: 50_000_000 }),
  scanner: clamdScanner({ host: 'clamd', port: 3310 }),
}
// #endregion
