import type { JsonObject } from '../../kernel/json.ts'

/** The purpose of a single-use token. */
export type TokenPurpose =
  | 'verify_email'
  | 'reset_password'
  | 'change_email'
  | 'undo_email'
  | 'undo_payout'
  | 'delete_account'
  | 'siwe_nonce'
  | 'oauth_state'
  | 'recover_purchases'
  | 'passkey_registration'
  | 'passkey_sign_in'
  | 'second_factor'

/** A single-use secret that expires. Only its digest is stored. */
export interface Token {
  /** UUID. */
  readonly id: string
  readonly purpose: TokenPurpose
  /** SHA-256 of the secret, hex. */
  readonly hash: string
  /** The account; null before sign-in. */
  readonly accountId: string | null
  /** State of the flow that it belongs to. */
  readonly data: JsonObject
  /** The number of wrong guesses left; null: unlimited. */
  readonly triesLeft: number | null
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Single-use tokens that are sent by email, for reading. */
export interface TokenReader {
  /** The newest token of an account for a purpose, or the one with a hash, expired or not. Does not consume it. */
  getNewest(purpose: TokenPurpose, subject: string | Pick<Token, 'hash'>): Promise<Token | undefined>
}

/** Single-use tokens that are sent by email. */
export interface TokenStore extends TokenReader {
  /** Stores a token. `replace` deletes all older ones of its account and purpose. */
  put(token: Token, options?: { readonly replace?: boolean | undefined }): Promise<void>
  /**
   * Consumes the token with this hash, or with one of these hashes. Exactly one of concurrent calls gets it. `undefined`
   * when it does not exist, has expired by the clock of the database, belongs to another account, or has no tries left.
   *
   * With `accountId`, a failure counts as a wrong guess for the tokens of the account and purpose; those without tries left
   * are deleted. Concurrent guesses would all be compared before the first is counted, so lock the account first, and
   * commit.
   */
  consume(token: {
    readonly purpose: TokenPurpose
    readonly hash: string | readonly string[]
    readonly accountId?: string | undefined
  }): Promise<Token | undefined>
  /** Ends every token of an account for a purpose; with `after`, only those that were created later than that. */
  deleteOf(purpose: TokenPurpose, accountId: string, after?: Date | undefined): Promise<void>
}
