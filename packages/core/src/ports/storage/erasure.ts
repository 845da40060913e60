import type { Account } from '../../model/account.ts'

/** Types of events that show who owned a profile. Core takes them from the definitions of the events. */
export interface OwnershipEvents {
  /** Emitted by the owner of the profile. */
  readonly owner: readonly string[]
  /** Emitted by the account that became the owner. */
  readonly newOwner: readonly string[]
}

/** An account that is locked to be erased, and its profiles. */
export interface ErasedAccount extends Account {
  /**
   * The profiles that it owns, and deleted ones that it owned last: payments, the event log and records of others may still
   * name them.
   */
  readonly profileIds: readonly number[]
}

/** A part of the erasure of an account, in a separate transaction. */
export interface ErasurePart {
  /** The most records that it may change. */
  readonly limit: number
  /** Where the part before it ended. Default: the beginning. */
  readonly after?: string | undefined
}

/** The store that erases accounts from its group. A group has at most one. */
export interface AccountEraser {
  /**
   * Deletes the account's data in this group, and its names and those of its profiles from records that are kept. Data of a
   * profile, a page or a file is deleted with it.
   */
  eraseAccount(account: ErasedAccount): Promise<void>
}
