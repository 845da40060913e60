/** Nonces, for reading: empty, because nonces are only claimed. */
export type NonceReader = Readonly<Record<never, never>>

/** Values that are good once. */
export interface NonceStore extends NonceReader {
  /**
   * Takes a nonce of a scope until it runs out. Of concurrent calls one returns true; false while it is taken. Times
   * are compared with the clock of the database.
   */
  claim(nonce: { readonly scope: string; readonly nonce: string; readonly expiresAt: Date }): Promise<boolean>
}
