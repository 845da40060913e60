/** Empty, because nonces are only claimed. */
export type NonceReader = Readonly<Record<never, never>>

/** Single-use values. */
export interface NonceStore extends NonceReader {
  /**
   * Claims a nonce in a scope until it expires. Exactly one of concurrent calls returns true; false while it is claimed.
   * Expiry is checked by the clock of the database.
   */
  claim(nonce: { readonly scope: string; readonly nonce: string; readonly expiresAt: Date }): Promise<boolean>
}
