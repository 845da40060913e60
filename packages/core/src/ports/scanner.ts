import type { Readable } from 'node:stream'

/** What is known of a file before it is anyone's. */
export interface ScannedFile {
  /** In bytes. */
  readonly size: number
  /** By its first bytes. */
  readonly contentType: string
  readonly filename: string
  /** Gives the scan up; nobody waits for it any more. */
  readonly signal: AbortSignal
}

export type ScanVerdict =
  | { readonly verdict: 'clean' }
  /** `signature`: what the scanner calls what it found. */
  | { readonly verdict: 'infected'; readonly signature: string }

/**
 * Looks for what must not be kept or handed on.
 *
 * It fails closed: a file that a scanner could not read to its end, or does not know, is never `clean`. What it throws is
 * told to the operator, and the upload is refused as `scanner_unavailable`.
 */
export interface Scanner {
  /** Reads the bytes, for `clean` to their last one, and says what they are. Many are read at once. */
  scan(body: Readable, file: ScannedFile): Promise<ScanVerdict>
}
