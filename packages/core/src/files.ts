/** Files: what stores, detects, scans, re-encodes, reads and transcribes them. */

export type { ClamdScannerOptions } from './defaults/clamd-scanner.ts'
export { clamdScanner } from './defaults/clamd-scanner.ts'
export type { DirectoryBlobsOptions } from './defaults/directory-blobs.ts'
export { directoryBlobs } from './defaults/directory-blobs.ts'
export type { DocumentConverterOptions } from './defaults/documents/document-converter.ts'
export { documentConverter } from './defaults/documents/document-converter.ts'
export { fileToolkit } from './defaults/file-toolkit/file-toolkit.ts'
export type { HttpTranscriberOptions } from './defaults/http-transcriber.ts'
export { httpTranscriber } from './defaults/http-transcriber.ts'
export type { SharpImagesOptions } from './images/sharp-images.ts'
export { sharpImages } from './images/sharp-images.ts'
