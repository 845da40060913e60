/** The state of a counter after a request was counted. */
export interface RateLimitHit {
  /** Hits in the current window, including this one. */
  readonly count: number
  /** When the window ends: milliseconds since 1970. */
  readonly resetAtMs: number
}

/** Hits of one key in a batch. */
export interface RateLimitHits {
  readonly key: string
  /** The length of a window of this key. */
  readonly windowMs: number
  /** At least 1. */
  readonly hits: number
}

/** Counts requests in fixed windows, shared by all instances that use it. */
export interface RateLimitStore {
  /** Adds one hit to a key whose window lasts `windowMs`. */
  hit(key: string, windowMs: number): RateLimitHit | Promise<RateLimitHit>
  /**
   * Adds hits to several keys in one step. Resolves to the state of each counter, in the order of the batch. No key occurs
   * twice in a batch. The service calls this every 200 ms with everything that it counted locally, so one round trip to the
   * storage should be enough.
   */
  hitMany(batch: readonly RateLimitHits[]): readonly RateLimitHit[] | Promise<readonly RateLimitHit[]>
  /**
   * Takes one hit of a key back while its window lasts. A counter does not fall below 0, and the end of its window stays.
   * Without this method, forms that are refused for the shape of a field count like others.
   */
  giveBack?(key: string, windowMs: number): void | Promise<void>
  /** Releases the resources of the store. Called once, after background work has ended. */
  close?(): Promise<void>
}
