import type { Clock } from '../../kernel/clock.ts'
import { DAY_MS, HOUR_MS } from '../../kernel/durations.ts'
import { inBatches } from './batches.ts'
import { timedPurge } from './timed.ts'

export interface RetentionOptions {
  readonly clock: Clock
  readonly retentionDays: number
  /** Default: 1 hour. */
  readonly everyMs?: number | undefined
  readonly onError: (error: unknown) => void
}

const FIRST_MS = 1_000

/** Deletes what is older than a retention period, in batches: `prune` deletes one and returns how many rows it deleted. */
export const retention = (
  prune: (before: Date) => Promise<number>,
  { clock, retentionDays, everyMs = HOUR_MS, onError }: RetentionOptions,
) =>
  timedPurge(
    (signal) => {
      const before = new Date(clock().getTime() - retentionDays * DAY_MS)
      return inBatches(() => prune(before), signal)
    },
    { everyMs, firstMs: FIRST_MS, jitter: 0.25, onError },
  )
