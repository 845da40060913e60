import { z } from 'zod'
import type { BlobStore } from '../../../ports/blob-store.ts'
import type { DocumentConverter } from '../../../ports/document-converter.ts'
import type { FileToolkit } from '../../../ports/file-toolkit.ts'
import type { ImageProcessor } from '../../../ports/image-processor.ts'
import type { Scanner } from '../../../ports/scanner.ts'
import type { Transcriber } from '../../../ports/transcriber.ts'
import { port } from '../fields.ts'

export const files = {
  /**
   * Reads forms, detects types and measures recordings: `fileToolkit()` of `@eep/core/files`. Required with `blobStore`.
   */
  toolkit: port<FileToolkit>(
    'createFormParser',
    'detectType',
    'detectEncodings',
    'contentDisposition',
    'measureDuration',
  ).optional(),
  /** Stores the bytes of files: `directoryBlobs()`, `s3Blobs()`. Without one, files are off. */
  blobStore: port<BlobStore>('put', 'get', 'head', 'delete', 'list', 'sweep').optional(),
  /** Re-encodes images to strip metadata and appended data: `sharpImages()`. Without one, JPEG, PNG, WebP and GIF lose their metadata in place. */
  imageProcessor: port<ImageProcessor>('clean')
    .refine(({ contentTypes }) => Array.isArray(contentTypes), { error: 'Needs contentTypes' })
    .optional(),
  /** Scans uploads before they are stored permanently: `clamdScanner()`. Files that cannot be scanned are rejected. */
  scanner: port<Scanner>('scan').optional(),
  /** Extracts the text of documents: `documentConverter()`. Without one, text extraction is off. */
  converter: port<DocumentConverter>('reads', 'convert').optional(),
  /**
   * How long a request waits for a text that is not extracted yet.
   * @default 10000
   */
  conversionWaitMs: z.int().min(0).max(300_000).default(10_000),
  /** Transcribes recordings: `httpTranscriber()`. Without one, transcription is off. */
  transcriber: port<Transcriber>('transcribe').optional(),
}
