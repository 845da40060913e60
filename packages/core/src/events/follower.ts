import { randomUUID } from 'node:crypto'
import type { Write } from '../storage/guard.ts'
import type { EventReader, StoredEvent } from './store.ts'

/** How a follower begins. */
export interface FollowOptions {
  /** Where a follower of a new name begins: at the next event (default), or at the oldest that is kept. */
  readonly from?: 'now' | 'start' | undefined
}

export interface FollowerDeps {
  readonly events: EventReader
  readonly write: Write
  readonly onError: (error: unknown, event?: StoredEvent) => void
  /** Where a new name begins; the end of the log, as the follower first sees it, unless told. */
  readonly start?: number | undefined
  /** How long a process may be silent before another takes its place. */
  readonly leaseMs?: number
  /** How long to wait after a failure of the handler before the event is tried again. */
  readonly retryMs?: number
}

const BATCH = 100

/**
 * A durable consumer of the log: one process at a time works under its name, from where the last one stopped. Each
 * event is handed over at least once and in order; a handler that throws gets the same event again.
 */
export function createFollower(
  name: string,
  handle: (event: StoredEvent) => void | Promise<void>,
  { events, write, onError, start, leaseMs = 30_000, retryMs = 1_000 }: FollowerDeps,
) {
  const follower = { name, holder: randomUUID() }
  let begin = start
  let held = false
  let running = false
  let pending = false
  let timer: NodeJS.Timeout | undefined
  let turn: Promise<void> | undefined

  async function lease() {
    begin ??= await events.head()
    const options = { leaseMs, start: begin }
    const position = await write((tx) => tx.events.lease(follower, options))
    held = position !== undefined
    return position
  }

  /** Hands events over until one fails, the lease is lost or we stop; tells how far it came. */
  async function handOver(batch: readonly StoredEvent[]) {
    let reached: number | undefined
    for (const event of batch) {
      if (!running || !held) return { reached, whole: false }
      try {
        await handle(event)
      } catch (error) {
        onError(error, event)
        return { reached, whole: false }
      }
      reached = event.position
    }
    return { reached, whole: true }
  }

  /** Works until nothing is left; false when it should come back sooner than for the next event. */
  async function work(): Promise<boolean> {
    for (;;) {
      const position = await lease()
      if (position === undefined) return false
      const batch = await events.list({ after: position, limit: BATCH })
      if (batch.length === 0) return true
      const { reached, whole } = await handOver(batch)
      if (reached !== undefined) held = await write((tx) => tx.events.advance(follower, reached))
      if (!whole) return false
    }
  }

  async function run() {
    let done = true
    // A handler may take longer than the lease lasts.
    let renewal: Promise<unknown> | undefined
    const renewing = setInterval(() => {
      renewal = lease().catch(onError)
    }, leaseMs / 3)
    do {
      pending = false
      try {
        done = await work()
      } catch (error) {
        done = false
        if (running) onError(error)
      }
    } while (pending && running && done)
    clearInterval(renewing)
    await renewal
    if (running) timer = setTimeout(wake, done ? leaseMs / 3 : retryMs).unref()
  }

  function wake() {
    if (!running) return
    if (turn) {
      pending = true
      return
    }
    clearTimeout(timer)
    turn = run().finally(() => {
      turn = undefined
      if (pending) wake()
    })
  }

  return {
    start() {
      running = true
      wake()
    },
    async stop() {
      running = false
      clearTimeout(timer)
      await turn
      if (held) await write((tx) => tx.events.lease(follower, { leaseMs: 0, start: 0 })).catch(onError)
      held = false
    },
    wake,
  }
}

export type Follower = ReturnType<typeof createFollower>
