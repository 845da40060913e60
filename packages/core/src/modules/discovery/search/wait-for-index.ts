import { setTimeout as sleep } from 'node:timers/promises'
import type { SearchIndex } from '../../../ports/search-index.ts'
import { compareCursors, LOG_START } from '../../../ports/storage/events.ts'
import type { Readers } from '../../../ports/storage/storage.ts'

const CONSISTENT_MS = 2_000
const POLL_MS = 50
/** An upper bound for events that are committed while one transaction is open. */
const MAX_UNSETTLED = 1_000

/**
 * Returns a function that waits until the index has handled all events that are in the log when it is called, for at most two
 * seconds.
 */
export function createIndexWait(read: Pick<Readers, 'events'>, index: Pick<SearchIndex, 'position'>) {
  /** Returns the cursor of the last committed event, including early events. */
  async function lastCommitted(): Promise<string> {
    const head = await read.events.head()
    const { events, early } = await read.events.list({ after: head, limit: MAX_UNSETTLED })
    return (early.at(-1) ?? events.at(-1))?.cursor ?? head
  }

  async function wait(): Promise<void> {
    const until = Date.now() + CONSISTENT_MS
    const last = await lastCommitted()
    while (Date.now() < until) {
      const position = (await index.position()) ?? LOG_START
      if (compareCursors(position, last) >= 0) return
      await sleep(POLL_MS)
    }
  }

  // The wait is limited even when the log or the index does not respond.
  return (): Promise<void> => Promise.race([wait(), sleep(CONSISTENT_MS, undefined, { ref: false })])
}
