/** Identifies a request that is processed once. */
export interface IdempotencyKey {
  readonly accountId: string
  /** Method and pattern of the path: `POST /manage/pages`. */
  readonly route: string
  /** The `Idempotency-Key` of the client. */
  readonly key: string
}

/** An attempt to process a request. */
export interface NewAttempt extends IdempotencyKey {
  /** A digest of the request. */
  readonly fingerprint: string
  /** The unique id of the attempt. */
  readonly holder: string
  /** Until when the key is stored. */
  readonly expiresAt: Date
}

/**
 * The state of a key. `answered` has the stored response, or null when it was not stored; `mismatch`: the key was used for
 * another request.
 */
export type AttemptOutcome =
  | { readonly outcome: 'started' }
  | { readonly outcome: 'in_flight' }
  | { readonly outcome: 'mismatch' }
  | { readonly outcome: 'answered'; readonly answer: string | null }

/** Empty, because attempts are only started and ended. */
export type IdempotencyReader = Readonly<Record<never, never>>

/** Requests that are processed once, and their responses. Expiry is checked by the clock of the database. */
export interface IdempotencyStore extends IdempotencyReader {
  /**
   * Starts a request. Exactly one of concurrent calls gets `started`. An expired key is free. A key whose holder did not
   * finish within the lease goes to the next attempt of the same request.
   */
  begin(attempt: NewAttempt, leaseMs: number): Promise<AttemptOutcome>
  /**
   * Ends a request: with its response (null when it is not stored), or as `abandoned` when it changed nothing, which frees
   * its key. False unless `holder` still holds it.
   */
  end(
    attempt: IdempotencyKey & { readonly holder: string },
    result: { readonly answer: string | null } | 'abandoned',
  ): Promise<boolean>
}
