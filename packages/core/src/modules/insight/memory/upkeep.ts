import type { Worker } from '../../../framework/module/define-module.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { inBatches } from '../../../runtime/consumers/batches.ts'
import { timed } from '../../../runtime/consumers/timed.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { SearchPartitions } from '../../discovery/search/index.ts'
import { memorySessionRemoved } from './events.ts'
import type { MemorySeal } from './sealed-memory.ts'
import { partitionOf } from './search-source.ts'

export interface MemoryUpkeepDeps extends Pick<GuardedStorage<'memory'>, 'write'> {
  readonly clock: Clock
  readonly seal: MemorySeal
  readonly searchPartitions: Pick<SearchPartitions, 'remove'> | undefined
  readonly onError: (error: unknown) => void
}

const EVERY_MS = 60_000
const BATCH = 100
const ROWS_AT_ONCE = 200

/**
 * Removes sessions that have expired, deletes the rows of removed ones in short transactions, and encrypts texts again that are in plain text or have a former key, and removes their
 * copies from the search index before and after.
 */
export function createMemoryUpkeep({ write, clock, seal, searchPartitions, onError }: MemoryUpkeepDeps): Worker {
  const expire = () =>
    write(async (tx, emit) => {
      const removed = await tx.memory.removeExpired(clock(), BATCH)
      for (const { id, profileId } of removed) emit(memorySessionRemoved, { sessionId: id }, { profileId })
      return removed.length
    })

  const sweep = () => write((tx) => tx.memory.sweep(ROWS_AT_ONCE))

  const encrypt = async () => {
    if (seal.keyId === null) return 0
    const outdated = await write((tx) => tx.memory.listOutdated(seal.formerKeyIds, BATCH))
    const partitions = [...new Set(outdated.map(({ sessionId }) => partitionOf(sessionId)))]
    // First, so that a failure leaves texts that are found again.
    await searchPartitions?.remove(partitions)
    const texts = outdated.map((before) => {
      const { sessionId } = before
      return { before, after: seal.seal(seal.open(before, sessionId), sessionId) }
    })
    await write((tx) => tx.memory.replaceOutdated(texts))
    // Again, because an instance without the key may have put texts into the index before they were replaced.
    await searchPartitions?.remove(partitions)
    return texts.length
  }

  async function work(signal: AbortSignal) {
    for (const step of [expire, encrypt]) await inBatches(step, signal, BATCH)
    await inBatches(sweep, signal, ROWS_AT_ONCE)
  }
  return {
    ...timed(work, { everyMs: EVERY_MS, firstMs: 1_000, jitter: 0.2, onError }),
    async purge(signal) {
      await inBatches(expire, signal, BATCH)
      await inBatches(sweep, signal, ROWS_AT_ONCE)
    },
  }
}
