import type { AccountErasure } from '../../../framework/module/define-module.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { EepLogger } from '../../../ports/logger.ts'
import type { Mailer } from '../../../ports/mailer.ts'
import type { Account } from '../../../ports/storage/accounts.ts'
import type { OwnershipEvents } from '../../../ports/storage/erasure.ts'
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

const ACCOUNTS_A_TURN = 50
const EXPIRED_A_STEP = 500
const PROFILES_A_STEP = 100
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
 * Due work is stored, so a restart loses nothing; one of several instances gets each account.
 */
export function createPurge(deps: PurgeDeps) {
  const { read, write, clock, hiddenProfiles, erasures, ownership, keptEvents, mailer, logger, everyMs } = deps

  /**
   * Makes the deletion of an account final and hides its profiles, so that their records can be deleted in parts. Returns the ids
   * of the profiles; undefined when the account was restored, or another instance purges it.
   */
  const begin = ({ id, deletionScheduledAt: due }: Account): Promise<readonly number[] | undefined> =>
    write(async (tx) => {
      const account = await tx.accounts.lock(id)
      // Meanwhile its owner may have restored it, or deleted it again.
      if (!account || !isScheduledFor(account, due)) return undefined
      await tx.accounts.save(id, { deletionScheduledAt: BEGUN })
      const profiles = await profilesOf(tx, id)
      for (const profile of profiles) await tx.hiddenProfiles?.hide(profile.id, { at: clock() })
      return profiles.map((profile) => profile.id)
    })

  /**
   * Purges one account. The records of its profiles are deleted in short transactions; after a crash, the next turn continues.
   * Returns false when the account was restored, another instance purges it, or the signal is aborted.
   */
  async function purge(due: Account, signal: AbortSignal | undefined): Promise<boolean> {
    const { id, email } = due
    for (const erasure of erasures) await erasure.before?.({ id, email })
    // Email first: if it fails, the account is still there for the next attempt.
    await mailer?.forget?.(email)
    const begun = await begin(due)
    if (!begun) return false
    for (const profileId of begun) await hiddenProfiles?.deleteContents(profileId, signal)
    if (signal?.aborted) return false
    return write(async (tx, emit) => {
      const account = await tx.accounts.lockForErasure(id, ownership)
      if (!account || !isScheduledFor(account, BEGUN)) return false
      const profiles = await profilesOf(tx, id)
      const profileIds = profiles.map((profile) => profile.id)
      for (const erasure of erasures) await erasure.within?.(tx, { id, profiles }, emit)
      await eraseFromGroups(tx, account, keptEvents)
      // Emitted after the purge, so these events contain no names and are kept.
      for (const profileId of profileIds) emit(profilePurged, {}, { profileId })
      emit(accountPurged, { profiles: profileIds.length })
      return true
    })
  }

  // A step that deletes fewer than the limit has reached the end of every table.
  const deleteExpired = (signal: AbortSignal | undefined) =>
    inBatches(() => write((tx) => tx.expired.delete(EXPIRED_A_STEP)), signal, EXPIRED_A_STEP)

  async function run(signal?: AbortSignal) {
    let accounts = 0
    for (const account of await read.accounts.listDueForPurge(ACCOUNTS_A_TURN)) {
      if (signal?.aborted) break
      try {
        if (await purge(account, signal)) accounts += 1
      } catch (error) {
        logger?.warn({ err: error }, 'an account could not be purged; will retry')
      }
    }
    return { accounts, expired: await deleteExpired(signal) }
  }

  const onError = (error: unknown) => logger?.warn({ err: error }, 'the purge of accounts failed; will retry')
  const turns = timed(run, { everyMs, firstMs: Math.min(everyMs, FIRST_TURN_MS), jitter: JITTER, onError })
  return {
    ...turns,
    /** Runs rounds until no account is due. */
    async purge(signal: AbortSignal) {
      // An account that cannot be purged stays due, so only rounds that purged all of theirs are repeated.
      for (let accounts = ACCOUNTS_A_TURN; accounts === ACCOUNTS_A_TURN && !signal.aborted; ) {
        accounts = (await run(signal)).accounts
      }
    },
    /** Runs one round immediately and returns the numbers of removed records. */
    run,
  }
}
