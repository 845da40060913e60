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

/** How a request is started. */
export interface AttemptLimits {
  /** How long an attempt has before another one assumes that its process died, in milliseconds. */
  readonly leaseMs: number
  /** How many keys an account may have that have not expired. */
  readonly maxKeys: number
}

/**
 * The state of a key. `answered` has the stored response, or null when it was not stored or no longer is, and the facts that are
 * stored for as long as the key; `mismatch`: the key was used for another request, with the facts of its response, null while it has none;
 * `too_many_keys`: a new key of an account that has as many as it may have, and when the first of them expires.
 */
export type AttemptOutcome =
  | { readonly outcome: 'started' }
  | { readonly outcome: 'in_flight' }
  | { readonly outcome: 'mismatch'; readonly facts: string | null }
  | { readonly outcome: 'too_many_keys'; readonly freeAt: Date }
  | { readonly outcome: 'answered'; readonly answer: string | null; readonly facts: string | null }

/** The response to a request that was processed. */
export interface StoredAnswer {
  /** The response; null when it is not stored. */
  readonly answer: string | null
  /** The known facts about the response without its body. It is stored until the key expires. */
  readonly facts: string
  /** The bytes of all responses that an account may have. The oldest ones above are removed; their keys and facts remain. */
  readonly maxBytes: number
}

/** Empty, because attempts are only started and ended. */
export type IdempotencyReader = Readonly<Record<never, never>>

/** Requests that are processed once, and their responses. Expiry is checked by the clock of the database. */
export interface IdempotencyStore extends IdempotencyReader {
  /**
   * Starts a request. Exactly one of concurrent calls gets `started`, and never more keys of an account than it may have. An expired
   * key is free. A key whose holder did not finish within the lease goes to the next attempt of the same request.
   */
  begin(attempt: NewAttempt, limits: AttemptLimits): Promise<AttemptOutcome>
  /**
   * Ends a request: with its response, or as `abandoned` when it changed nothing, which frees its key. False unless `holder`
   * still holds it.
   */
  end(attempt: IdempotencyKey & { readonly holder: string }, result: StoredAnswer | 'abandoned'): Promise<boolean>
}
