import { createTaskLoop } from '../../kernel/task-loop.ts'
import { type EventReader, LOG_START, type StoredEvent } from '../../ports/storage/events.ts'

type EventListener = (event: StoredEvent) => void | Promise<void>

export interface LiveReader {
  /** Starts to read the log from its current end. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Reads the log soon. */
  wake(): void
  /**
   * Calls a listener for each event from now on, in the order of the log. Returns a function that stops it. An event is
   * delivered when it is settled, so an open transaction delays it.
   */
  listen(listener: EventListener): () => void
  /**
   * Calls a listener for each event from now on as soon as it is committed, once and in any order. Returns a function that
   * stops it.
   */
  listenUnordered(listener: (event: StoredEvent) => void): () => void
  /** The cursor of the last event that was delivered in order; undefined while the log is not read. */
  cursor(): string | undefined
  /**
   * The events after a cursor that were delivered in order lately, at most `limit`. Undefined when the log has to be read,
   * because one of them may no longer be known.
   */
  recentAfter(cursor: string, limit: number): readonly StoredEvent[] | undefined
  /** Whether the log was read to its end recently, so that changes of other instances are known. */
  isCurrent(): boolean
  /** The time since the log was last read to its end, in milliseconds; infinite while it is not read. */
  silentMs(): number
  /** How long the oldest committed event has been waiting for an open transaction, in milliseconds; 0 when none waits. */
  heldBackMs(): number
}

export interface LiveReaderOptions {
  readonly events: EventReader
  readonly watch?: ((wake: () => void) => Promise<() => Promise<void>>) | undefined
  readonly onError: (error: unknown, event?: StoredEvent) => void
  /** Called once when committed events have waited for an open transaction for 10 seconds, and again after they caught up. */
  readonly onHeldBack?: ((heldBackMs: number) => void) | undefined
  /** How often to read the log without being woken. Default: 400 ms. */
  readonly pollIntervalMs?: number
  /** The wait after which `onHeldBack` is called. Default: 10 seconds. */
  readonly warnAfterMs?: number
}

const BATCH = 500
/** After this many missed polls, changes by other instances are no longer known. */
const MISSED_POLLS = 5
/** Delivered events are kept for other readers of this process, at most this number and for this time. */
const MAX_RECENT = 500
const RECENT_MS = 2_000
/** The first pause before events that were not settled yet are read again; each further pause is twice as long. */
const FIRST_RETRY_MS = 5

/**
 * Reads the event log as it grows and calls listeners after commit. A listener that throws is reported and does not
 * affect the others.
 */
export function createLiveReader(options: LiveReaderOptions): LiveReader {
  const { events, watch, onError, onHeldBack, pollIntervalMs = 400, warnAfterMs = 10_000 } = options
  const listeners = new Set<EventListener>()
  const unordered = new Set<(event: StoredEvent) => void>()
  /** Events that were delivered before they were settled, by cursor, and when they were first seen. */
  const early = new Map<string, number>()
  let cursor = LOG_START
  /** The events that were delivered last, and the cursor before the first of them. */
  let recent: { readonly after: string; readonly events: readonly StoredEvent[]; readonly at: number } | undefined
  let seenAt = 0
  let retryMs = FIRST_RETRY_MS
  let running = false
  let isFailing = false
  let isHeldBack = false
  /** What the last round of reading had seen while more events were early than one batch holds. */
  let seen: string | undefined
  let unwatch: (() => Promise<void>) | undefined

  function deliverAtOnce(event: StoredEvent) {
    for (const listener of unordered) {
      try {
        listener(event)
      } catch (error) {
        onError(error, event)
      }
    }
  }

  async function deliver(event: StoredEvent) {
    for (const listener of listeners) {
      try {
        await listener(event)
      } catch (error) {
        onError(error, event)
      }
    }
  }

  /** Keeps events that are about to be delivered, together with those before them. */
  function keep(found: readonly StoredEvent[], now: number) {
    const isSequel = recent && now - recent.at < RECENT_MS && recent.events.length + found.length <= MAX_RECENT
    recent =
      recent && isSequel
        ? { after: recent.after, events: [...recent.events, ...found], at: now }
        : { after: cursor, events: found, at: now }
  }

  function deliverEarly(found: readonly StoredEvent[]) {
    const now = Date.now()
    for (const event of found) {
      if (early.has(event.cursor)) continue
      early.set(event.cursor, now)
      deliverAtOnce(event)
    }
  }

  /** Delivers the early events that a batch did not hold, however many there are. Reads each of them once. */
  async function drainEarly() {
    let next: string | undefined
    for (let after = cursor; ; ) {
      const found = await events.list({ after, seen, limit: BATCH })
      const committed = [...found.events, ...found.early]
      // Events that are committed during the round can precede its last page, so the next round begins at its first page.
      next ??= found.seen
      deliverEarly(committed)
      after = committed.at(-1)?.cursor ?? after
      if (committed.length < BATCH) break
    }
    seen = next ?? seen
  }

  async function drain() {
    for (;;) {
      const found = await events.list({ after: cursor, limit: BATCH })
      const now = Date.now()
      for (const event of found.events) if (!early.delete(event.cursor)) deliverAtOnce(event)
      deliverEarly(found.early)
      if (found.events.length > 0) keep(found.events, now)
      else if (recent && now - recent.at >= RECENT_MS) recent = undefined
      for (const event of found.events) {
        cursor = event.cursor
        await deliver(event)
      }
      if (found.events.length > 0) retryMs = FIRST_RETRY_MS
      const isFull = found.events.length + found.early.length >= BATCH
      if (found.early.length === 0) seen = undefined
      else if (isFull) await drainEarly()
      if (!isFull || found.early.length > 0) return
    }
  }

  const heldBackMs = () => {
    const [oldest] = early.values()
    return oldest === undefined ? 0 : Date.now() - oldest
  }

  function warnWhenHeldBack() {
    const ms = heldBackMs()
    if (ms < warnAfterMs) isHeldBack = false
    else if (!isHeldBack) {
      isHeldBack = true
      onHeldBack?.(ms)
    }
  }

  /** The pause before the log is read again: short while events wait to be settled. */
  function nextPauseMs(): number {
    if (early.size === 0) return pollIntervalMs
    const pause = Math.min(retryMs, pollIntervalMs)
    retryMs *= 2
    return pause
  }

  const loop = createTaskLoop(async () => {
    try {
      await drain()
      seenAt = Date.now()
      isFailing = false
      warnWhenHeldBack()
    } catch (error) {
      // The log is polled several times a second: logging each failure would flood the log during an outage.
      if (running && !isFailing) onError(error)
      isFailing = true
    }
    return nextPauseMs()
  })

  const silentMs = () => (running ? Date.now() - seenAt : Number.POSITIVE_INFINITY)

  return {
    async start() {
      if (running) return
      cursor = await events.head()
      early.clear()
      seen = undefined
      recent = undefined
      seenAt = Date.now()
      running = true
      unwatch = await watch?.(loop.wake)
      loop.start()
    },
    async stop() {
      running = false
      await unwatch?.()
      await loop.stop()
    },
    wake: loop.wake,
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    listenUnordered(listener) {
      unordered.add(listener)
      return () => void unordered.delete(listener)
    },
    cursor: () => (running ? cursor : undefined),
    recentAfter(after, limit) {
      if (!running || !recent) return undefined
      const start = after === recent.after ? 0 : recent.events.findIndex((event) => event.cursor === after) + 1
      if (start === 0 && after !== recent.after) return undefined
      return recent.events.slice(start, start + limit)
    },
    isCurrent: () => silentMs() < pollIntervalMs * MISSED_POLLS,
    silentMs,
    heldBackMs: () => (running ? heldBackMs() : 0),
  }
}
