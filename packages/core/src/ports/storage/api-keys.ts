import type { Account } from '../../model/account.ts'
import type { ErasedAccount } from './erasure.ts'

/** An API key, without its secret. */
export interface ApiKey {
  readonly id: number
  readonly accountId: string
  /** The profile it acts for alone; null for all of its account. */
  readonly profileId: number | null
  /** The key it was made with; null when a session made it. */
  readonly parentId: number | null
  readonly name: string
  /** SHA-256 of the key, hex. */
  readonly hash: string
  /** `eep_abcd…wxyz`. */
  readonly masked: string
  readonly scopes: readonly string[]
  readonly createdAt: Date
  /** Null is never. */
  readonly expiresAt: Date | null
  /** Null while it is good. */
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

/** Uses of a key that were counted in memory. */
export interface CountedUse {
  readonly keyId: number
  readonly count: number
  readonly lastUsedAt: Date
}

/** API keys, for reading. */
export interface ApiKeyReader {
  /** The good key with this digest and its account, in one read; `undefined` when revoked or expired by the database. */
  getByHash(hash: string): Promise<{ readonly key: ApiKey; readonly account: Account } | undefined>
  /** A key of an account, good or not. */
  get(id: number, accountId: string): Promise<ApiKey | undefined>
  /** The good keys of an account with their use, oldest first. */
  listOfAccount(accountId: string): Promise<readonly (ApiKey & { readonly usage: ApiKeyUsage })[]>
}

/** API keys. */
export interface ApiKeyStore extends ApiKeyReader {
  /** Adds a key. `undefined` when its parent has ended, also by a transaction that commits first. */
  insert(key: NewApiKey): Promise<ApiKey | undefined>
  /**
   * Ends a good key and every key that was made with it, and with those, in one step: the key first. Of concurrent callers one gets
   * them; none when it is unknown, another's or ended already. With `keepChildren` it ends alone: pass the keys made with it
   * to its replacement by `adopt` in the same transaction.
   */
  revoke(
    id: number,
    accountId: string,
    at: Date,
    options?: { readonly keepChildren?: boolean | undefined },
  ): Promise<readonly ApiKey[]>
  /** Makes another key of the account the parent of the good keys that were made with a key. */
  adopt(accountId: string, keys: { readonly from: number; readonly to: number }): Promise<void>
  /** Adds counted uses; those of keys that are gone are dropped. */
  addUses(uses: readonly CountedUse[]): Promise<void>
  /** Deletes the keys of an account. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
