import { timed } from '../../consumers/timed.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Worker } from '../../module/define-module.ts'
import type { GuardedStorage } from '../../storage/guard.ts'

export interface AuditLogRetentionDeps extends Pick<GuardedStorage<'auditLog'>, 'write'> {
  readonly clock: Clock
  readonly retentionDays: number
  readonly onError: (error: unknown) => void
}

const EVERY_MS = 3_600_000
const FIRST_MS = 1_000
const DAY_MS = 86_400_000
const LOGS_AT_ONCE = 50

/** Deletes the oldest entries of audit logs after the retention period, a few logs in a transaction. */
export function createAuditLogRetention({ write, clock, retentionDays, onError }: AuditLogRetentionDeps): Worker {
  async function prune(signal: AbortSignal): Promise<void> {
    const before = new Date(clock().getTime() - retentionDays * DAY_MS)
    for (let deleted = 1; deleted > 0 && !signal.aborted; ) {
      deleted = await write((tx) => tx.auditLog.prune(before, LOGS_AT_ONCE))
    }
  }
  return timed(prune, { everyMs: EVERY_MS, firstMs: FIRST_MS, jitter: 0.25, onError })
}
