import { timed } from '../../consumers/timed.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Worker } from '../../module/define-module.ts'
import type { GuardedStorage } from '../../storage/guard.ts'

export interface NotificationRetentionDeps extends Pick<GuardedStorage<'notifications'>, 'write'> {
  readonly clock: Clock
  readonly retentionMs: number
  readonly onError: (error: unknown) => void
}

const EVERY_MS = 10 * 60_000
const FIRST_MS = 1_000
const BATCH = 500

/** Deletes notifications that are older than the retention period, in batches. */
export function createNotificationRetention({ write, clock, retentionMs, onError }: NotificationRetentionDeps): Worker {
  async function prune(signal: AbortSignal): Promise<void> {
    const before = new Date(clock().getTime() - retentionMs)
    let pruned = BATCH
    while (pruned === BATCH && !signal.aborted) pruned = await write((tx) => tx.notifications.prune(before, BATCH))
  }
  return timed(prune, { everyMs: EVERY_MS, firstMs: FIRST_MS, jitter: 0.25, onError })
}
