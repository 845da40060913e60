/** What a counter says after one more hit. */
export interface RateLimitHit {
  /** Hits in the present window, this one included. */
  readonly count: number
  /** When the window ends: milliseconds since 1970. */
  readonly resetAtMs: number
}

/** Counts requests in fixed windows. */
export interface RateLimitStore {
  /** Adds one hit to a key whose window lasts `windowMs`. May answer at once or later. */
  hit(key: string, windowMs: number): RateLimitHit | Promise<RateLimitHit>
  close?(): Promise<void>
}
