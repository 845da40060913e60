/** Files: what stores, detects, scans, re-encodes, reads and transcribes them. */

export type { ClamdScannerOptions } from '../adapters/clamd-scanner.ts'
export { clamdScanner } from '../adapters/clamd-scanner.ts'
export type { DirectoryBlobsOptions } from '../adapters/directory-blobs.ts'
export { directoryBlobs } from '../adapters/directory-blobs.ts'
export type { DocumentConverterOptions } from '../adapters/documents/document-converter.ts'
export { documentConverter } from '../adapters/documents/document-converter.ts'
export { fileToolkit } from '../adapters/file-toolkit/file-toolkit.ts'
export type { HttpTranscriberOptions } from '../adapters/http-transcriber.ts'
export { httpTranscriber } from '../adapters/http-transcriber.ts'
export type { SharpImagesOptions } from '../adapters/images/sharp-images.ts'
export { sharpImages } from '../adapters/images/sharp-images.ts'
