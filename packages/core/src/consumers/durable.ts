import { randomUUID } from 'node:crypto'
import type { Emit } from '../events/define-event.ts'
import { createTaskLoop } from '../kernel/task-loop.ts'
import { type EventReader, LOG_START, type StoredEvent } from '../ports/storage/events.ts'
import type { Stores } from '../ports/storage/storage.ts'
import type { Write } from '../storage/guard.ts'
import { requireGroup } from '../storage/require-group.ts'

export interface DurableDeps {
  readonly events: EventReader
  readonly write: Write
  readonly onError: (error: unknown, event?: StoredEvent) => void
  /** Where a new name starts. Default: the end of the log when the consumer first leases its name. */
  readonly start?: string | undefined
  /** How long a process may be silent before another one takes over. Default: 30 seconds. */
  readonly leaseMs?: number
  /** The pause before a failed event is retried. Default: 1 second. */
  readonly retryMs?: number
}

const BATCH = 100

/** Handles events in the transaction that moves the cursor past them, so each is handled exactly once. */
export interface TransactionalHandler {
  /**
   * Reads what is needed to handle the events, and returns a function that stores the result; undefined when there is
   * nothing to store.
   */
  prepare(events: readonly StoredEvent[]): Promise<((tx: Stores<'followers'>, emit: Emit) => Promise<void>) | undefined>
  /** Called after the commit, when something was stored. */
  stored?(): void
}

/**
 * Creates a durable consumer of the log. One process at a time runs it, starting where the last one stopped. Each event is
 * delivered at least once and in order; a handler that throws gets the same event again. A {@link TransactionalHandler}
 * gets batches.
 */
export function createDurableConsumer(
  name: string,
  handle: ((event: StoredEvent) => void | Promise<void>) | TransactionalHandler,
  { events, write, onError, start, leaseMs = 30_000, retryMs = 1_000 }: DurableDeps,
) {
  const lessee = { name, holder: randomUUID() }
  let begin = start
  let isHeld = false
  let leasedAt = Number.NEGATIVE_INFINITY
  /** Where the next batch begins: the stored cursor, which no other process moves while the lease is held. */
  let position: string | undefined

  async function lease(): Promise<void> {
    begin ??= await events.head()
    const options = { leaseMs, start: begin }
    const now = performance.now()
    const cursor = await write((tx) => requireGroup(tx, 'followers').followers.lease(lessee, options))
    isHeld = cursor !== undefined
    // A renewal keeps the position: it may run while a batch is being handled.
    position = isHeld ? (position ?? cursor) : undefined
    if (isHeld) leasedAt = now
  }

  /** The position, with a lease that was renewed lately; undefined when another process holds the lease. */
  async function leasedPosition(): Promise<string | undefined> {
    if (position === undefined || performance.now() - leasedAt >= leaseMs / 3) await lease()
    return position
  }

  /** Moves the stored cursor, in a transaction that can store more; false when the lease is lost or it was moved before. */
  async function advance(
    move: { readonly from: string; readonly to: string },
    store?: (tx: Stores<'followers'>, emit: Emit) => Promise<void>,
  ) {
    isHeld = await write(async (tx, emit) => {
      const stores = requireGroup(tx, 'followers')
      const isMoved = await stores.followers.advance(lessee, move)
      if (isMoved) await store?.(stores, emit)
      return isMoved
    })
    position = isHeld ? move.to : undefined
    return isHeld
  }

  /** Delivers events until one fails, the lease is lost or the consumer stops. Returns the last cursor. */
  async function handOver(
    batch: readonly StoredEvent[],
    handle: (event: StoredEvent) => void | Promise<void>,
    signal: AbortSignal,
  ) {
    let reached: string | undefined
    for (const event of batch) {
      if (signal.aborted || !isHeld) return { reached, whole: false }
      try {
        await handle(event)
      } catch (error) {
        onError(error, event)
        return { reached, whole: false }
      }
      reached = event.cursor
    }
    return { reached, whole: true }
  }

  /** Stores the result of a batch together with the cursor; false when the lease is lost. */
  async function storeBatch(
    from: string,
    batch: readonly StoredEvent[],
    handler: TransactionalHandler,
  ): Promise<boolean> {
    const store = await handler.prepare(batch)
    const isStored = await advance({ from, to: batch.at(-1)?.cursor ?? from }, store)
    if (isStored && store) handler.stored?.()
    return isStored
  }

  /** Handles all available events; false when it should run again before the next event. */
  async function work(signal: AbortSignal): Promise<boolean> {
    for (;;) {
      const after = await leasedPosition()
      if (after === undefined) return false
      const { events: batch } = await events.list({ after, limit: BATCH })
      if (batch.length === 0) return true
      if (typeof handle !== 'function') {
        if (signal.aborted || !(await storeBatch(after, batch, handle))) return false
      } else {
        const { reached, whole } = await handOver(batch, handle, signal)
        if (reached !== undefined) await advance({ from: after, to: reached })
        if (!whole) return false
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
      return (await work(signal)) ? leaseMs / 3 : retryMs
    } catch (error) {
      hasFailed = true
      if (!signal.aborted) onError(error)
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
        await write((tx) =>
          requireGroup(tx, 'followers').followers.lease(lessee, { leaseMs: 0, start: LOG_START }),
        ).catch(onError)
      isHeld = false
    },
  }
}

export type DurableConsumer = ReturnType<typeof createDurableConsumer>
