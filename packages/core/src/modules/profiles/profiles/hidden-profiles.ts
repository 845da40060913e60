import type { Worker } from '../../../framework/module/define-module.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { HOUR_MS } from '../../../kernel/durations.ts'
import type { HiddenProfiles } from '../../../ports/storage/hidden-profiles.ts'
import { inBatches } from '../../../runtime/consumers/batches.ts'
import { timed } from '../../../runtime/consumers/timed.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { profilePurged } from './events.ts'

export interface HiddenProfileDeps extends Pick<GuardedStorage<'hiddenProfiles'>, 'write'> {
  readonly clock: Clock
  readonly onError: (error: unknown) => void
}

/** Longer than any step of an import or a deletion, so a profile on which nothing happened since is from a crash. */
const ABANDONED_MS = HOUR_MS
const EVERY_MS = 60_000
const ROWS_AT_ONCE = 200
const PROFILES_AT_ONCE = 20

/** Deletes hidden profiles: what a failed import has stored, and profiles that are deleted. */
export function createHiddenProfiles({ write, clock, onError }: HiddenProfileDeps) {
  /** Deletes the records of a profile in short transactions, so that the profile can be deleted in another. */
  async function deleteContents(id: number, signal?: AbortSignal): Promise<void> {
    const step = () => write((tx) => tx.hiddenProfiles.deleteContents(id, ROWS_AT_ONCE, clock()))
    await inBatches(step, signal, ROWS_AT_ONCE)
  }

  /** Deletes a profile that this process has taken, in short transactions. */
  async function deleteTaken(id: number, signal?: AbortSignal): Promise<void> {
    await deleteContents(id, signal)
    if (signal?.aborted) return
    await write(async (tx, emit) => {
      // Lock the account before the profile, as the purge of the account does.
      const profile = await tx.profiles.get(id)
      if (profile) await tx.accounts.lock(profile.ownerAccountId)
      if (await tx.profiles.delete(id)) emit(profilePurged, {}, { profileId: id })
    })
  }

  async function remove(which: HiddenProfiles, signal?: AbortSignal): Promise<void> {
    const ids = await write((tx) => tx.hiddenProfiles.take(which, clock(), PROFILES_AT_ONCE))
    for (const id of ids) await deleteTaken(id, signal)
  }

  const sweep = (signal: AbortSignal) => remove({ before: new Date(clock().getTime() - ABANDONED_MS) }, signal)
  const worker: Worker = {
    ...timed(sweep, { everyMs: EVERY_MS, firstMs: 10_000, jitter: 0.25, onError }),
    purge: sweep,
  }
  return {
    /** Deletes hidden profiles now. An import of them cannot continue. */
    remove,
    /** Deletes the records of a hidden profile in short transactions, until none is left or `signal` is aborted. */
    deleteContents,
    /** Deletes profiles with many records, and those that a crash has left. */
    worker,
  }
}

/** Deletes hidden profiles. */
export type HiddenProfileRemover = ReturnType<typeof createHiddenProfiles>
