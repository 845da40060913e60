import { timed } from '../../consumers/timed.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Worker } from '../../module/define-module.ts'
import type { GuardedStorage } from '../../storage/guard.ts'

export interface RetentionDeps extends Pick<GuardedStorage<'eventRetention'>, 'write'> {
  readonly clock: Clock
  readonly retentionMs: number
  /** The types of events that are kept permanently. */
  readonly keep: readonly string[]
  readonly onError: (error: unknown) => void
}

const EVERY_MS = 10 * 60_000
const FIRST_MS = 60_000
const BATCH = 1_000

/** Deletes events that are older than the retention period, in batches. */
export function createRetention({ write, clock, retentionMs, keep, onError }: RetentionDeps) {
  async function prune(signal?: AbortSignal): Promise<void> {
    const before = new Date(clock().getTime() - retentionMs)
    for (let looked = BATCH; looked === BATCH && !signal?.aborted; ) {
      looked = await write((tx) => tx.eventRetention.prune({ before, keep, heldSince: before, limit: BATCH }))
    }
  }
  const worker: Worker = timed(prune, { everyMs: EVERY_MS, firstMs: FIRST_MS, jitter: 0.25, onError })
  return { prune, worker }
}
