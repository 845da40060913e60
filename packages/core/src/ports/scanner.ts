import type { Readable } from 'node:stream'

/** An uploaded file that is not visible yet. */
export interface ScannedFile {
  /** In bytes. */
  readonly size: number
  /** Detected from its first bytes. */
  readonly contentType: string
  readonly filename: string
  /** Aborts the scan; its result is no longer needed. */
  readonly signal: AbortSignal
}

/** The result of a scan. */
export type ScanVerdict =
  | { readonly verdict: 'clean' }
  /** `signature`: the name of the finding at the scanner. */
  | { readonly verdict: 'infected'; readonly signature: string }

/**
 * Scans uploads for malware and other content that must not be stored.
 *
 * Must fail closed: a file that the scanner could not read completely, or does not support, is never `clean`. An error is
 * logged, and the upload is rejected with `scanner_unavailable`.
 */
export interface Scanner {
  /** Reads the bytes and returns the verdict; for `clean` it must have read all of them. Called concurrently. */
  scan(body: Readable, file: ScannedFile): Promise<ScanVerdict>
}
