import type { Account } from '../../model/account.ts'
import type { ErasedAccount, ErasurePart, OwnershipEvents } from './erasure.ts'

export type { Account } from '../../model/account.ts'
export type { Plan } from '../../model/plan.ts'

/** An account to insert. */
export interface NewAccount {
  readonly id: string
  readonly email: string
  readonly username: string
  readonly fullName: string | null
  /** The language of its emails, as BCP 47. Default: null, for the language of the host. */
  readonly language?: string | null | undefined
  /** An argon2 encoded string; null for accounts that sign in elsewhere. */
  readonly passwordHash: string | null
  readonly createdAt: Date
}

/** Changes of an account. Absent fields stay as they are. */
export type AccountChanges = Partial<
  Pick<
    Account,
    | 'email'
    | 'username'
    | 'emailVerified'
    | 'emailOwned'
    | 'fullName'
    | 'language'
    | 'tokenVersion'
    | 'tier'
    | 'grantedTier'
    | 'hadTrial'
    | 'isAdmin'
    | 'bannedAt'
    | 'deletionScheduledAt'
  > &
    Pick<NewAccount, 'passwordHash'>
>

/** Identifies an account: by id, by email address (case-insensitively), or by username. */
export type AccountKey = string | { readonly email: string } | { readonly username: string }

/** Accounts, for reading. */
export interface AccountReader {
  /** The account with this id, email address or username. */
  get(key: AccountKey): Promise<Account | undefined>
  /** Returns the password hash of an account: null when it has no password, `undefined` when the account does not exist. */
  getPasswordHash(id: string): Promise<string | null | undefined>
  /**
   * Accounts past their deletion grace period by the clock of the database, the longest overdue first. With `after`, an account of an
   * earlier list, those after it.
   */
  listDueForPurge(limit: number, after?: Account | undefined): Promise<readonly Account[]>
}

/** Accounts. */
export interface AccountStore extends AccountReader {
  /** Adds an account. `undefined` when its email address or username is taken, also by a transaction that commits first. */
  insert(account: NewAccount): Promise<Account | undefined>
  /** Reads an account. Concurrent locks and saves wait until the transaction ends. */
  lock(id: string): Promise<Account | undefined>
  /**
   * Changes the given fields; without `emailVerified`, an address is not owned either. `undefined` when the account does not exist, or another account has the new email address
   * or username.
   */
  save(id: string, changes: AccountChanges): Promise<Account | undefined>
  /**
   * Locks an account for erasure, and returns it with its profiles. Waits for transactions that are adding something to the
   * account; later ones wait until it is erased. Stronger than `lock`. `undefined` when it does not exist.
   */
  lockForErasure(id: string, ownership: OwnershipEvents): Promise<ErasedAccount | undefined>
  /**
   * Erases an account from the required group, after all other groups: the account, its profiles and everything that
   * belongs to them, tokens, sessions, entitlements. Payments, receipts, events and versions that it wrote elsewhere are
   * kept without its names: its id becomes null (`ERASED_ACCOUNT_ID` where it cannot), as does the agent it paid through,
   * its profiles become `ERASED_DID`, and events about it and its profiles lose their data, as do those that it caused without a
   * profile, except the types in `keptEvents`. A receipt that still names it
   * loses its signature, so receipts are signed again before (`receipts.list`).
   *
   * With a `part`, it keeps the account, and erases it only from some of the records of all groups whose number is not limited,
   * except receipts. Returns where the next part begins; `undefined` when none is left. Repeating parts changes nothing. What
   * `lockForErasure` finds profiles by is erased last.
   */
  eraseAccount(
    account: ErasedAccount,
    keptEvents: readonly string[],
    part?: ErasurePart | undefined,
  ): Promise<string | undefined>
}
