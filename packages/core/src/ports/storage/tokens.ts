import type { JsonObject } from '../../kernel/json.ts'

/** What a single-use secret is for. */
export type TokenPurpose =
  | 'verify_email'
  | 'reset_password'
  | 'delete_account'
  | 'siwe_nonce'
  | 'oauth_state'
  | 'recover_purchases'

/** A secret that is good once and for a while. Only its digest is kept. */
export interface Token {
  /** UUID. */
  readonly id: string
  readonly purpose: TokenPurpose
  /** SHA-256 of the secret, hex. */
  readonly hash: string
  /** The account; null before sign-in. */
  readonly accountId: string | null
  /** What the flow it belongs to wants to know again. */
  readonly data: JsonObject
  /** How many wrong guesses it survives; null does not count them. */
  readonly triesLeft: number | null
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Single-use tokens that are sent by email, for reading. */
export interface TokenReader {
  /** The newest token of an account for a purpose, expired or not. */
  getNewest(purpose: TokenPurpose, accountId: string): Promise<Token | undefined>
}

/** Single-use tokens that are sent by email. */
export interface TokenStore extends TokenReader {
  /** Keeps a token. `replace` ends all older ones of its account and purpose. */
  put(token: Token, options?: { readonly replace?: boolean | undefined }): Promise<void>
  /**
   * Consumes the token with this hash, or with one of these: of concurrent calls one gets it. `undefined` when there is none,
   * it has expired by the clock of the database, it is another account's, or its tries are used up.
   *
   * With `accountId`, `undefined` counts as a wrong guess at the tokens of the account for the purpose; those without a try
   * left are gone. Concurrent guesses are all compared before the first is counted, so lock the account before, and commit.
   */
  consume(token: {
    readonly purpose: TokenPurpose
    readonly hash: string | readonly string[]
    readonly accountId?: string | undefined
  }): Promise<Token | undefined>
  /** Ends every token of an account for a purpose. */
  deleteOf(purpose: TokenPurpose, accountId: string): Promise<void>
}
