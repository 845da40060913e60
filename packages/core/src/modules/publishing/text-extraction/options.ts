import { z } from 'zod'
import { port } from '../../../framework/options/fields.ts'
import type { DocumentConverter } from '../../../ports/document-converter.ts'

/** The options of the feature. */
export const textExtractionOptions = {
  /** Extracts the text of documents: `documentConverter()`. Without one, text extraction is off. */
  converter: port<DocumentConverter>('reads', 'convert').optional(),
  /**
   * How long a request waits for a text that is not extracted yet.
   * @default 10000
   */
  waitMs: z.int().min(0).max(300_000).default(10_000),
}
