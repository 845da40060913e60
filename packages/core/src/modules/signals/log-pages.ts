import {
  compareCursors,
  type EventReader,
  type EventRetentionReader,
  type StoredEvent,
} from '../../ports/storage/events.ts'
import { decodeEventId, encodeEventId } from './event-id.ts'

export interface LogPageDeps {
  readonly events: EventReader
  readonly retention: EventRetentionReader
  /** The place of the last event that this instance has read; undefined before the start. */
  readonly position: () => string | undefined
}

/** Why a client cannot continue after the event that it names. */
export interface SignalReset {
  /** `expired`: events after it were deleted. `unknown`: this service has no such event. */
  readonly reason: 'expired' | 'unknown'
  /** The id of the oldest event that is kept; null when there is none. */
  readonly oldestEventId: string | null
}

/** Events of the log in order; `expired` when some of them may have been deleted. */
export type LogPage = readonly StoredEvent[] | 'expired'

/** How many events a page has at most. */
export const LOG_PAGE = 200

/** Reads the log page by page, once for all clients that are at the same place. */
export function createLogPages({ events, retention, position }: LogPageDeps) {
  const pages = new Map<string, Promise<LogPage>>()

  /** The events after a place, read now. */
  async function read(cursor: string): Promise<LogPage> {
    const { events: page } = await events.list({ after: cursor, limit: LOG_PAGE })
    // Compared after the events were read: they may have been deleted in between.
    return compareCursors(cursor, await retention.horizon()) < 0 ? 'expired' : page
  }

  /** The events after a place; clients that continue from the same one share the query. */
  function after(cursor: string): Promise<LogPage> {
    const shared = pages.get(cursor)
    if (shared) return shared
    const page = read(cursor)
    const forget = () => void pages.delete(cursor)
    pages.set(cursor, page)
    page.then(forget, forget)
    return page
  }

  return {
    read,
    after,

    async oldestEventId(): Promise<string | null> {
      for (;;) {
        const page = await after(await retention.horizon())
        if (page === 'expired') continue
        const [oldest] = page
        return oldest ? encodeEventId(oldest.cursor) : null
      }
    },

    /** The place of an event that this service may have; undefined for any other id. */
    async placeOf(id: string): Promise<string | undefined> {
      const cursor = decodeEventId(id)
      if (cursor === undefined) return undefined
      const reached = position()
      if (reached !== undefined && compareCursors(cursor, reached) <= 0) return cursor
      // The reader of this instance may not have reached the position of the client yet.
      return compareCursors(cursor, await events.head()) > 0 ? undefined : cursor
    },

    /** The place before the events after a time; without one, before the oldest that is kept. */
    async startOf(time: Date | undefined): Promise<string> {
      const horizon = await retention.horizon()
      const place = time && (await retention.findCursor(time))
      return place !== undefined && compareCursors(place, horizon) > 0 ? place : horizon
    },

    /** The place before the oldest event that is kept. */
    horizon: retention.horizon,
  }
}

export type LogPages = ReturnType<typeof createLogPages>
