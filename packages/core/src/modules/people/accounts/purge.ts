import type { AccountErasure } from '../../../framework/module/define-module.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { EepLogger } from '../../../ports/logger.ts'
import type { Mailer } from '../../../ports/mailer.ts'
import type { Account } from '../../../ports/storage/accounts.ts'
import type { ErasedAccount, OwnershipEvents } from '../../../ports/storage/erasure.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import { inBatches } from '../../../runtime/consumers/batches.ts'
import { timed } from '../../../runtime/consumers/timed.ts'
import { eraseFromGroups } from '../../../runtime/storage/erase-account.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { profilePurged } from '../../profiles/profiles/events.ts'
import type { HiddenProfileRemover } from '../../profiles/profiles/index.ts'
import { accountPurged } from './events.ts'

export interface PurgeDeps extends GuardedStorage {
  readonly clock: Clock
  /** The erasures of all modules, in the order of the modules. */
  readonly erasures: readonly AccountErasure[]
  /** Finds deleted profiles of the account. */
  readonly ownership: OwnershipEvents
  /** Deletes the records of profiles in parts. Without it, they are deleted in the transaction that deletes the account. */
  readonly hiddenProfiles: Pick<HiddenProfileRemover, 'deleteContents'> | undefined
  /** The types of events that keep their data when only their account is erased. */
  readonly keptEvents: readonly string[]
  readonly mailer: Mailer | undefined
  readonly logger: EepLogger | undefined
  readonly everyMs: number
}

const ACCOUNTS_A_STEP = 50
const EXPIRED_A_STEP = 500
const PROFILES_A_STEP = 100
const ROWS_A_PART = 200
/** Receipts are signed again, which takes longer. */
const RECORDS_A_PART = 100
const FIRST_TURN_MS = 20_000
const JITTER = 0.25

/** When a deletion that has begun is scheduled: before the time of any clock, so that it can no longer be canceled. */
const BEGUN = new Date(0)

const isScheduledFor = (account: Account, at: Date | null): boolean =>
  at !== null && account.deletionScheduledAt?.getTime() === at.getTime()

async function profilesOf(tx: Stores, accountId: string): Promise<readonly Profile[]> {
  const profiles: Profile[] = []
  let cursor: string | undefined
  do {
    const page = await tx.profiles.listOfAccount(accountId, { limit: PROFILES_A_STEP, cursor })
    profiles.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return profiles
}

/**
 * Purges accounts after their grace period, and deletes expired tokens, sessions, invitations, nonces and idempotency keys.
 * Due work is stored, so a restart loses nothing. Several instances may purge the same account concurrently; one of them ends it.
 */
export function createPurge(deps: PurgeDeps) {
  const { read, write, clock, hiddenProfiles, erasures, ownership, keptEvents, mailer, logger, everyMs } = deps

  /**
   * Makes the deletion of an account final, hides its profiles, and deletes its workspaces, so that their records can be deleted in
   * parts. Returns the ids of the profiles; undefined when the account was restored or deleted again, or another instance has begun
   * or ended its purge.
   */
  const begin = ({ id, deletionScheduledAt: due }: Account): Promise<readonly number[] | undefined> =>
    write(async (tx, emit) => {
      const account = await tx.accounts.lock(id)
      // Meanwhile its owner may have restored it, or deleted it again.
      if (!account || !isScheduledFor(account, due)) return undefined
      await tx.accounts.save(id, { deletionScheduledAt: BEGUN })
      const profiles = await profilesOf(tx, id)
      for (const profile of profiles) await tx.hiddenProfiles?.hide(profile.id, { at: clock() })
      for (const erasure of erasures) await erasure.begin?.(tx, { id }, emit)
      // Also without the module of workspaces.
      await tx.workspaces?.deleteOwnedAlone(id)
      return profiles.map((profile) => profile.id)
    })

  const lockErased = async (tx: Stores, id: string): Promise<ErasedAccount | undefined> => {
    const account = await tx.accounts.lockForErasure(id, ownership)
    return account && isScheduledFor(account, BEGUN) ? account : undefined
  }

  /** Erases an account in short transactions from records whose number others can make large. Returns it, with its profiles. */
  async function eraseInParts(id: string, signal: AbortSignal | undefined): Promise<ErasedAccount | undefined> {
    const account = await write((tx) => lockErased(tx, id))
    if (!account) return undefined
    /** Handles nothing when another instance has ended the purge. */
    const part = <Result>(step: (tx: Stores) => Promise<Result>) =>
      write(async (tx) => ((await tx.accounts.lock(id)) ? step(tx) : undefined))
    let after: string | undefined
    const next = async () => {
      // A transaction that is repeated after a conflict begins at the same row.
      const begin = { limit: ROWS_A_PART, after }
      after = await part((tx) => tx.accounts.eraseAccount(account, keptEvents, begin))
      return after === undefined ? 0 : 1
    }
    await inBatches(next, signal)
    for (const { part: erase } of erasures) {
      const step = async () => (await part(async (tx) => erase?.(tx, account, RECORDS_A_PART))) ?? 0
      if (erase) await inBatches(step, signal)
    }
    return account
  }

  /** Deletes the rows of deleted workspaces, also without the module of workspaces. */
  const sweepWorkspaces = (signal: AbortSignal | undefined) =>
    inBatches(() => write(async (tx) => (await tx.workspaces?.sweep(ROWS_A_PART)) ?? 0), signal)

  /**
   * Purges one account. Most of its records are deleted or changed in short transactions; after a crash, the next turn continues.
   * Returns false when the account was restored, another instance has purged it, or the signal is aborted.
   */
  async function purge(due: Account, signal: AbortSignal | undefined): Promise<boolean> {
    const { id, email, emailOwned } = due
    for (const erasure of erasures) await erasure.before?.({ id, email })
    // Email first: if it fails, the account is still there for the next attempt. Email to an address that the account never owned
    // belongs to the person who reads it.
    if (emailOwned) await mailer?.forget?.(email)
    const begun = await begin(due)
    if (!begun) return false
    for (const profileId of begun) await hiddenProfiles?.deleteContents(profileId, signal)
    await sweepWorkspaces(signal)
    const known = await eraseInParts(id, signal)
    if (!known || signal?.aborted) return false
    return write(async (tx, emit) => {
      const locked = await lockErased(tx, id)
      if (!locked) return false
      // The parts may have erased the records by which deleted profiles are found.
      const account = { ...locked, profileIds: [...new Set([...known.profileIds, ...locked.profileIds])] }
      const profiles = await profilesOf(tx, id)
      for (const erasure of erasures) {
        while (((await erasure.part?.(tx, account, RECORDS_A_PART)) ?? 0) > 0);
      }
      for (const erasure of erasures) await erasure.within?.(tx, { id, profiles }, emit)
      await eraseFromGroups(tx, account, keptEvents)
      // Emitted after the purge, so these events contain no names and are kept.
      for (const profile of profiles) emit(profilePurged, {}, { profileId: profile.id })
      emit(accountPurged, { profiles: profiles.length })
      return true
    })
  }

  // A step that deletes fewer than the limit has reached the end of every table.
  const deleteExpired = (signal: AbortSignal | undefined) =>
    inBatches(() => write((tx) => tx.expired.delete(EXPIRED_A_STEP)), signal, EXPIRED_A_STEP)

  async function run(signal?: AbortSignal) {
    // First, because an account with many records may take long.
    const expired = await deleteExpired(signal)
    let accounts = 0
    let due: readonly Account[] = []
    do {
      // Those that could not be purged stay due, and must not keep the others waiting.
      due = await read.accounts.listDueForPurge(ACCOUNTS_A_STEP, due.at(-1))
      for (const account of due) {
        if (signal?.aborted) break
        try {
          if (await purge(account, signal)) accounts += 1
        } catch (error) {
          logger?.warn({ err: error }, 'an account could not be purged; will retry')
        }
      }
    } while (due.length === ACCOUNTS_A_STEP && !signal?.aborted)
    // Of two owners that are purged concurrently, the last transaction of one deletes the workspace.
    await sweepWorkspaces(signal)
    return { accounts, expired }
  }

  const onError = (error: unknown) => logger?.warn({ err: error }, 'the purge of accounts failed; will retry')
  const turns = timed(run, { everyMs, firstMs: Math.min(everyMs, FIRST_TURN_MS), jitter: JITTER, onError })
  return {
    ...turns,
    /** Purges all accounts that are due, and returns the numbers of removed records. */
    purge: run,
  }
}
