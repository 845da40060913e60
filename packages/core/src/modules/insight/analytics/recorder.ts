import { randomBytes } from 'node:crypto'
import type { Worker } from '../../../framework/module/define-module.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { hmac } from '../../../kernel/digest.ts'
import type { Keyring } from '../../../kernel/keyring.ts'
import type { AnalyticsBatch } from '../../../ports/storage/analytics.ts'
import { timed } from '../../../runtime/consumers/timed.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { Collector, HashVisitor } from './collector.ts'

export interface RecorderDeps extends Pick<GuardedStorage<'analytics'>, 'write'> {
  readonly collector: Collector
  readonly clock: Clock
  readonly keyring: Keyring
  readonly onError: (error: unknown) => void
}

/** At most this much is lost when the process crashes. */
const FLUSH_MS = 1_000

const dayOf = (time: Date): string => time.toISOString().slice(0, 10)

/**
 * Stores what the collector counted, once a second. A batch whose outcome is unknown is stored again under the same id, so that
 * it counts once.
 */
export function createRecorder({ write, collector, clock, keyring, onError }: RecorderDeps) {
  const [{ key: secret }] = keyring.shared('analytics-visitors')
  let today: { readonly day: string; readonly key: Uint8Array } | undefined
  let pending: AnalyticsBatch | undefined
  let turn: Promise<void> = Promise.resolve()
  let isFailing = false

  /** Reports the first failure of an outage, which would be one every second. */
  function fail(error: unknown): void {
    if (!isFailing) onError(error)
    isFailing = true
  }

  /** The key of today, from the salt that all instances share and that is deleted tomorrow. */
  async function keyOfToday(): Promise<Uint8Array> {
    const day = dayOf(clock())
    if (today?.day === day) return today.key
    today = undefined
    const salt = await write((tx) => tx.analytics.keepSalt(day, randomBytes(32).toString('base64url')))
    // Without the secret of the service, a copy of the database does not reveal addresses of that day.
    const key = Buffer.from(hmac(secret, `${day} ${salt}`, 'hex'), 'hex')
    today = { day, key }
    return key
  }

  async function hashVisitors(): Promise<HashVisitor | undefined> {
    if (!collector.hasVisitors()) return undefined
    try {
      const key = await keyOfToday()
      return (profileId, address, userAgent) => hmac(key, `${profileId}\n${address}\n${userAgent}`).slice(0, 22)
    } catch (error) {
      // Addresses are not held until the storage is available again: these visits count without their visitors.
      fail(error)
      return undefined
    }
  }

  async function flushOnce(): Promise<void> {
    collector.seal(await hashVisitors())
    for (pending ??= collector.take(); pending; pending = collector.take()) {
      const batch = pending
      await write((tx) => tx.analytics.addBatch(batch))
      isFailing = false
    }
  }

  /** Stores everything that was counted before. Counts that could not be stored are stored with the next ones. */
  function flush(): Promise<void> {
    turn = turn.then(() => flushOnce().catch(fail))
    return turn
  }

  const turns = timed(flush, { everyMs: FLUSH_MS, onError })
  const worker: Worker = {
    start: turns.start,
    async stop() {
      await turns.stop()
      await flush()
    },
  }
  return { flush, worker }
}
