import type { Account } from '../../model/account.ts'
import type { ErasedAccount } from './erasure.ts'

/** A passkey of an account. */
export interface Passkey {
  /** UUID. */
  readonly id: string
  readonly accountId: string
  /** The id that the device chose, base64url. Unique among all accounts. */
  readonly credentialId: string
  /** The public key (COSE), base64url. */
  readonly publicKey: string
  /** The sign count that the device reported; 0 for devices that do not count. */
  readonly signCount: number
  /** How browsers reach the device (WebAuthn). */
  readonly transports: readonly string[]
  readonly isBackedUp: boolean
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

/** The use of a passkey. */
export interface PasskeyUse {
  readonly signCount: number
  readonly isBackedUp: boolean
  readonly usedAt: Date
}

/** Passkeys, for reading. */
export interface PasskeyReader {
  /** A passkey with its account, in one query. */
  getWithAccount(credentialId: string): Promise<{ readonly passkey: Passkey; readonly account: Account } | undefined>
  /** The passkeys of an account, oldest first. */
  listOfAccount(accountId: string): Promise<readonly Passkey[]>
}

/** Passkeys. */
export interface PasskeyStore extends PasskeyReader {
  /**
   * Adds a passkey. `taken` when a passkey with its credential id exists, of any account; `full` when the account has
   * `limit` passkeys. Concurrent calls do not exceed the limit.
   */
  insert(passkey: Passkey, limit: number): Promise<'inserted' | 'taken' | 'full'>
  /**
   * Stores the use of a passkey. False when it does not exist, or when its sign count did not increase: the device was
   * copied, or the same signature is used twice. Of concurrent calls with the same sign count one succeeds; a count of
   * 0 stays 0 and always succeeds.
   */
  use(id: string, use: PasskeyUse): Promise<boolean>
  /** Renames a passkey of an account. `undefined` when it does not exist. */
  rename(accountId: string, id: string, name: string): Promise<Passkey | undefined>
  /** Deletes a passkey of an account. Of concurrent calls one gets it. */
  delete(accountId: string, id: string): Promise<Passkey | undefined>
  /** Deletes all passkeys of an account. Returns how many there were. */
  deleteOfAccount(accountId: string): Promise<number>
  /** Deletes the passkeys of an account. */
  eraseAccount(account: ErasedAccount): Promise<void>
}
