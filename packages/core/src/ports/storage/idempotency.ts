/** A request that is carried out once, as its account names it. */
export interface IdempotencyKey {
  readonly accountId: string
  /** Method and pattern of the path: `POST /manage/pages`. */
  readonly route: string
  /** What the client calls it. */
  readonly key: string
}

/** An attempt to carry it out. */
export interface NewAttempt extends IdempotencyKey {
  /** Digest of the request; equal for the same request only. */
  readonly fingerprint: string
  /** The attempt; no other attempt has this id. */
  readonly holder: string
  /** Until when the key is stored. */
  readonly expiresAt: Date
}

/**
 * What a key stands for. `answered` has the answer as it was kept, or null when it was not; `mismatch` is the key of
 * another request.
 */
export type AttemptOutcome =
  | { readonly outcome: 'started' }
  | { readonly outcome: 'in_flight' }
  | { readonly outcome: 'mismatch' }
  | { readonly outcome: 'answered'; readonly answer: string | null }

/** Keys of requests, for reading: empty, because keys are only begun and finished. */
export type IdempotencyReader = Readonly<Record<never, never>>

/** Requests that are carried out once, and how they were answered. Times are compared with the clock of the database. */
export interface IdempotencyStore extends IdempotencyReader {
  /**
   * Begins a request. Of concurrent calls one gets `started`. A key that has expired is free; one whose holder
   * did not finish within the lease is the next attempt's, of the same request only.
   */
  begin(attempt: NewAttempt, leaseMs: number): Promise<AttemptOutcome>
  /**
   * Ends a request: with its answer (null when it is not kept), or as `abandoned` when it changed nothing, which frees its
   * key. False unless `holder` still holds it.
   */
  end(
    attempt: IdempotencyKey & { readonly holder: string },
    result: { readonly answer: string | null } | 'abandoned',
  ): Promise<boolean>
}
