import { randomUUID } from 'node:crypto'
import type { EventReader, StoredEvent } from './store.ts'
import type { Write } from '../storage/guard.ts'

export interface FollowOptions {
  /** Where a follower of a new name begins: at the next event (default), or at the oldest that is kept. */
  readonly from?: 'now' | 'start' | undefined
}

export interface FollowerDeps {
  readonly events: EventReader
  readonly write: Write
  readonly onError: (error: unknown, event?: StoredEvent) => void
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
  { events, write, onError, leaseMs = 30_000, retryMs = 1_000 }: FollowerDeps,
  { from = 'now' }: FollowOptions = {},
) {
  const follower = { name, holder: randomUUID() }
  let running = false
  let pending = false
  let timer: NodeJS.Timeout | undefined
  let turn: Promise<void> | undefined

  const lease = async () => {
    const start = from === 'start' ? 0 : await events.head()
    return write((tx) => tx.events.lease(follower, { leaseMs, start }))
  }

  /** Works until nothing is left; false when it should come back later. */
  async function work(): Promise<boolean> {
    for (;;) {
      const position = await lease()
      if (position === undefined) return false
      const batch = await events.list({ after: position, limit: BATCH })
      if (batch.length === 0) return true
      let reached = position
      try {
        for (const event of batch) {
          if (!running) break
          try {
            await handle(event)
          } catch (error) {
            onError(error, event)
            return false
          }
          reached = event.position
        }
      } finally {
        if (reached > position) await write((tx) => tx.events.advance(follower, reached))
      }
      if (!running) return true
    }
  }

  async function run() {
    let done = true
    do {
      pending = false
      try {
        done = await work()
      } catch (error) {
        done = false
        if (running) onError(error)
      }
    } while (pending && running && done)
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
    },
    wake,
  }
}

export type Follower = ReturnType<typeof createFollower>
