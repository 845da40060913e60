/** Records that expire. */
export interface ExpiredStore {
  /**
   * Deletes sessions, tokens, invitations, preview links, nonces and idempotency keys that have expired by the clock of the database, at
   * most `limit` of each. Returns the total number; call it again until it returns fewer than `limit`.
   */
  delete(limit: number): Promise<number>
}
