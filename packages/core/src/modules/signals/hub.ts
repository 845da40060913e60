import { setTimeout as sleep } from 'node:timers/promises'
import type { Consumers } from '../../consumers/consumers.ts'
import {
  compareCursors,
  type EventReader,
  type EventRetentionReader,
  LOG_START,
  type StoredEvent,
} from '../../ports/storage/events.ts'
import type { SignalEvent } from './envelope.ts'
import { decodeEventId, encodeEventId } from './event-id.ts'
import { matches, type SignalFilter } from './filter.ts'
import { mayReceive, type SignalReader } from './reader.ts'
import type { ResolveSignals } from './resolve-signals.ts'

/** Why a client cannot continue after the event that it names. */
export interface SignalReset {
  /** `expired`: events after it were deleted. `unknown`: this service has no such event. */
  readonly reason: 'expired' | 'unknown'
  /** The id of the oldest event that is kept; null when there is none. */
  readonly oldestEventId: string | null
}

/** Why the hub ended a subscription. */
export type SubscriptionEnd =
  /** The client did not take events as fast as they came. */
  | 'slow'
  /** The service stops. */
  | 'stopping'
  /** The log could not be read, or `onEvent` failed. */
  | 'failed'

export interface SubscribeOptions {
  readonly filter: SignalFilter
  readonly reader: SignalReader
  /** The id of the event to continue after. Default: events from now on. */
  readonly after?: string | undefined
  /**
   * Called for each event, in order. A promise means that the client is busy: the next event is handed over once it is
   * fulfilled, and up to 1,000 events or 1 MiB are held until then.
   */
  onEvent(event: SignalEvent): void | Promise<void>
  /** Called before the first event when the client cannot continue after `after`; events from now on follow. */
  onReset?(reset: SignalReset): void
  /** Called when everything after `after` was handed over, and events follow as they are emitted. */
  onLive?(): void
  /** Called once when the hub ends the subscription. It is not called by `close`. */
  onEnd(reason: SubscriptionEnd): void
}

/** A client of the hub. */
export interface Subscription {
  /** Ends it. No function is called after that. */
  close(): void
}

/** What the hub has done since the start. */
export interface HubStats {
  readonly subscriptions: number
  /** Events of the log that reached this instance. */
  readonly eventsRead: number
  /** Events handed to clients. */
  readonly delivered: number
  readonly replayed: number
  readonly resets: number
  /** Clients that were too slow. */
  readonly slowConsumers: number
}

export interface HubDeps {
  readonly events: EventReader
  readonly retention: EventRetentionReader
  readonly consumers: Pick<Consumers, 'live' | 'cursor'>
  readonly resolve: ResolveSignals
  readonly onError: (error: unknown) => void
  /** Called for each event before it is handed to clients. */
  readonly onStored?: ((event: StoredEvent) => void) | undefined
}

/** A place in the log, or a time; neither for one of its ends. */
export interface HistoryBound {
  readonly id?: string | undefined
  readonly time?: Date | undefined
}

export interface HistoryRequest {
  readonly filter: SignalFilter
  readonly reader: SignalReader
  /** Only what came after it. */
  readonly after: HistoryBound
  /** Nothing that came after it. */
  readonly until: HistoryBound
  readonly limit: number
}

export type HistoryPage =
  | { readonly events: readonly SignalEvent[]; readonly next: string | undefined; readonly reset?: undefined }
  | { readonly reset: SignalReset }

const MAX_HELD_EVENTS = 1_000
const MAX_HELD_BYTES = 1_048_576

const REPLAY_PAGE = 200
/** How often the profiles and pages of events are looked up before clients are disconnected. */
const RESOLVE_ATTEMPTS = 5
const FIRST_PAUSE_MS = 25
/** How many events of the log may wait to be handed out before the reader of the log waits too. */
const MAX_PENDING = 2_000

interface Client {
  readonly options: SubscribeOptions
  /** The place up to which it has everything already; undefined once events come from after it. */
  passed: string | undefined
  isLive: boolean
  isOpen: boolean
  /** What comes while it is busy. */
  held: SignalEvent[]
  heldBytes: number
  isBusy: boolean
}

/**
 * Hands events to the clients of this instance. The log is read once for all of them; a client that continues after an event
 * reads what it has missed, and then follows without a gap or a repetition.
 */
export function createSignalHub({ events, retention, consumers, resolve, onError, onStored }: HubDeps) {
  const clients = new Set<Client>()
  const pages = new Map<string, Promise<readonly StoredEvent[]>>()
  const stats = { eventsRead: 0, delivered: 0, replayed: 0, resets: 0, slowConsumers: 0 }
  let pending: StoredEvent[] = []
  let pumping: Promise<void> | undefined
  /** The place of the last event that was handed to every client that follows. */
  let position: string | undefined
  let isStopping = false

  const unlisten = consumers.live((event) => {
    stats.eventsRead += 1
    pending.push(event)
    pumping ??= pump()
    return pending.length > MAX_PENDING ? pumping : undefined
  })

  async function pump(): Promise<void> {
    // Events that come in the same turn are loaded together.
    await Promise.resolve()
    while (pending.length > 0) {
      const batch = pending
      pending = []
      const resolved = await resolveBatch(batch)
      for (const event of batch) {
        // First: those that become live from here on get the next event and not this one.
        position = event.cursor
        onStored?.(event)
        const signal = resolved.get(event.cursor)
        if (signal) for (const client of clients) if (client.isLive) offer(client, signal)
      }
    }
    pumping = undefined
  }

  async function resolveBatch(batch: readonly StoredEvent[]): Promise<ReadonlyMap<string, SignalEvent>> {
    if (clients.size === 0) return new Map()
    for (let attempt = 1; ; attempt += 1) {
      try {
        return new Map((await resolve(batch)).map((signal) => [signal.cursor, signal]))
      } catch (error) {
        if (attempt < RESOLVE_ATTEMPTS) {
          await sleep(FIRST_PAUSE_MS * 2 ** attempt, undefined, { ref: false })
          continue
        }
        // Undelivered events must not be missed silently: clients reconnect and continue after their last event.
        onError(error)
        for (const client of [...clients]) if (client.isLive) end(client, 'failed')
        return new Map()
      }
    }
  }

  /** Hands an event over, or holds it while the client is busy. */
  function offer(client: Client, signal: SignalEvent): void {
    const { options, passed } = client
    if (passed !== undefined) {
      if (compareCursors(signal.cursor, passed) <= 0) return
      client.passed = undefined
    }
    if (!matches(signal, options.filter) || !mayReceive(signal, options.reader)) return
    if (!client.isBusy) {
      hand(client, signal)
      return
    }
    client.held.push(signal)
    client.heldBytes += signal.json.length
    if (client.held.length > MAX_HELD_EVENTS || client.heldBytes > MAX_HELD_BYTES) {
      stats.slowConsumers += 1
      end(client, 'slow')
    }
  }

  /** Hands an event to a client that is not busy. */
  function hand(client: Client, signal: SignalEvent): void {
    stats.delivered += 1
    let waiting: void | Promise<void>
    try {
      waiting = client.options.onEvent(signal)
    } catch (error) {
      fail(client, error)
      return
    }
    if (!waiting) return
    client.isBusy = true
    waiting.then(
      () => {
        client.isBusy = false
        handHeld(client)
      },
      (error: unknown) => fail(client, error),
    )
  }

  function handHeld(client: Client): void {
    while (client.isOpen && !client.isBusy) {
      const signal = client.held.shift()
      if (!signal) return
      client.heldBytes -= signal.json.length
      hand(client, signal)
    }
  }

  function fail(client: Client, error: unknown): void {
    if (!client.isOpen) return
    onError(error)
    end(client, 'failed')
  }

  function remove(client: Client): boolean {
    if (!client.isOpen) return false
    client.isOpen = false
    client.held = []
    clients.delete(client)
    return true
  }

  function end(client: Client, reason: SubscriptionEnd): void {
    if (remove(client)) client.options.onEnd(reason)
  }

  /** The events after a place; clients that continue from the same one share the query. */
  function pageAfter(cursor: string): Promise<readonly StoredEvent[]> {
    const shared = pages.get(cursor)
    if (shared) return shared
    const page = events.list({ after: cursor, limit: REPLAY_PAGE }).then((list) => list.events)
    const forget = () => void pages.delete(cursor)
    pages.set(cursor, page)
    page.then(forget, forget)
    return page
  }

  async function oldestEventId(): Promise<string | null> {
    const [oldest] = await pageAfter(await retention.horizon())
    return oldest ? encodeEventId(oldest.cursor) : null
  }

  /** Why the events after an id cannot be read. Undefined when they can. */
  async function resetFor(cursor: string | undefined): Promise<SignalReset['reason'] | undefined> {
    if (cursor === undefined) return 'unknown'
    if (compareCursors(cursor, await retention.horizon()) < 0) return 'expired'
    if (position !== undefined && compareCursors(cursor, position) <= 0) return undefined
    // The reader of this instance may not have reached the position of the client yet.
    return compareCursors(cursor, await events.head()) > 0 ? 'unknown' : undefined
  }

  async function catchUp(client: Client, after: string): Promise<void> {
    const start = decodeEventId(after)
    const reason = await resetFor(start)
    if (!client.isOpen) return
    if (start === undefined || reason !== undefined) {
      stats.resets += 1
      const oldest = await oldestEventId()
      if (!client.isOpen) return
      client.options.onReset?.({ reason: reason ?? 'unknown', oldestEventId: oldest })
      goLive(client, undefined)
      return
    }
    let cursor = start
    while (!isReached(cursor)) {
      let page = await pageAfter(cursor)
      if (page.length === 0) {
        // Deleted events may leave nothing between the two places. A shared answer may be older than the position.
        const before = position
        page = (await events.list({ after: cursor, limit: REPLAY_PAGE })).events
        if (page.length === 0 && position === before) break
      }
      for (const signal of await resolve(page)) {
        if (!client.isOpen) return
        await replay(client, signal)
      }
      if (!client.isOpen) return
      cursor = page.at(-1)?.cursor ?? cursor
    }
    goLive(client, cursor)
  }

  const isReached = (cursor: string) => position !== undefined && compareCursors(cursor, position) >= 0

  async function replay({ options }: Client, signal: SignalEvent): Promise<void> {
    if (!matches(signal, options.filter) || !mayReceive(signal, options.reader)) return
    stats.delivered += 1
    stats.replayed += 1
    await options.onEvent(signal)
  }

  /** From here on the client gets events as they come; in one turn with the check that it has missed none. */
  function goLive(client: Client, passed: string | undefined): void {
    client.passed = passed
    client.isLive = true
    client.options.onLive?.()
  }

  return {
    /**
     * Adds a client. What it gets is decided by its filter, its reader, and whether an event is public when it is sent.
     */
    subscribe(options: SubscribeOptions): Subscription {
      const client: Client = {
        options,
        passed: undefined,
        isLive: false,
        isOpen: true,
        held: [],
        heldBytes: 0,
        isBusy: false,
      }
      if (isStopping || position === undefined) {
        let isWaiting = true
        queueMicrotask(() => {
          if (isWaiting) options.onEnd(isStopping ? 'stopping' : 'failed')
        })
        return {
          close() {
            isWaiting = false
          },
        }
      }
      clients.add(client)
      if (options.after === undefined) goLive(client, undefined)
      else catchUp(client, options.after).catch((error: unknown) => fail(client, error))
      return { close: () => void remove(client) }
    },

    /**
     * Returns events in order, at most `limit`, as far as a reader may get them, and the id to continue after; undefined
     * when nothing is left. Reads at most a part of the log, so there may be fewer events although more come later.
     */
    async list({ filter, reader, after, until, limit }: HistoryRequest): Promise<HistoryPage> {
      const start = after.id === undefined ? await retention.horizon() : decodeEventId(after.id)
      const reason = after.id === undefined ? undefined : await resetFor(start)
      const last = until.id === undefined ? undefined : decodeEventId(until.id)
      const isUnknown = start === undefined || (until.id !== undefined && last === undefined)
      if (isUnknown || reason !== undefined) {
        return { reset: { reason: reason ?? 'unknown', oldestEventId: await oldestEventId() } }
      }
      const isInTime = ({ at, cursor }: StoredEvent) =>
        (after.time === undefined || at > after.time) &&
        (until.time === undefined || at <= until.time) &&
        (last === undefined || compareCursors(cursor, last) <= 0)

      const found: SignalEvent[] = []
      let cursor = start
      for (let pagesRead = 0; pagesRead < MAX_HISTORY_PAGES; pagesRead += 1) {
        const page = await pageAfter(cursor)
        for (const signal of await resolve(page.filter(isInTime))) {
          if (!matches(signal, filter) || !mayReceive(signal, reader)) continue
          if (found.length === limit) return { events: found, next: found.at(-1)?.envelope.id }
          found.push(signal)
        }
        cursor = page.at(-1)?.cursor ?? cursor
        const isPast = last !== undefined && compareCursors(cursor, last) >= 0
        if (page.length < REPLAY_PAGE || isPast) return { events: found, next: undefined }
      }
      return { events: found, next: encodeEventId(cursor) }
    },

    /** Whether events are handed out. */
    isRunning: () => position !== undefined && !isStopping,

    stats: (): HubStats => ({ subscriptions: clients.size, ...stats }),

    start(): void {
      position ??= consumers.cursor() ?? LOG_START
    },

    /** Ends every subscription of now. */
    endAll(): void {
      for (const client of [...clients]) end(client, 'stopping')
    },

    async stop(): Promise<void> {
      unlisten()
      isStopping = true
      this.endAll()
      await pumping
    },
  }
}

/** How much of the log one request of the history reads. */
const MAX_HISTORY_PAGES = 20

/** Hands events to the clients of this instance. */
export type SignalHub = ReturnType<typeof createSignalHub>
