import { setTimeout as sleep } from 'node:timers/promises'

export interface SharedWork<Result> {
  /**
   * Returns the running work of a key, or starts it with `begin`. It runs while a caller with an active signal waits for it, and to
   * its end if a caller has no signal.
   *
   * @throws the reason of the signal as soon as it aborts; the error of the work
   */
  join(key: string, begin: (signal: AbortSignal) => Promise<Result>, signal?: AbortSignal): Promise<Result>
  /** The number of running pieces of work. */
  count(): number
  /** Aborts all work, and waits briefly for it to end. */
  stop(reason: unknown): Promise<void>
}

/** How long a stop waits for work that ignores its signal. */
const GRACE_MS = 2_000

interface Piece<Result> {
  readonly result: Promise<Result>
  readonly ending: AbortController
  wanted: number
}

/** Runs the same work once for all concurrent callers. */
export function createSharedWork<Result>({ graceMs = GRACE_MS } = {}): SharedWork<Result> {
  const pieces = new Map<string, Piece<Result>>()

  function start(key: string, begin: (signal: AbortSignal) => Promise<Result>): Piece<Result> {
    const ending = new AbortController()
    const result = begin(ending.signal).finally(() => {
      if (pieces.get(key) === piece) pieces.delete(key)
    })
    // All callers may have aborted.
    result.catch(() => {})
    const piece = { result, ending, wanted: 0 }
    pieces.set(key, piece)
    return piece
  }

  return {
    async join(key, begin, signal) {
      signal?.throwIfAborted()
      const piece = pieces.get(key) ?? start(key, begin)
      piece.wanted += 1
      if (!signal) return piece.result
      const left = Promise.withResolvers<never>()
      const leave = () => {
        piece.wanted -= 1
        if (piece.wanted === 0) {
          // A later caller starts it again.
          if (pieces.get(key) === piece) pieces.delete(key)
          piece.ending.abort(signal.reason)
        }
        left.reject(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      return Promise.race([piece.result, left.promise]).finally(() => signal.removeEventListener('abort', leave))
    },
    count: () => pieces.size,
    async stop(reason) {
      const all = [...pieces.values()]
      for (const { ending } of all) ending.abort(reason)
      const ended = Promise.allSettled(all.map(({ result }) => result))
      await Promise.race([ended, sleep(graceMs, undefined, { ref: false })])
    },
  }
}
