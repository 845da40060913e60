import type { Clock } from '../../../kernel/clock.ts'
import type { CountedUse } from '../../../ports/storage/api-keys.ts'
import { timed } from '../../../runtime/consumers/timed.ts'
import type { Write } from '../../../runtime/storage/guard.ts'

export interface UseCounterDeps {
  readonly write: Write<'apiKeys'>
  readonly clock: Clock
  readonly everyMs: number
  readonly onError: (error: unknown) => void
}

/**
 * Counts the uses of keys in memory and stores them together at intervals, so that requests do not wait for a write. A process
 * that crashes loses the counts since the last write.
 */
export function createUseCounter({ write, clock, everyMs, onError }: UseCounterDeps) {
  let counted = new Map<number, CountedUse>()
  let turn: Promise<void> = Promise.resolve()

  function add({ keyId, count, lastUsedAt }: CountedUse) {
    const known = counted.get(keyId)
    counted.set(keyId, {
      keyId,
      count: count + (known?.count ?? 0),
      lastUsedAt: known && known.lastUsedAt > lastUsedAt ? known.lastUsedAt : lastUsedAt,
    })
  }

  async function writeDown() {
    const uses = [...counted.values()].sort((left, right) => left.keyId - right.keyId)
    if (uses.length === 0) return
    counted = new Map()
    try {
      await write((tx) => tx.apiKeys.addUses(uses))
    } catch (error) {
      uses.forEach(add)
      onError(error)
    }
  }

  /** Stores the counts. A failure is reported and retried next time. */
  function flush(): Promise<void> {
    turn = turn.then(writeDown)
    return turn
  }

  const turns = timed(flush, { everyMs, onError })

  return {
    count: (keyId: number) => add({ keyId, count: 1, lastUsedAt: clock() }),
    flush,
    start: turns.start,
    /** Stores the remaining counts. */
    async stop() {
      await turns.stop()
      await flush()
    },
  }
}
