import type { Worker } from '../../../framework/module/define-module.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { DAY_MS, HOUR_MS } from '../../../kernel/durations.ts'
import { inBatches } from '../../../runtime/consumers/batches.ts'
import { timedPurge } from '../../../runtime/consumers/timed.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { AGENT_METRICS } from './figures.ts'
import { startOfInterval } from './intervals.ts'
import { OTHER } from './key-limit.ts'

export interface UpkeepDeps extends Pick<GuardedStorage<'analytics'>, 'write'> {
  readonly clock: Clock
  readonly hourRetentionDays: number
  readonly dayRetentionDays: number
  readonly onError: (error: unknown) => void
}

const EVERY_MS = 10 * 60_000
const FIRST_MS = 30_000
const BATCH = 2_000
/** Days of a metric and profile. Each has up to 24 hours with many keys. */
const DAYS_BATCH = 100
/** Profiles whose visitors of past days are counted in a transaction. */
const PROFILES_BATCH = 100

/** How long figures of minutes are kept. */
const MINUTES_KEPT_MS = 48 * HOUR_MS

/** Figures of days are kept for years and clients choose the keys, so only the highest figures keep theirs. */
const DAY_RULES = { dropped: AGENT_METRICS, maxKeys: 100, rest: OTHER }

/** Rolls figures up to hours and days, and deletes what has expired, including the salts of past days. */
export function createUpkeep({ write, clock, hourRetentionDays, dayRetentionDays, onError }: UpkeepDeps) {
  /** Does everything that is due. Instances may run it concurrently. */
  async function run(signal?: AbortSignal): Promise<void> {
    const now = clock()
    const today = startOfInterval(now, 'day')
    const daysAgo = (days: number) => startOfInterval(new Date(now.getTime() - days * DAY_MS), 'day')
    // Visitors can come back during the day, so a day is rolled up only after its end.
    await inBatches(() => write((tx) => tx.analytics.rollUpVisitors(today, PROFILES_BATCH)), signal)
    await inBatches(() => write((tx) => tx.analytics.rollUpMinutes(startOfInterval(now, 'hour'), BATCH)), signal)
    const hoursBefore = daysAgo(hourRetentionDays)
    await inBatches(() => write((tx) => tx.analytics.rollUpHours(hoursBefore, DAYS_BATCH, DAY_RULES)), signal)
    const expired = {
      minutesBefore: new Date(now.getTime() - MINUTES_KEPT_MS),
      saltsBefore: today.toISOString().slice(0, 10),
      daysBefore: daysAgo(dayRetentionDays),
    }
    await inBatches(() => write((tx) => tx.analytics.purge(expired, BATCH)), signal, BATCH)
  }

  const worker: Worker = timedPurge(run, { everyMs: EVERY_MS, firstMs: FIRST_MS, jitter: 0.25, onError })
  return { run, worker }
}
