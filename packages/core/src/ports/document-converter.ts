import type { Readable } from 'node:stream'
import { defineError } from '../kernel/errors.ts'

/** What a converter learns of a document before its bytes. */
export interface DocumentInfo {
  /** By its first bytes, with parameters: `text/csv; charset=utf-8`. */
  readonly contentType: string
  readonly filename: string
  /** In bytes. */
  readonly size: number
}

/** The text of a document. */
export interface DocumentText {
  readonly markdown: string
  /**
   * Missing parts, in sentences for the reader: pages that were left out, pictures of text. The first 20 are kept,
   * and of each 300 characters.
   */
  readonly warnings: readonly string[]
}

/** Extracts the text of untrusted documents. */
export interface DocumentConverter {
  /**
   * What came of the same bytes, type and extension under this name is used again. It is another one as soon as something
   * else may come of them; at most 64 characters.
   */
  readonly version: string
  /** Whether it reads such documents; what it refuses only because of the size, it reads. */
  reads(document: DocumentInfo): boolean
  /**
   * The text of a document. It never keeps the process from its other work, and never ends it. `body` is read or
   * destroyed, whatever happens.
   *
   * @throws `unsupported_document`, `document_too_large`, `conversion_failed` ({@link conversionFailed}), the same each
   * time for the same bytes; the reason of the signal when that gives it up; what `body` fails with
   */
  convert(document: DocumentInfo, body: Readable, options: { readonly signal: AbortSignal }): Promise<DocumentText>
}

/** Creates the error of a document whose format the converter does not read. */
export const unsupportedDocument = defineError('unsupported_document', 415, 'The text of such files cannot be read')
/** Creates the error of a document that takes more bytes, time or memory than the converter allows. */
export const documentTooLarge = defineError('document_too_large', 413, 'The file is too large for its text to be read')
/** `details.reason` is `broken`, `protected` (by a password) or `too_complex` (it takes too much time or memory). */
export const conversionFailed = defineError('conversion_failed', 422, 'The text of the file cannot be read')
