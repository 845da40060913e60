/** The limits of one scan. They hold for hostile sites too. */
export interface ScanLimits {
  /** Including redirects. */
  readonly maxRequests: number
  /** In all, of bodies as they are sent and also as they are decoded. */
  readonly maxBytes: number
  /** Of one response. */
  readonly maxResponseBytes: number
  /** For the whole scan. One response may take all that is left of it. */
  readonly timeoutMs: number
  readonly maxRedirects: number
  /** How many requests run concurrently. */
  readonly concurrency: number
}

export const SCAN_LIMITS: ScanLimits = {
  maxRequests: 50,
  maxBytes: 5 * 1024 * 1024,
  maxResponseBytes: 1024 * 1024,
  timeoutMs: 10_000,
  maxRedirects: 3,
  concurrency: 4,
}

/** The name of the scanner in `robots.txt`, and the start of its `User-Agent`. */
export const SCANNER_AGENT = 'EEP-Site-Scanner'
