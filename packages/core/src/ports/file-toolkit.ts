import type { IncomingHttpHeaders } from 'node:http'
import type { Readable, Writable } from 'node:stream'

/** How a form is read, and where it is refused. */
export interface FormOptions {
  readonly headers: IncomingHttpHeaders
  /** Whether a part is a file and not a field. */
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

/** What a parser of `multipart/form-data` emits, as the bytes of the parts arrive. */
export interface FormEvents {
  on(
    event: 'field',
    listener: (name: string, value: string, isNameTruncated: boolean, isValueTruncated: boolean) => void,
  ): unknown
  on(event: 'file', listener: (name: string, bytes: Readable, filename: string | undefined) => void): unknown
  on(event: 'filesLimit' | 'fieldsLimit' | 'partsLimit' | 'finish', listener: () => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
}

/** A parser of a form: the body is piped into `stream`. */
export interface FormParser {
  readonly stream: Writable
  readonly events: FormEvents
}

/** Reads bytes from `start` up to, and without, `end`. */
export type ReadRange = (start: number, end: number) => Promise<Uint8Array>

/**
 * What uploads, downloads and recordings need of libraries. `fileToolkit()` of `@eep/core/files` has all of it, so that hosts
 * without files do not install them.
 */
export interface FileToolkit {
  /** @throws when the headers have no boundary */
  createFormParser(options: FormOptions): FormParser
  /** Returns the media type that the first bytes of a file have, and `undefined` for text and unknown formats. */
  detectType(sample: Uint8Array): Promise<string | undefined>
  /** Returns a `Content-Disposition` (RFC 6266). */
  contentDisposition(filename: string, type: 'inline' | 'attachment'): string
  /**
   * Returns the length of a recording in seconds, and `undefined` when it cannot be measured within the limits of the toolkit.
   *
   * @throws what `read` throws
   */
  measureDuration(size: number, read: ReadRange): Promise<number | undefined>
}
