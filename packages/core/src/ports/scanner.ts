import type { Readable } from 'node:stream'

/** A file before it is visible. */
export interface ScannedFile {
  /** In bytes. */
  readonly size: number
  /** By its first bytes. */
  readonly contentType: string
  readonly filename: string
  /** Aborts the scan; its result is no longer needed. */
  readonly signal: AbortSignal
}

/** The result of a scan. */
export type ScanVerdict =
  | { readonly verdict: 'clean' }
  /** `signature`: what the scanner calls what it found. */
  | { readonly verdict: 'infected'; readonly signature: string }

/**
 * Looks for what must not be kept or handed on.
 *
 * It fails closed: a file that a scanner could not read to its end, or does not know, is never `clean`. What it throws is
 * logged, and the upload is refused as `scanner_unavailable`.
 */
export interface Scanner {
  /** Reads the bytes, for `clean` to their last one, and returns the verdict. Called concurrently. */
  scan(body: Readable, file: ScannedFile): Promise<ScanVerdict>
}
