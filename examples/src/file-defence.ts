import { clamdScanner, directoryBlobs, files, sharpImages } from '@eep/core/files'

// #region options
export const modules = [
  files({
    blobStore: directoryBlobs({ directory: '/var/lib/eep/files' }),
    imageProcessor: sharpImages({ maxPixels: 50_000_000 }),
    scanner: clamdScanner({ host: 'clamd', port: 3310 }),
  }),
]
// #endregion
