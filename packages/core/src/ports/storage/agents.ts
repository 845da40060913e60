/** Nonces, for reading: nobody needs to, so there is nothing. */
export type NonceReader = Readonly<Record<never, never>>

/** Values that are good once. */
export interface NonceStore extends NonceReader {
  /**
   * Takes a nonce of a scope until it runs out. Of many that ask at once one gets true; false while it is taken. Times
   * are compared with the clock of the database.
   */
  claim(nonce: { readonly scope: string; readonly nonce: string; readonly expiresAt: Date }): Promise<boolean>
  /** Removes nonces that have run out; tells how many. */
  deleteExpired(limit: number): Promise<number>
}
