import type { Account } from '../../model/account.ts'
import type { ErasedAccount } from './erasure.ts'

/** An API key, without its secret. */
export interface ApiKey {
  readonly id: number
  readonly accountId: string
  /** The only profile it acts for; null for all profiles of the account. */
  readonly profileId: number | null
  /** The key that created it; null when a session created it. */
  readonly parentId: number | null
  readonly name: string
  /** SHA-256 of the key, hex. */
  readonly hash: string
  /** `eep_abcd…wxyz`. */
  readonly masked: string
  readonly scopes: readonly string[]
  readonly createdAt: Date
  /** Null: never. */
  readonly expiresAt: Date | null
  /** Null while it is valid. */
  readonly revokedAt: Date | null
}

/** An API key to insert. */
export type NewApiKey = Omit<ApiKey, 'id' | 'revokedAt'>

/** How a key was used. */
export interface ApiKeyUsage {
  readonly lastUsedAt: Date | null
  readonly total: number
  readonly last24h: number
  readonly last30d: number
}

/** Uses of a key, counted in memory. */
export interface CountedUse {
  readonly keyId: number
  readonly count: number
  readonly lastUsedAt: Date
}

/** API keys, for reading. */
export interface ApiKeyReader {
  /**
   * The valid key with this digest and its account, in one query; `undefined` when it is revoked, or expired by the
   * clock of the database.
   */
  getByHash(hash: string): Promise<{ readonly key: ApiKey; readonly account: Account } | undefined>
  /** A key of an account, also a revoked or expired one. */
  get(id: number, accountId: string): Promise<ApiKey | undefined>
  /** The valid keys of an account with their usage, oldest first. */
  listOfAccount(accountId: string): Promise<readonly (ApiKey & { readonly usage: ApiKeyUsage })[]>
}

/** API keys. */
export interface ApiKeyStore extends ApiKeyReader {
  /** Adds a key. `undefined` when its parent is revoked, also by a transaction that commits first. */
  insert(key: NewApiKey): Promise<ApiKey | undefined>
  /**
   * The valid key with this id and its account, in one query; `undefined` as for `getByHash`. The key cannot be revoked until
   * the transaction ends; other uses of it do not wait.
   */
  hold(id: number): ReturnType<ApiKeyReader['getByHash']>
  /**
   * Revokes a valid key and, recursively, every key created with it, atomically. Returns the revoked keys, the given key
   * first; of concurrent callers one gets them. Returns none when the key does not exist, belongs to another account or is
   * revoked already. With `keepChildren` only the key itself is revoked: use `adopt` in the same transaction to give its
   * children to the replacement.
   */
  revoke(
    id: number,
    accountId: string,
    at: Date,
    options?: { readonly keepChildren?: boolean | undefined },
  ): Promise<readonly ApiKey[]>
  /** Makes another key of the account the parent of the valid keys that were created with a key. */
  adopt(accountId: string, keys: { readonly from: number; readonly to: number }): Promise<void>
  /** Adds counted uses. Uses of keys that no longer exist are dropped. */
  addUses(uses: readonly CountedUse[]): Promise<void>
  /**
   * Deletes keys that were revoked or expired before a time, the oldest first, at most `limit`, with their usage. Keys
   * with which other keys were created are kept until those are deleted, so call it again until it returns 0. Returns the
   * number of deleted keys. Concurrent calls delete different keys.
   */
  deleteEnded(before: Date, limit: number): Promise<number>
  /** Deletes the keys of an account. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
