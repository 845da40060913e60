import { setTimeout as sleep } from 'node:timers/promises'
import type { Consumers } from '../../consumers/consumers.ts'
import { spreadOut } from '../../kernel/spread-out.ts'
import {
  compareCursors,
  EVENT_DISORDER_MS,
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
  /** What subscriptions of one client hold together; see {@link createHeldEvents}. Default: this one alone. */
  readonly held?: HeldEvents | undefined
  /**
   * Called for each event, in order. A promise means that the client is busy: the next event is handed over once it is
   * fulfilled, and up to 1,000 events or 1 MiB are held until then.
   */
  onEvent(event: SignalEvent): void | Promise<void>
  /**
   * Called when the client cannot continue: before the first event, or later when events were deleted before it got them.
   * Events from now on follow.
   */
  onReset?(reset: SignalReset): void
  /** Called when everything after `after` was handed over, and events follow as they are emitted. */
  onLive?(): void
  /** Called once when the hub ends the subscription. It is not called by `close`. */
  onEnd(reason: SubscriptionEnd): void
}

/** How much is held for a client that is busy. */
export interface HeldEvents {
  events: number
  bytes: number
}

/** Counts what is held for several subscriptions of one client, which share its limit. */
export const createHeldEvents = (): HeldEvents => ({ events: 0, bytes: 0 })

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

/** Events of the log in order; `expired` when some of them may have been deleted. */
type LogPage = readonly StoredEvent[] | 'expired'

interface Client {
  readonly options: SubscribeOptions
  /** The place up to which it has everything already; undefined once events come from after it. */
  passed: string | undefined
  isLive: boolean
  isOpen: boolean
  /** What comes while it is busy. */
  waiting: SignalEvent[]
  /** How much that is, together with what its other subscriptions hold. */
  readonly held: HeldEvents
  isBusy: boolean
}

/**
 * Hands events to the clients of this instance. The log is read once for all of them; a client that continues after an event
 * reads what it has missed, and then follows without a gap or a repetition.
 */
export function createSignalHub({ events, retention, consumers, resolve, onError, onStored }: HubDeps) {
  const clients = new Set<Client>()
  const pages = new Map<string, Promise<LogPage>>()
  const stats = { eventsRead: 0, delivered: 0, replayed: 0, resets: 0, slowConsumers: 0 }
  let pending: StoredEvent[] = []
  let pumping: Promise<void> | undefined
  /** The place of the last event that was handed to every client that follows. */
  let position: string | undefined
  let isDraining = false
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
        attempt(() => onStored?.(event))
        const signal = resolved.get(event.cursor)
        if (signal) for (const client of clients) if (client.isLive) offerSafely(client, signal)
      }
    }
    pumping = undefined
  }

  /** Calls a function of a subscriber. An error it throws is reported, and the other subscribers still get their events. */
  function attempt(call: () => void): void {
    try {
      call()
    } catch (error) {
      onError(error)
    }
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

  /** Ends a client that fails; the others get the event. */
  function offerSafely(client: Client, signal: SignalEvent): void {
    try {
      offer(client, signal)
    } catch (error) {
      fail(client, error)
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
    const { waiting, held } = client
    waiting.push(signal)
    held.events += 1
    held.bytes += signal.json.length
    if (held.events > MAX_HELD_EVENTS || held.bytes > MAX_HELD_BYTES) {
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
      const signal = client.waiting.shift()
      if (!signal) return
      release(client, [signal])
      hand(client, signal)
    }
  }

  function release({ held }: Client, signals: readonly SignalEvent[]): void {
    held.events -= signals.length
    for (const { json } of signals) held.bytes -= json.length
  }

  function fail(client: Client, error: unknown): void {
    if (!client.isOpen) return
    onError(error)
    end(client, 'failed')
  }

  function remove(client: Client): boolean {
    if (!client.isOpen) return false
    client.isOpen = false
    release(client, client.waiting.splice(0))
    clients.delete(client)
    return true
  }

  function end(client: Client, reason: SubscriptionEnd): void {
    if (remove(client)) attempt(() => client.options.onEnd(reason))
  }

  /** The events after a place, read now. */
  async function readPage(cursor: string): Promise<LogPage> {
    const { events: page } = await events.list({ after: cursor, limit: REPLAY_PAGE })
    // Compared after the events were read: they may have been deleted in between.
    return compareCursors(cursor, await retention.horizon()) < 0 ? 'expired' : page
  }

  /** The events after a place; clients that continue from the same one share the query. */
  function pageAfter(cursor: string): Promise<LogPage> {
    const shared = pages.get(cursor)
    if (shared) return shared
    const page = readPage(cursor)
    const forget = () => void pages.delete(cursor)
    pages.set(cursor, page)
    page.then(forget, forget)
    return page
  }

  async function oldestEventId(): Promise<string | null> {
    for (;;) {
      const page = await pageAfter(await retention.horizon())
      if (page === 'expired') continue
      const [oldest] = page
      return oldest ? encodeEventId(oldest.cursor) : null
    }
  }

  /** The place of an event that this service may have; undefined for any other id. */
  async function placeOf(id: string): Promise<string | undefined> {
    const cursor = decodeEventId(id)
    if (cursor === undefined) return undefined
    if (position !== undefined && compareCursors(cursor, position) <= 0) return cursor
    // The reader of this instance may not have reached the position of the client yet.
    return compareCursors(cursor, await events.head()) > 0 ? undefined : cursor
  }

  /** Resets a client that cannot continue. It gets events from now on, and none of those again that it got. */
  async function reset(client: Client, reason: SignalReset['reason'], passed: string | undefined): Promise<void> {
    stats.resets += 1
    const oldest = await oldestEventId()
    if (!client.isOpen) return
    client.options.onReset?.({ reason, oldestEventId: oldest })
    if (client.isOpen) goLive(client, passed)
  }

  /** The place before the events after a time; without one, before the oldest that is kept. */
  async function startOf(time: Date | undefined): Promise<string> {
    const horizon = await retention.horizon()
    const place = time && (await retention.findCursor(time))
    return place !== undefined && compareCursors(place, horizon) > 0 ? place : horizon
  }

  async function catchUp(client: Client, after: string): Promise<void> {
    let cursor = await placeOf(after)
    if (!client.isOpen) return
    if (cursor === undefined) return reset(client, 'unknown', undefined)
    while (!isReached(cursor)) {
      let page = await pageAfter(cursor)
      if (page.length === 0) {
        // Deleted events may leave nothing between the two places. A shared answer may be older than the position.
        const before = position
        page = await readPage(cursor)
        if (page.length === 0 && position === before) break
      }
      // A long replay may be overtaken by the deletion of old events.
      if (page === 'expired') return reset(client, 'expired', cursor)
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

  async function begin(client: Client): Promise<void> {
    goLive(client, undefined)
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
        waiting: [],
        held: options.held ?? createHeldEvents(),
        isBusy: false,
      }
      if (isStopping || position === undefined) {
        let isWaiting = true
        queueMicrotask(() => {
          if (isWaiting) attempt(() => options.onEnd(isStopping ? 'stopping' : 'failed'))
        })
        return {
          close() {
            isWaiting = false
          },
        }
      }
      clients.add(client)
      const begun = options.after === undefined ? begin(client) : catchUp(client, options.after)
      begun.catch((error: unknown) => fail(client, error))
      return { close: () => void remove(client) }
    },

    /**
     * Returns events in order, at most `limit`, as far as a reader may get them, and the id to continue after; undefined
     * when nothing is left. Reads at most a part of the log, so there may be fewer events although more come later.
     */
    async list({ filter, reader, after, until, limit }: HistoryRequest): Promise<HistoryPage> {
      const resetTo = async (reason: SignalReset['reason']): Promise<HistoryPage> => ({
        reset: { reason, oldestEventId: await oldestEventId() },
      })
      const start = after.id === undefined ? await startOf(after.time) : await placeOf(after.id)
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

      const found: SignalEvent[] = []
      let cursor = start
      for (let pagesRead = 0; pagesRead < MAX_HISTORY_PAGES; pagesRead += 1) {
        const page = await pageAfter(cursor)
        if (page === 'expired') {
          if (after.id !== undefined && found.length === 0) return resetTo('expired')
          // The client is reset when it continues after the last one.
          if (found.length > 0) break
          cursor = await retention.horizon()
          continue
        }
        for (const signal of await resolve(page.filter(isInTime))) {
          if (!matches(signal, filter) || !mayReceive(signal, reader)) continue
          if (found.length === limit) return { events: found, next: found.at(-1)?.envelope.id }
          found.push(signal)
        }
        cursor = page.at(-1)?.cursor ?? cursor
        if (page.length < REPLAY_PAGE || isPast(page.at(-1))) return { events: found, next: undefined }
      }
      return { events: found, next: encodeEventId(cursor) }
    },

    /** Whether there are events for new clients. */
    isRunning: () => position !== undefined && !isDraining && !isStopping,

    stats: (): HubStats => ({ subscriptions: clients.size, ...stats }),

    start(): void {
      position ??= consumers.cursor() ?? LOG_START
    },

    /** Takes no more clients, and ends those of now within 2 seconds. */
    drain(): void {
      isDraining = true
      spreadOut(clients, (client) => end(client, 'stopping'))
    },

    async stop(): Promise<void> {
      unlisten()
      isStopping = true
      for (const client of [...clients]) end(client, 'stopping')
      await pumping
    },
  }
}

/** How much of the log one request of the history reads. */
const MAX_HISTORY_PAGES = 20

/** Hands events to the clients of this instance. */
export type SignalHub = ReturnType<typeof createSignalHub>
