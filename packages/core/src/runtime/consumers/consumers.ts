import { type EventList, type EventReader, LOG_START, type StoredEvent } from '../../ports/storage/events.ts'
import type { Write } from '../storage/guard.ts'
import { createDurableConsumer, type DurableConsumer, type TransactionalHandler } from './durable.ts'
import { createLiveReader, type LiveReader, type LiveReaderOptions } from './live.ts'

/** Background work that the service starts and stops: a reader of the log, or a {@link timed} task. */
export interface Consumer {
  start(): unknown
  stop(): Promise<unknown>
}

/** Where a durable consumer begins. */
export interface FollowOptions {
  /** Where a consumer with a new name starts: at the next event (default), or at the oldest stored one. */
  readonly from?: 'now' | 'start' | undefined
}

interface DurableOptions extends FollowOptions {
  /** The types of the events that a handler function gets. Default: all. */
  readonly types?: ReadonlySet<string> | undefined
}

/** Durable consumers get what was just read for the others; those that are woken at an earlier cursor share one query. */
function sharePages(events: EventReader, recentAfter: LiveReader['recentAfter']): EventReader {
  const reading = new Map<string, Promise<EventList>>()
  return {
    head: () => events.head(),
    async list(query) {
      const { after, limit, profileId } = query
      const recent = profileId === undefined ? recentAfter(after, limit) : undefined
      if (recent?.length) return { events: recent, early: [] }
      const key = JSON.stringify([after, limit, profileId])
      const known = reading.get(key)
      if (known) return known
      // Later calls may have been woken by events that this query does not return.
      if (reading.size === 0) setImmediate(() => reading.clear())
      const page = events.list(query)
      reading.set(key, page)
      return page
    },
  }
}

export interface ConsumersOptions extends LiveReaderOptions {
  readonly write: Write
}

/**
 * The consumers of the event log in this instance. They share one reader of the log:
 *
 * - `live` and `liveUnordered` get events on this instance, from now on;
 * - `durable` gets each event at least once, on one instance at a time, from a cursor that is stored under a name.
 *
 * Work that depends on time instead of events uses `timed`.
 */
export function createConsumers({ write, ...options }: ConsumersOptions) {
  const { events, onError } = options
  const reader = createLiveReader(options)
  const durables = new Set<DurableConsumer>()
  const pages = sharePages(events, reader.recentAfter)
  let isRunning = false
  let isWaking = false

  /** Wakes the durable consumers together, once for all events that were read together. */
  function wakeDurables(): void {
    if (isWaking) return
    isWaking = true
    setImmediate(() => {
      isWaking = false
      for (const consumer of durables) consumer.wake()
    })
  }
  reader.listen(wakeDurables)

  return {
    wake: reader.wake,
    isCurrent: reader.isCurrent,
    silentMs: reader.silentMs,
    heldBackMs: reader.heldBackMs,
    /** The cursor of the last event delivered to ordered listeners; undefined while the log is not read. */
    cursor: reader.cursor,
    /** Calls a listener for each settled event, in order. Errors are reported. Returns a function that stops it. */
    live: reader.listen,
    /** Calls a listener for each event once it is committed, in any order. Returns a function that stops it. */
    liveUnordered: reader.listenUnordered,
    /**
     * Handles events under a name: each at least once and in order, again after the handler threw. A transactional handler
     * gets batches, and each event exactly once.
     */
    durable(
      name: string,
      handle: ((event: StoredEvent) => void | Promise<void>) | TransactionalHandler,
      { from = 'now', types }: DurableOptions = {},
    ): () => Promise<void> {
      const start = from === 'start' ? LOG_START : reader.cursor()
      const deps = { events: pages, write, onError, start, types, latest: reader.cursor }
      const consumer = createDurableConsumer(name, handle, deps)
      durables.add(consumer)
      if (isRunning) consumer.start()
      return async () => {
        durables.delete(consumer)
        await consumer.stop()
      }
    },
    async start() {
      await reader.start()
      isRunning = true
      for (const consumer of durables) consumer.start()
    },
    async stop() {
      isRunning = false
      await Promise.all([...durables].map((consumer) => consumer.stop()))
      await reader.stop()
    },
  }
}

export type Consumers = ReturnType<typeof createConsumers>
