import {
  compareCursors,
  type EventReader,
  type EventRetentionReader,
  type StoredEvent,
} from '../../../ports/storage/events.ts'
import { decodeEventId, encodeEventId } from './event-id.ts'

export interface LogPageDeps {
  readonly events: EventReader
  readonly retention: EventRetentionReader
  /** The cursor of the last event that this instance has read; undefined before the start. */
  readonly position: () => string | undefined
}

/** Why a client cannot continue after the event that it named. */
export interface SignalReset {
  /** `expired`: events after it were deleted. `unknown`: this service has no such event. */
  readonly reason: 'expired' | 'unknown'
  /** The id of the oldest event that is kept; null when there is none. */
  readonly oldestEventId: string | null
}

/** Events of the log in order; `expired` when some of them may have been deleted. */
export type LogPage = readonly StoredEvent[] | 'expired'

/** The maximum number of events in a page. */
export const LOG_PAGE = 200

/** Reads the log page by page, once for all clients at the same cursor. */
export function createLogPages({ events, retention, position }: LogPageDeps) {
  const pages = new Map<string, Promise<LogPage>>()

  async function read(cursor: string, profileId?: number): Promise<LogPage> {
    const { events: page } = await events.list({ after: cursor, limit: LOG_PAGE, profileId })
    // Compared after the events were read: they may have been deleted in between.
    return compareCursors(cursor, await retention.horizon()) < 0 ? 'expired' : page
  }

  /** Returns the events after a cursor. Clients at the same cursor share the query. */
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
    /** Reads the events after a cursor, of all profiles or of one. */
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

    /** Returns the cursor of an event id. Undefined for an id that this service cannot have. */
    async placeOf(id: string): Promise<string | undefined> {
      const cursor = decodeEventId(id)
      if (cursor === undefined) return undefined
      const reached = position()
      if (reached !== undefined && compareCursors(cursor, reached) <= 0) return cursor
      // The reader of this instance may not have reached the position of the client yet.
      return compareCursors(cursor, await events.head()) > 0 ? undefined : cursor
    },

    /** Returns the cursor before the events after a time. Default: before the oldest kept event. */
    async startOf(time: Date | undefined): Promise<string> {
      const horizon = await retention.horizon()
      const place = time && (await retention.findCursor(time))
      return place !== undefined && compareCursors(place, horizon) > 0 ? place : horizon
    },

    /** Returns the cursor before the oldest kept event. */
    horizon: retention.horizon,
  }
}

export type LogPages = ReturnType<typeof createLogPages>
