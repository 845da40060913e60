import type { Worker } from '../../../framework/module/define-module.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { DAY_MS } from '../../../kernel/durations.ts'
import { inBatches } from '../../../runtime/consumers/batches.ts'
import { timedPurge } from '../../../runtime/consumers/timed.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'

export interface RetentionDeps extends Pick<GuardedStorage<'eventRetention'>, 'write'> {
  readonly clock: Clock
  readonly retentionDays: number
  /** The types of events that changelogs show, which are kept for `changelogRetentionDays`. */
  readonly changelogTypes: readonly string[]
  readonly changelogRetentionDays: number
  /** The types of events that are kept permanently. */
  readonly keep: readonly string[]
  readonly onError: (error: unknown) => void
}

const EVERY_MS = 10 * 60_000
const FIRST_MS = 60_000
const BATCH = 1_000

/** Deletes events that are older than their retention period, in batches. */
export function createRetention(deps: RetentionDeps) {
  const { write, clock, retentionDays, changelogTypes, changelogRetentionDays, onError } = deps
  const keep = [...deps.keep, ...changelogTypes]

  async function prune(signal?: AbortSignal): Promise<void> {
    const now = clock().getTime()
    const before = new Date(now - retentionDays * DAY_MS)
    const query = { before, keep, heldSince: before, limit: BATCH }
    await inBatches(() => write((tx) => tx.eventRetention.prune(query)), signal, BATCH)
    const changelog = {
      before: new Date(Math.min(now - changelogRetentionDays * DAY_MS, before.getTime())),
      types: changelogTypes,
      limit: BATCH,
    }
    await inBatches(() => write((tx) => tx.eventRetention.pruneKept(changelog)), signal, BATCH)
  }
  const worker: Worker = timedPurge(prune, { everyMs: EVERY_MS, firstMs: FIRST_MS, jitter: 0.25, onError })
  return { prune, worker }
}
