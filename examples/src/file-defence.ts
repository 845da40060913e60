import type { EepOptions } from '@eep/core'
import { clamdScanner, directoryBlobs, fileToolkit, sharpImages } from '@eep/core/files'

// #region options
export const files: EepOptions['files'] = {
  toolkit: fileToolkit(),
  blobStore: directoryBlobs({ directory: '/var/lib/eep/files' }),
  imageProcessor: sharpImages({ maxPixels: 50_000_000 }),
  scanner: clamdScanner({ host: 'clamd', port: 3310 }),
}
// #endregion
