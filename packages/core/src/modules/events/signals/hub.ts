import { setTimeout as sleep } from 'node:timers/promises'
import { stagger } from '../../../kernel/stagger.ts'
import {
  compareCursors,
  type EventReader,
  type EventRetentionReader,
  LOG_START,
  type StoredEvent,
} from '../../../ports/storage/events.ts'
import type { Consumers } from '../../../runtime/consumers/consumers.ts'
import type { ReadCache } from '../../../runtime/storage/read-cache.ts'
import { createCurrentSignals } from './current-signals.ts'
import type { SignalEvent } from './envelope.ts'
import { matches, type SignalFilter } from './filter.ts'
import { createHistory } from './history.ts'
import { createLogPages, type SignalReset } from './log-pages.ts'
import { mayReceive, type SignalReader } from './reader.ts'
import type { ResolveSignals } from './resolve-signals.ts'

/** Why the hub ended a subscription. */
export type SubscriptionEnd =
  /** The client was too slow. */
  | 'slow'
  /** The service is stopping. */
  | 'stopping'
  /** The log could not be read, or `onEvent` failed. */
  | 'failed'

export interface SubscribeOptions {
  readonly filter: SignalFilter
  readonly reader: SignalReader
  /** The id of the event to continue after. Default: events from now on. */
  readonly after?: string | undefined
  /** The limit of held events that several subscriptions of a client share; see {@link createHeldEvents}. Default: its own limit. */
  readonly held?: HeldEvents | undefined
  /**
   * Called for each event, in order. A promise means that the client is busy: the next event follows when it is
   * fulfilled, and up to 1,000 events or 1 MiB are held until then.
   */
  onEvent(event: SignalEvent): void | Promise<void>
  /**
   * Called when the client cannot continue: before the first event, or later when events were deleted before it received them.
   * Events from now on follow.
   */
  onReset?(reset: SignalReset): void
  /** Called when all events after `after` were delivered, and live events follow. */
  onLive?(): void
  /** Called once when the hub ends the subscription. It is not called by `close`. */
  onEnd(reason: SubscriptionEnd): void
}

/** The events held for a busy client. */
export interface HeldEvents {
  events: number
  bytes: number
}

/** Counts held events of several subscriptions of one client against one limit. */
export const createHeldEvents = (): HeldEvents => ({ events: 0, bytes: 0 })

/** A client of the hub. */
export interface Subscription {
  /** Ends it. No function is called after that. */
  close(): void
}

/** Statistics of the hub since the start. */
export interface HubStats {
  readonly subscriptions: number
  /** Events of the log that reached this instance. */
  readonly eventsRead: number
  /** Events delivered to clients. */
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
  /** Reports whether resolved events are still current. */
  readonly cache: Pick<ReadCache, 'watch'>
  readonly onError: (error: unknown) => void
  /** Called for each event before it is delivered to clients. */
  readonly onStored?: ((event: StoredEvent) => void) | undefined
}

const MAX_HELD_EVENTS = 1_000
const MAX_HELD_BYTES = 1_048_576

/** The number of attempts to resolve events before clients are disconnected. */
const RESOLVE_ATTEMPTS = 5
const FIRST_PAUSE_MS = 25
/** The number of undelivered events at which reading of the log pauses. */
const MAX_PENDING = 2_000

/** An event that a busy client waits for, and the size of its frame. */
interface HeldEvent {
  readonly event: StoredEvent
  readonly bytes: number
}

interface Client {
  readonly options: SubscribeOptions
  /** The cursor up to which it has received all events; undefined once later events arrive. */
  passed: string | undefined
  isLive: boolean
  isOpen: boolean
  /** Events that arrived while it was busy. */
  waiting: HeldEvent[]
  /** Their size, together with those of its other subscriptions. */
  readonly held: HeldEvents
  isBusy: boolean
}

/**
 * Delivers events to the clients of this instance. The log is read once for all of them. A client that continues after an event
 * first reads the missed events, and then receives live ones without a gap or a repetition.
 */
export function createSignalHub(deps: HubDeps) {
  const { events, retention, consumers, resolve, cache, onError, onStored } = deps
  const clients = new Set<Client>()
  const pages = createLogPages({ events, retention, position: () => position })
  const current = createCurrentSignals({ resolve, watch: cache.watch })
  const stats = { eventsRead: 0, delivered: 0, replayed: 0, resets: 0, slowConsumers: 0 }
  let pending: StoredEvent[] = []
  let pumping: Promise<void> | undefined
  /** The cursor of the last event that was delivered to all live clients. */
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
    // Events that arrive in the same turn are resolved together.
    await Promise.resolve()
    while (pending.length > 0) {
      const batch = pending
      pending = []
      const signals = await resolveBatch(batch)
      for (const [index, event] of batch.entries()) {
        // Set first: clients that become live from here on receive the next event and not this one.
        position = event.cursor
        attempt(() => onStored?.(event))
        const signal = signals[index]
        if (signal) for (const client of clients) if (client.isLive) offerSafely(client, event, signal)
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

  /** Resolves events to signals, with retries when the storage fails. */
  async function resolveNow(batch: readonly StoredEvent[]): Promise<readonly (SignalEvent | undefined)[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await current.of(batch)
      } catch (error) {
        if (attempt === RESOLVE_ATTEMPTS) throw error
        await sleep(FIRST_PAUSE_MS * 2 ** attempt, undefined, { ref: false })
      }
    }
  }

  async function resolveBatch(batch: readonly StoredEvent[]): Promise<readonly (SignalEvent | undefined)[]> {
    if (clients.size === 0) return []
    try {
      return await resolveNow(batch)
    } catch (error) {
      // Undelivered events must not be missed silently: clients reconnect and continue after their last event.
      onError(error)
      for (const client of [...clients]) if (client.isLive) end(client, 'failed')
      return []
    }
  }

  /** Ends a client that fails, without affecting the others. */
  function offerSafely(client: Client, event: StoredEvent, signal: SignalEvent): void {
    try {
      offer(client, event, signal)
    } catch (error) {
      fail(client, error)
    }
  }

  /** Delivers an event, or holds it while the client is busy. */
  function offer(client: Client, event: StoredEvent, signal: SignalEvent): void {
    const { passed, waiting, held } = client
    if (passed !== undefined) {
      if (compareCursors(signal.cursor, passed) <= 0) return
      client.passed = undefined
    }
    if (!isWanted(client, signal)) return
    if (!client.isBusy) {
      const busy = hand(client, signal)
      if (busy) handHeld(client, busy).catch((error: unknown) => fail(client, error))
      return
    }
    const bytes = signal.json.length
    waiting.push({ event, bytes })
    held.events += 1
    held.bytes += bytes
    if (held.events > MAX_HELD_EVENTS || held.bytes > MAX_HELD_BYTES) {
      stats.slowConsumers += 1
      end(client, 'slow')
    }
  }

  const isWanted = ({ options: { filter, reader } }: Client, signal: SignalEvent) =>
    matches(signal, filter) && mayReceive(signal, reader)

  /** Delivers an event to an idle client. Returns a promise when that makes it busy. */
  function hand({ options }: Client, signal: SignalEvent): void | Promise<void> {
    stats.delivered += 1
    return options.onEvent(signal)
  }

  /** Delivers held events to a client after `busy`, without those that it may no longer see. */
  async function handHeld(client: Client, busy: Promise<void>): Promise<void> {
    client.isBusy = true
    await busy
    for (;;) {
      const next = client.waiting.shift()
      if (!next) break
      release(client, [next])
      const [signal] = await resolveNow([next.event])
      if (!client.isOpen) return
      if (signal && isWanted(client, signal)) await hand(client, signal)
    }
    client.isBusy = false
  }

  function release({ held }: Client, events: readonly HeldEvent[]): void {
    held.events -= events.length
    for (const { bytes } of events) held.bytes -= bytes
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

  /** Resets a client that cannot continue. It receives live events from now on, and no event twice. */
  async function reset(client: Client, reason: SignalReset['reason'], passed: string | undefined): Promise<void> {
    stats.resets += 1
    const oldest = await pages.oldestEventId()
    if (!client.isOpen) return
    client.options.onReset?.({ reason, oldestEventId: oldest })
    if (client.isOpen) goLive(client, passed)
  }

  async function catchUp(client: Client, after: string): Promise<void> {
    let cursor = await pages.placeOf(after)
    if (!client.isOpen) return
    if (cursor === undefined) return reset(client, 'unknown', undefined)
    while (!isReached(cursor)) {
      let page = await pages.after(cursor)
      if (page.length === 0) {
        // After deletions, no events may remain between the two cursors. A shared page may be older than the cursor.
        const before = position
        page = await pages.read(cursor)
        if (page.length === 0 && position === before) break
      }
      // A long replay may be overtaken by the deletion of old events.
      if (page === 'expired') return reset(client, 'expired', cursor)
      await replay(client, page)
      if (!client.isOpen) return
      cursor = page.at(-1)?.cursor ?? cursor
    }
    goLive(client, cursor)
  }

  const isReached = (cursor: string) => position !== undefined && compareCursors(cursor, position) >= 0

  async function replay(client: Client, page: readonly StoredEvent[]): Promise<void> {
    const resolved = await current.of(page)
    let hasWaited = false
    for (const [index, event] of page.entries()) {
      // While a client was busy, the next events may have become invisible to it.
      const [signal] = hasWaited ? await current.of([event]) : resolved.slice(index, index + 1)
      if (!client.isOpen) return
      if (!signal || !isWanted(client, signal)) continue
      stats.replayed += 1
      const busy = hand(client, signal)
      if (!busy) continue
      hasWaited = true
      await busy
    }
  }

  /** Makes a client live, in the same turn as the check that it has missed no event. */
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
     * Adds a client. It receives the events that match its filter, and that its reader may see when they are sent.
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

    /** Returns past events. */
    list: createHistory(pages, resolve),

    /** Whether new clients are accepted. */
    isRunning: () => position !== undefined && !isDraining && !isStopping,

    stats: (): HubStats => ({ subscriptions: clients.size, ...stats }),

    start(): void {
      position ??= consumers.cursor() ?? LOG_START
    },

    /** Rejects new clients, and ends the current ones within 2 seconds. */
    drain(): void {
      isDraining = true
      stagger(clients, (client) => end(client, 'stopping'))
    },

    async stop(): Promise<void> {
      unlisten()
      isStopping = true
      for (const client of [...clients]) end(client, 'stopping')
      await pumping
    },
  }
}

/** Delivers events to the clients of this instance. */
export type SignalHub = ReturnType<typeof createSignalHub>
