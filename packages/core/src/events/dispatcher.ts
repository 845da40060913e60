import type { EventReader, StoredEvent } from './store.ts'

export type EventListener = (event: StoredEvent) => void | Promise<void>

export interface Dispatcher {
  /** Starts to tail the log from its present end. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Looks at the log soon. */
  wake(): void
  /** Calls a listener for each event from now on, in order; returns how to stop. */
  listen(listener: EventListener): () => void
  /** How far the log was read; undefined while it is not followed. */
  position(): number | undefined
  /** Whether the log was seen within the last moments, so that what was not announced has not happened. */
  isCurrent(): boolean
  /** How many milliseconds ago the log was last read to its end; infinite while it is not followed. */
  silentMs(): number
}

export interface DispatcherOptions {
  readonly events: EventReader
  readonly watch?: ((wake: () => void) => Promise<() => Promise<void>>) | undefined
  readonly onError: (error: unknown, event?: StoredEvent) => void
  /** How often to look when nothing wakes us. */
  readonly pollMs?: number
}

const BATCH = 500
/** After this many missed polls we no longer know what others did. */
const MISSED_POLLS = 5

/**
 * Tails the event log and calls live listeners after commit. A listener that fails is reported and does not keep the
 * others from hearing.
 */
export function createDispatcher({ events, watch, onError, pollMs = 400 }: DispatcherOptions): Dispatcher {
  const listeners = new Set<EventListener>()
  let position = 0
  let seenAt = 0
  let running = false
  let isFailing = false
  let pending = false
  let timer: NodeJS.Timeout | undefined
  let turn: Promise<void> | undefined
  let unwatch: (() => Promise<void>) | undefined

  async function drain() {
    for (;;) {
      const batch = await events.list({ after: position, limit: BATCH })
      for (const event of batch) {
        position = event.position
        for (const listener of listeners) {
          try {
            await listener(event)
          } catch (error) {
            onError(error, event)
          }
        }
      }
      if (batch.length < BATCH) return
    }
  }

  async function run() {
    do {
      pending = false
      try {
        await drain()
        seenAt = Date.now()
        isFailing = false
      } catch (error) {
        // Polled several times a second, a database that is down would fill the log.
        if (running && !isFailing) onError(error)
        isFailing = true
      }
    } while (pending && running)
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
      if (running) timer = setTimeout(wake, pollMs).unref()
    })
  }

  const silentMs = () => (running ? Date.now() - seenAt : Number.POSITIVE_INFINITY)

  return {
    async start() {
      if (running) return
      position = await events.head()
      seenAt = Date.now()
      running = true
      unwatch = await watch?.(wake)
      wake()
    },
    async stop() {
      running = false
      clearTimeout(timer)
      await unwatch?.()
      await turn
    },
    wake,
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    position: () => (running ? position : undefined),
    isCurrent: () => silentMs() < pollMs * MISSED_POLLS,
    silentMs,
  }
}
