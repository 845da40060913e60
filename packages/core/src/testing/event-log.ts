import { setTimeout as sleep } from 'node:timers/promises'
import type { StoredEvent } from '../ports/storage/events.ts'
import type { Storage } from '../ports/storage/storage.ts'

const RETRY_MS = 5

/**
 * Returns all events after a cursor, once they are all settled. A test that reads the log right after a write needs this,
 * because transactions of other tests on the same server delay events.
 */
export async function eventsAfter(
  { read }: Pick<Storage, 'read'>,
  cursor: string,
  { profileId }: { readonly profileId?: number | undefined } = {},
): Promise<readonly StoredEvent[]> {
  const all: StoredEvent[] = []
  for (let after = cursor; ; ) {
    const { events, early } = await read.events.list({ after, limit: 1_000, profileId })
    all.push(...events)
    after = events.at(-1)?.cursor ?? after
    if (events.length > 0) continue
    if (early.length === 0) return all
    await sleep(RETRY_MS)
  }
}

/** Returns the cursor of the newest event, once it is settled. The next event of a test follows it. */
export async function endOfLog({ read }: Pick<Storage, 'read'>): Promise<string> {
  for (;;) {
    const head = await read.events.head()
    const { events, early } = await read.events.list({ after: head, limit: 1 })
    if (events.length + early.length === 0) return head
    await sleep(RETRY_MS)
  }
}
