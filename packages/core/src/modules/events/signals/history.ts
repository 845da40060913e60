import { compareCursors, EVENT_DISORDER_MS, type StoredEvent } from '../../../ports/storage/events.ts'
import type { SignalEvent } from './envelope.ts'
import { decodeEventId, encodeEventId } from './event-id.ts'
import { matches, SERVICE_SOURCE, type SignalFilter } from './filter.ts'
import { LOG_PAGE, type LogPages, type SignalReset } from './log-pages.ts'
import { mayReceive, type SignalReader } from './reader.ts'
import type { ResolveSignals } from './resolve-signals.ts'

/** A place in the log, or a time; neither for one of its ends. */
export interface HistoryBound {
  readonly id?: string | undefined
  readonly time?: Date | undefined
}

export interface HistoryRequest {
  readonly filter: SignalFilter
  readonly reader: SignalReader
  /** Only events after it. */
  readonly after: HistoryBound
  /** No events after it. */
  readonly until: HistoryBound
  readonly limit: number
}

export type HistoryPage =
  | { readonly events: readonly SignalEvent[]; readonly next: string | undefined; readonly reset?: undefined }
  | { readonly reset: SignalReset }

/** The maximum number of pages of the log that one request reads. */
const MAX_PAGES = 20
/** The least number of events that are resolved together. */
const TOGETHER = 20

/**
 * Returns at most `limit` events that a reader may receive, in order, and the id to continue after, which is undefined when
 * nothing is left. Reads a limited part of the log, so it may return fewer events although more follow.
 */
export function createHistory(pages: LogPages, resolve: ResolveSignals) {
  return async ({ filter, reader, after, until, limit }: HistoryRequest): Promise<HistoryPage> => {
    const resetTo = async (reason: SignalReset['reason']): Promise<HistoryPage> => ({
      reset: { reason, oldestEventId: await pages.oldestEventId() },
    })
    const start = after.id === undefined ? await pages.startOf(after.time) : await pages.placeOf(after.id)
    const last = until.id === undefined ? undefined : decodeEventId(until.id)
    if (start === undefined || (until.id !== undefined && last === undefined)) return resetTo('unknown')
    const isInTime = ({ at, cursor }: StoredEvent) =>
      (after.time === undefined || at > after.time) &&
      (until.time === undefined || at <= until.time) &&
      (last === undefined || compareCursors(cursor, last) <= 0)

    const isPast = (event: StoredEvent | undefined) =>
      event !== undefined &&
      ((last !== undefined && compareCursors(event.cursor, last) >= 0) ||
        (until.time !== undefined && event.at.getTime() > until.time.getTime() + EVENT_DISORDER_MS))

    const [only] = filter.profileIds?.size === 1 ? filter.profileIds : []
    // An index has the events of a profile, so that they need not be searched for among those of all.
    const readPage = (cursor: string) =>
      only === undefined || only === SERVICE_SOURCE ? pages.after(cursor) : pages.read(cursor, only)

    const found: SignalEvent[] = []
    let cursor = start
    for (let pagesRead = 0; pagesRead < MAX_PAGES; pagesRead += 1) {
      const page = await readPage(cursor)
      if (page === 'expired') {
        if (after.id !== undefined && found.length === 0) return resetTo('expired')
        // The client is reset when it continues after the last one.
        if (found.length > 0) break
        cursor = await pages.horizon()
        continue
      }
      const wanted = page.filter(isInTime)
      for (let first = 0; first < wanted.length; ) {
        const next = first + Math.max(TOGETHER, limit + 1 - found.length)
        for (const signal of await resolve(wanted.slice(first, next), filter)) {
          if (!matches(signal, filter) || !mayReceive(signal, reader)) continue
          if (found.length === limit) return { events: found, next: found.at(-1)?.envelope.id }
          found.push(signal)
        }
        first = next
      }
      cursor = page.at(-1)?.cursor ?? cursor
      if (page.length < LOG_PAGE || isPast(page.at(-1))) return { events: found, next: undefined }
    }
    return { events: found, next: encodeEventId(cursor) }
  }
}
