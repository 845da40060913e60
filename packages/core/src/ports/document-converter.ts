import type { Readable } from 'node:stream'
import { defineError } from '../kernel/errors.ts'

/** The properties of a document, known before its bytes are read. */
export interface DocumentInfo {
  /** Detected from its first bytes, with parameters: `text/csv; charset=utf-8`. */
  readonly contentType: string
  readonly filename: string
  /** The encoding of a text, as named by the Encoding standard. Default: UTF-8. */
  readonly encoding?: string | null | undefined
  /** In bytes. */
  readonly size: number
}

/** The text of a document. */
export interface DocumentText {
  readonly markdown: string
  /**
   * Sentences for the reader about what is missing, for example omitted pages or images of text. The first 20 are kept,
   * each up to 300 characters.
   */
  readonly warnings: readonly string[]
}

/** Extracts the text of untrusted documents. */
export interface DocumentConverter {
  /**
   * Results are cached by this version, the bytes, the type, the encoding and the extension. Change it whenever the result for the same
   * input may change. At most 64 characters.
   */
  readonly version: string
  /** Whether the converter supports this kind of document, regardless of its size. */
  reads(document: DocumentInfo): boolean
  /**
   * Extracts the text of a document. Must not block or crash the process, and must always read or destroy `body`.
   *
   * @throws `unsupported_document`, `document_too_large`, `conversion_failed` ({@link conversionFailed}), always the same
   *   for the same bytes; the reason of the signal when it is aborted; the error of `body`
   */
  convert(document: DocumentInfo, body: Readable, options: { readonly signal: AbortSignal }): Promise<DocumentText>
}

/** Creates the error for a document in an unsupported format. */
export const unsupportedDocument = defineError(
  'unsupported_document',
  415,
  'Text cannot be extracted from files of this type',
)
/** Creates the error for a document that is larger than the converter allows. */
export const documentTooLarge = defineError('document_too_large', 413, 'The file is too large for text extraction')
/**
 * Creates the error for a document that cannot be read. `details.reason` is `broken`, `protected` (by a password) or
 * `too_complex` (it takes too much time or memory).
 */
export const conversionFailed = defineError('conversion_failed', 422, 'The text of the file could not be extracted')
