import { timed } from '../../consumers/timed.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { CountedUse } from '../../ports/storage/api-keys.ts'
import type { Write } from '../../storage/guard.ts'

export interface UseCounterDeps {
  readonly write: Write<'apiKeys'>
  readonly clock: Clock
  readonly everyMs: number
  readonly onError: (error: unknown) => void
}

/**
 * Counts the uses of keys in memory and writes them down together from time to time, so that a request does not wait for
 * a write. A process that dies loses what it counted since.
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

  /** Writes down what was counted until now. A failure is reported, and tried again next time. */
  function flush(): Promise<void> {
    turn = turn.then(writeDown)
    return turn
  }

  const turns = timed(flush, { everyMs, onError })

  return {
    count: (keyId: number) => add({ keyId, count: 1, lastUsedAt: clock() }),
    flush,
    start: turns.start,
    /** Writes down what is left. */
    async stop() {
      await turns.stop()
      await flush()
    },
  }
}
