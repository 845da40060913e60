import type { Worker } from '../../../framework/module/define-module.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { DAY_MS } from '../../../kernel/durations.ts'
import { inBatches } from '../../../runtime/consumers/batches.ts'
import { timed } from '../../../runtime/consumers/timed.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { WebhookKeys } from './ended-keys.ts'
import { subscriptionExpired, subscriptionExpiring } from './events.ts'

export interface UpkeepDeps extends Pick<GuardedStorage<'webhooks'>, 'write'> {
  readonly clock: Clock
  readonly keys: Pick<WebhookKeys, 'pauseEnded'>
  readonly retentionDays: number
  readonly onError: (error: unknown) => void
}

const EVERY_MS = 60_000
const BATCH = 200

/** Pauses webhooks whose key has ended, ends expired leases, announces the end of others, and deletes records after the retention period. */
export function createUpkeep({ write, clock, keys, retentionDays, onError }: UpkeepDeps): Worker {
  const notice = () =>
    write(async (tx, emit) => {
      const ending = await tx.webhooks.takeNotices(clock(), BATCH)
      for (const { id, accountId } of ending) emit(subscriptionExpiring, { subscriptionId: id }, { accountId })
      return ending.length
    })
  const expire = () =>
    write(async (tx, emit) => {
      const expired = await tx.webhooks.expire(clock(), BATCH)
      for (const { id, accountId } of expired) emit(subscriptionExpired, { subscriptionId: id }, { accountId })
      return expired.length
    })
  const prune = () => write((tx) => tx.webhooks.prune(new Date(clock().getTime() - retentionDays * DAY_MS), BATCH))

  async function work(signal: AbortSignal) {
    for (const step of [keys.pauseEnded, notice, expire, prune]) await inBatches(step, signal, BATCH)
  }
  return {
    ...timed(work, { everyMs: EVERY_MS, firstMs: 1_000, jitter: 0.2, onError }),
    purge: (signal) => inBatches(prune, signal, BATCH),
  }
}
