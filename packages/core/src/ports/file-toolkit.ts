import type { IncomingHttpHeaders } from 'node:http'
import type { Readable, Writable } from 'node:stream'

/** The options and limits of a form parser. */
export interface FormOptions {
  readonly headers: IncomingHttpHeaders
  /** Whether a part is a file instead of a field. */
  readonly isFile: (name: string, filename: string | undefined) => boolean
  readonly limits: {
    readonly files: number
    readonly fields: number
    readonly parts: number
    readonly fieldNameSize: number
    readonly fieldSize: number
    readonly headerPairs: number
    readonly headerSize: number
  }
}

/** The events of a `multipart/form-data` parser, emitted as the parts arrive. */
export interface FormEvents {
  on(
    event: 'field',
    listener: (name: string, value: string, isNameTruncated: boolean, isValueTruncated: boolean) => void,
  ): unknown
  on(event: 'file', listener: (name: string, bytes: Readable, filename: string | undefined) => void): unknown
  on(event: 'filesLimit' | 'fieldsLimit' | 'partsLimit' | 'finish', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** A form parser. Pipe the body into `stream`. */
export interface FormParser {
  readonly stream: Writable
  readonly events: FormEvents
}

/** Reads bytes from `start` (inclusive) to `end` (exclusive). */
export type ReadRange = (start: number, end: number) => Promise<Uint8Array>

/**
 * The library functions for uploads, downloads and recordings. The entry of the feature `files` brings them.
 */
export interface FileToolkit {
  /**
   * Creates the parser of one form.
   *
   * @throws when the headers have no boundary
   */
  createFormParser(options: FormOptions): FormParser
  /** Detects the media type from the first bytes of a file. Returns undefined for text and unknown formats. */
  detectType(sample: Uint8Array): Promise<string | undefined>
  /**
   * Returns the encodings that a text in another encoding than UTF-8 may have, the most likely first: names of the Encoding
   * standard in any case, and confidences of 0 to 100.
   */
  detectEncodings(sample: Uint8Array): Promise<readonly { readonly name: string; readonly confidence: number }[]>
  /** Returns a `Content-Disposition` (RFC 6266). */
  contentDisposition(filename: string, type: 'inline' | 'attachment'): string
  /**
   * Returns the duration of a recording in seconds; undefined when it cannot be determined within the limits of the
   * toolkit.
   *
   * @throws the errors of `read`
   */
  measureDuration(size: number, read: ReadRange): Promise<number | undefined>
}
