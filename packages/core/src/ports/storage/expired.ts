/** Records that expire. */
export interface ExpiredStore {
  /**
   * Deletes sessions, tokens, invitations, preview links, nonces, idempotency keys, and kept answers
   * and strikes of paid requests that have expired by the clock of the database, at
   * most `limit` of each. Returns the total number; call it again until it returns fewer than `limit`.
   */
  delete(limit: number): Promise<number>
}
