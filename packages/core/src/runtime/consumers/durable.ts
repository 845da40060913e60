import { randomUUID } from 'node:crypto'
import { createTaskLoop } from '../../kernel/task-loop.ts'
import { compareCursors, type EventReader, LOG_START, type StoredEvent } from '../../ports/storage/events.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import type { Emit } from '../events/define-event.ts'
import type { Write } from '../storage/guard.ts'
import { requireGroup } from '../storage/require-group.ts'

export interface DurableDeps {
  readonly events: EventReader
  readonly write: Write
  readonly onError: (error: unknown, event?: StoredEvent) => void
  /**
   * The cursor of the last event that is known to this process; a consumer that has handled it does not read the log.
   * Default: unknown.
   */
  readonly latest?: (() => string | undefined) | undefined
  /**
   * The types of the events that a handler function gets. The cursor moves past others without a transaction for each.
   * Default: all.
   */
  readonly types?: ReadonlySet<string> | undefined
  /** Where a new name starts. Default: the end of the log when the consumer first leases its name. */
  readonly start?: string | undefined
  /** How long a process may be silent before another one takes over. Default: 30 seconds. */
  readonly leaseMs?: number
  /** The pause before a failed event is retried. Default: 1 second. */
  readonly retryMs?: number
}

const BATCH = 100
/** The interval at which the position is stored while handlers have nothing to store. */
const SAVE_MS = 5_000
/** The interval at which the failures of an outage are reported. */
const REPORT_MS = 60_000

/** Stores what events cause in the transaction that moves the cursor past them, so each is handled exactly once. */
export interface TransactionalHandler {
  /**
   * Reads what is needed to handle the events, and returns a function that stores the result; undefined when there is
   * nothing to store. Called again for such events if the process ends within the next seconds.
   *
   * @param signal - aborted when the consumer stops; long work then throws, and its events are handled again later
   * @param after - the cursor before the first event
   */
  prepare(
    events: readonly StoredEvent[],
    signal: AbortSignal,
    after: string,
  ): Promise<((tx: Stores<'followers'>, emit: Emit) => Promise<void>) | undefined>
  /** Called after the commit, when something was stored. */
  stored?(): void
  /**
   * Called when this process got the lease, before the first events. Called again after it threw.
   *
   * @param cursor - the last event that was handled
   */
  leased?(cursor: string): Promise<void>
  /** Called when another process may have the lease. */
  lost?(): void
  /**
   * The cursor before the first event that the handler still works on after `prepare` has ended; undefined when there is none.
   * The stored cursor does not move past it, so the next process gets these events again. For handlers that store nothing.
   */
  pendingSince?(): string | undefined
}

/**
 * Creates a durable consumer of the log. One process at a time runs it, starting where the last one stopped. Each event is
 * delivered at least once and in order; a handler that throws gets the same event again. A {@link TransactionalHandler}
 * gets batches.
 */
export function createDurableConsumer(
  name: string,
  handle: ((event: StoredEvent) => void | Promise<void>) | TransactionalHandler,
  { events, write, onError, latest, types, start, leaseMs = 30_000, retryMs = 1_000 }: DurableDeps,
) {
  const lessee = { name, holder: randomUUID() }
  let begin = start
  let isHeld = false
  let leasedAt = Number.NEGATIVE_INFINITY
  /** When another process was last found to hold the lease. */
  let refusedAt = Number.NEGATIVE_INFINITY
  /** Where the next batch begins. No other process moves the cursor while the lease is held. */
  let position: string | undefined
  /** The stored cursor. It is older than the position after events of which there was nothing to store. */
  let stored: string | undefined
  let storedAt = Number.NEGATIVE_INFINITY
  /** Whether the handler knows of the lease. */
  let isAnnounced = false
  let wasLost = false
  /** When a failed turn was last reported; undefined after one that succeeded. */
  let reportedAt: number | undefined

  /** The pending move of the stored cursor to the position, or to what is handled; undefined when there is none. */
  function arrears() {
    if (position === undefined || stored === undefined || position === stored) return undefined
    const pending = typeof handle === 'function' ? undefined : handle.pendingSince?.()
    if (pending !== undefined && compareCursors(pending, stored) <= 0) return undefined
    return { from: stored, to: pending ?? position, position }
  }

  async function lease(): Promise<void> {
    begin ??= await events.head()
    const options = { leaseMs, start: begin }
    const now = performance.now()
    const cursor = await write((tx) => requireGroup(tx, 'followers').followers.lease(lessee, options))
    isHeld = cursor !== undefined
    // A renewal keeps the position: it may run while a batch is being handled.
    if (!isHeld) {
      position = undefined
      wasLost = true
      refusedAt = now
    } else if (position === undefined) {
      position = stored = cursor
      storedAt = now
    }
    if (isHeld) leasedAt = now
  }

  /** The position, with a lease that was renewed lately; undefined when another process holds the lease. */
  async function leasedPosition(): Promise<string | undefined> {
    const now = performance.now()
    const behind = arrears()
    if (behind && now - storedAt >= SAVE_MS) await advance(behind)
    // Events wake the consumers of all processes, and those without the lease would ask for it at each of them.
    if (!isHeld && now - refusedAt < retryMs) return undefined
    if (position === undefined || now - leasedAt >= leaseMs / 3) await lease()
    return position
  }

  /** Moves the stored cursor, in a transaction that can store more; false when the lease is lost or it was moved before. */
  async function advance(
    move: { readonly from: string; readonly to: string; readonly position?: string | undefined },
    store?: (tx: Stores<'followers'>, emit: Emit) => Promise<void>,
  ) {
    isHeld = await write(async (tx, emit) => {
      const stores = requireGroup(tx, 'followers')
      const isMoved = await stores.followers.advance(lessee, move)
      if (isMoved) await store?.(stores, emit)
      return isMoved
    })
    wasLost ||= !isHeld
    stored = isHeld ? move.to : undefined
    position = isHeld ? (move.position ?? move.to) : undefined
    storedAt = performance.now()
    return isHeld
  }

  /**
   * Delivers events until one fails, the lease is lost or the consumer stops, and moves the cursor past them. Returns false
   * when it should run again before the next event.
   */
  async function handOver(
    batch: readonly StoredEvent[],
    handle: (event: StoredEvent) => void | Promise<void>,
    after: string,
    signal: AbortSignal,
  ): Promise<boolean> {
    // A renewal may lose the lease while a handler runs, and the next one get it back with a later cursor.
    const from = stored ?? after
    let reached: string | undefined
    let isHandled = false
    let isWhole = true
    for (const event of batch) {
      isWhole = !signal.aborted && position === after
      if (isWhole && (types?.has(event.type) ?? true)) {
        isHandled = true
        isWhole = await attempt(handle, event)
      }
      if (!isWhole) break
      reached = event.cursor
    }
    if (reached === undefined) return isWhole
    if (isHandled) await advance({ from, to: reached })
    else if (position === after) position = reached
    return isWhole
  }

  async function attempt(handle: (event: StoredEvent) => void | Promise<void>, event: StoredEvent): Promise<boolean> {
    try {
      await handle(event)
      return true
    } catch (error) {
      onError(error, event)
      return false
    }
  }

  /** Stores the result of a batch together with the cursor, if there is one; false when the lease is lost. */
  async function storeBatch(
    batch: readonly StoredEvent[],
    handler: TransactionalHandler,
    { after, to }: { readonly after: string; readonly to: string },
    signal: AbortSignal,
  ): Promise<boolean> {
    const from = stored ?? after
    const store = await handler.prepare(batch, signal, after)
    if (!store) {
      if (position === after) position = to
      return isHeld
    }
    const isStored = await advance({ from, to }, store)
    if (isStored) handler.stored?.()
    return isStored
  }

  /** Calls a transactional handler when the lease was acquired or lost. */
  async function announce(cursor: string | undefined): Promise<void> {
    if (typeof handle === 'function') return
    if (isAnnounced && wasLost) {
      isAnnounced = false
      handle.lost?.()
    }
    if (cursor === undefined || isAnnounced) return
    await handle.leased?.(cursor)
    isAnnounced = true
    wasLost = false
  }

  /** Handles all available events; false when it should run again before the next event. */
  async function work(signal: AbortSignal): Promise<boolean> {
    for (;;) {
      const after = await leasedPosition()
      await announce(after)
      if (after === undefined) return false
      if (after === latest?.()) return true
      const { events: batch } = await events.list({ after, limit: BATCH })
      const last = batch.at(-1)
      if (!last) return true
      if (typeof handle === 'function') {
        if (!(await handOver(batch, handle, after, signal))) return false
      } else {
        const move = { after, to: last.cursor }
        if (signal.aborted || !(await storeBatch(batch, handle, move, signal))) return false
      }
      // An event that is committed from here on wakes the consumer again.
      if (batch.length < BATCH) return true
    }
  }

  async function turn(signal: AbortSignal): Promise<number> {
    // A handler may take longer than the lease lasts.
    let renewal: Promise<unknown> | undefined
    let hasFailed = false
    const renewing = setInterval(() => {
      renewal = lease().catch(onError)
    }, leaseMs / 3)
    try {
      const isDone = await work(signal)
      reportedAt = undefined
      if (!isDone) return retryMs
      return arrears() ? SAVE_MS : leaseMs / 3
    } catch (error) {
      hasFailed = true
      const now = performance.now()
      if (!signal.aborted && now - (reportedAt ?? Number.NEGATIVE_INFINITY) >= REPORT_MS) {
        onError(error)
        reportedAt = now
      }
      return retryMs
    } finally {
      clearInterval(renewing)
      await renewal
      // Whether the cursor was stored is unknown: the next lease reads it.
      if (hasFailed) position = undefined
    }
  }

  const loop = createTaskLoop(turn)
  return {
    start: loop.start,
    wake: loop.wake,
    async stop() {
      await loop.stop()
      if (isHeld)
        await write(async (tx) => {
          const { followers } = requireGroup(tx, 'followers')
          const behind = arrears()
          if (behind) await followers.advance(lessee, behind)
          await followers.lease(lessee, { leaseMs: 0, start: LOG_START })
        }).catch(onError)
      isHeld = false
    },
  }
}

export type DurableConsumer = ReturnType<typeof createDurableConsumer>
