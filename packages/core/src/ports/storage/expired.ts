/** What is kept for a while only. */
export interface ExpiredStore {
  /**
   * Removes sessions, tokens, invitations, nonces and idempotency keys that have expired by the clock of the database: at
   * most `limit` of each. Returns how many it removed in all; call it again until it returns fewer than `limit`.
   */
  delete(limit: number): Promise<number>
}
