import type { RateLimitHit, RateLimitStore } from '../../ports/rate-limit-store.ts'
import { memoryRateLimits } from './memory-rate-limits.ts'
import { createWindowTable } from './window-table.ts'

/** How often local counts are sent to the shared store. */
const SYNC_EVERY_MS = 200
/** After a failure the shared store is not used for this long, so that requests do not wait for it one by one. */
const PAUSE_MS = 1_000
/** About 20 MB. A key that was dropped is read back from the store with its next request. */
const MAX_KEYS = 100_000
/** How many keys one statement takes; more follow immediately in the next one. */
const MAX_BATCH = 2_000
/** From here to its limit a key is counted by the store, request by request. */
const EXACT_SHARE = 0.1

/** The limit of a key, and whether each of its requests is counted by the store before it is handled. */
export interface CountedLimit {
  readonly limit: number
  readonly exact: boolean
}

export interface LocalRateLimits {
  /** Adds one hit in the shared store and returns its answer; counts in this process while the store fails. */
  hit: RateLimitStore['hit']
  /**
   * Counts a request in this process and synchronizes with the shared store every 200 ms. Near the limit, and where
   * `exact` is set, the store counts each request. Requests that other instances receive within one interval are not
   * known here, so all instances together may exceed a limit by that many.
   */
  count(key: string, windowMs: number, limit: CountedLimit): RateLimitHit | Promise<RateLimitHit>
  /**
   * Takes one hit of a key with an exact limit back; in this process alone while the shared store fails. Resolves to false
   * when the store cannot do so.
   */
  giveBack(key: string, windowMs: number): Promise<boolean>
  /** Sends what was not sent yet and closes the store. */
  close(): Promise<void>
}

/** The count of a key in one window is the sum of `known`, `sent` and `pending`. */
interface Counter {
  readonly key: string
  readonly windowMs: number
  /** What the store answered last, hits of other instances included. */
  known: number
  /** Sent to the store, which has not answered yet. */
  sent: number
  pending: number
  /** What this process counted in the window. */
  own: number
  resetAtMs: number
  /** Whether `resetAtMs` comes from the store. */
  isConfirmed: boolean
}

/**
 * Counts requests locally and shares the counts with other instances through a store.
 *
 * Counting each request in the store would make a cached read wait for a write transaction on one hot row.
 *
 * @param shared - where instances count together; without it every request is counted in this process alone
 * @param onError - called once when an outage of the store begins
 */
export function localRateLimits(
  shared: RateLimitStore | undefined,
  onError: (error: unknown) => void = () => {},
): LocalRateLimits {
  const here = memoryRateLimits()
  if (!shared) {
    return {
      hit: here.hit,
      count: here.hit,
      async giveBack(key, windowMs) {
        here.giveBack(key, windowMs)
        return true
      },
      close: async () => {},
    }
  }

  const counters = createWindowTable<Counter>(
    MAX_KEYS,
    (key, windowMs, nowMs) =>
      // Reuse an evicted counter that has not been flushed, so a batch never has the same key twice.
      running(unsent.get(key), nowMs) ?? {
        key,
        windowMs,
        known: 0,
        sent: 0,
        pending: 0,
        own: 0,
        resetAtMs: nowMs + windowMs,
        isConfirmed: false,
      },
  )
  const unsent = new Map<string, Counter>()
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined
  let isFailing = false
  let isClosed = false
  let askAgainAt = Number.NEGATIVE_INFINITY

  const isPaused = () => performance.now() < askAgainAt

  function fail(error: unknown): void {
    if (!isFailing) onError(error)
    isFailing = true
    askAgainAt = performance.now() + PAUSE_MS
  }

  function take(counter: Counter): number {
    const hits = counter.pending
    counter.pending = 0
    counter.sent += hits
    return hits
  }

  function learn(counter: Counter, hits: number, { count, resetAtMs }: RateLimitHit): void {
    counter.sent -= hits
    // The store may see a window end some milliseconds before this process does.
    const isNextWindow = resetAtMs - counter.resetAtMs > counter.windowMs / 2
    // Answers may overtake each other, and within a window counts only grow.
    counter.known = isNextWindow ? count : Math.max(counter.known, count)
    if (isNextWindow) counter.own = hits + counter.sent + counter.pending
    if (isNextWindow || !counter.isConfirmed) counter.resetAtMs = resetAtMs
    counter.isConfirmed = true
  }

  /** Keeps hits that the store may have counted or not. They are not sent again: other instances do not count them. */
  function lose(counter: Counter, hits: number): void {
    counter.sent -= hits
    counter.known += hits
  }

  /** Sends counters in one batch, and returns the answers of the store; undefined when it failed. */
  async function send(store: RateLimitStore, batch: readonly Counter[]) {
    const hits = batch.map(take)
    try {
      const answers = await store.hitMany(
        batch.map(({ key, windowMs }, index) => ({ key, windowMs, hits: hits[index] ?? 0 })),
      )
      if (answers.length !== batch.length)
        throw new Error('The rate limit store returned results for keys that were not requested')
      batch.forEach((counter, index) => {
        learn(counter, hits[index] ?? 0, answers[index] as RateLimitHit)
      })
      isFailing = false
      return answers
    } catch (error) {
      batch.forEach((counter, index) => {
        lose(counter, hits[index] ?? 0)
      })
      fail(error)
      return undefined
    }
  }

  async function sendUnsent(store: RateLimitStore): Promise<void> {
    const now = Date.now()
    const batch: Counter[] = []
    for (const [key, counter] of unsent) {
      if (batch.length === MAX_BATCH) break
      unsent.delete(key)
      // Skip expired windows, and counters that `ask` has sent.
      if (counter.pending > 0 && counter.resetAtMs > now) batch.push(counter)
    }
    if (batch.length > 0) await send(store, batch)
  }

  function sync(): void {
    timer = undefined
    if (!shared || unsent.size === 0) return
    if (isPaused()) {
      schedule(askAgainAt - performance.now())
      return
    }
    sending = sendUnsent(shared).then(() => {
      sending = undefined
      if (unsent.size > 0) schedule(unsent.size < MAX_BATCH ? SYNC_EVERY_MS : 0)
    })
  }

  function schedule(afterMs = SYNC_EVERY_MS): void {
    if (timer || sending || isClosed) return
    timer = setTimeout(sync, afterMs).unref()
  }

  const stateOf = ({ known, sent, pending, resetAtMs }: Counter): RateLimitHit => ({
    count: known + sent + pending,
    resetAtMs,
  })

  async function ask(store: RateLimitStore, counter: Counter, position: number): Promise<RateLimitHit> {
    const answers = await send(store, [counter])
    const count = answers?.[0]?.count ?? stateOf(counter).count
    // Local counts go to the store in one batch, which later requests may overtake on another connection.
    return { count: Math.max(count, Math.min(position, counter.own)), resetAtMs: counter.resetAtMs }
  }

  return {
    async hit(key, windowMs) {
      if (isPaused()) return here.hit(key, windowMs)
      try {
        const counted = await shared.hit(key, windowMs)
        isFailing = false
        return counted
      } catch (error) {
        fail(error)
        return here.hit(key, windowMs)
      }
    },

    count(key, windowMs, { limit, exact }) {
      const counter = counters.get(key, windowMs)
      counter.pending += 1
      counter.own += 1
      const state = stateOf(counter)
      const isNear = exact || limit - state.count <= limit * EXACT_SHARE
      // A key over the limit stays over it until the window ends, so the store is not asked.
      if (isNear && counter.known < limit && !isPaused()) return ask(shared, counter, exact ? 0 : counter.own)
      unsent.set(key, counter)
      schedule()
      return state
    },

    async giveBack(key, windowMs) {
      if (!shared.giveBack) return false
      const counter = counters.get(key, windowMs)
      if (!isPaused()) {
        try {
          await shared.giveBack(key, windowMs)
        } catch (error) {
          fail(error)
        }
      }
      counter.known = Math.max(0, counter.known - 1)
      counter.own = Math.max(0, counter.own - 1)
      return true
    },

    async close() {
      isClosed = true
      clearTimeout(timer)
      await sending
      while (unsent.size > 0 && !isPaused()) await sendUnsent(shared)
      await shared.close?.()
    },
  }
}

const running = (counter: Counter | undefined, nowMs: number): Counter | undefined =>
  counter && counter.resetAtMs > nowMs ? counter : undefined
