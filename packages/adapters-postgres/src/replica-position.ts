/** A position in the write-ahead log, in bytes. */
export type LogPosition = bigint

export interface ReplicaPositionOptions {
  /** Returns the position of the primary: all that is committed now comes before it. */
  readonly primary: () => Promise<LogPosition>
  /** Returns the position up to which the replica has replayed the log. */
  readonly replica: () => Promise<LogPosition>
  /** How long a read waits for the replica. Default: 100 ms. */
  readonly waitMs?: number | undefined
  /** How long reads go to the primary after the replica failed or was too slow. Default: 1 second. */
  readonly pauseMs?: number | undefined
}

/** Decides whether a read may go to a replica. */
export interface ReplicaPosition {
  /**
   * Waits until the replica has replayed everything that was committed before this call. Returns false when the read must go
   * to the primary: the replica lags too far or cannot be reached.
   */
  hasCaughtUp(): Promise<boolean>
  /** Sends reads to the primary for a while, because the replica failed. */
  pause(): void
}

/** The first pause between two looks at the replica; each further one is twice as long. */
const FIRST_LOOK_MS = 1
const MAX_LOOK_MS = 16

const after = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/**
 * Compares the position of a primary with that of its replica. Reads that wait at the same time share the queries of both, so
 * their number does not grow with the number of reads.
 */
export function createReplicaPosition({
  primary,
  replica,
  waitMs = 100,
  pauseMs = 1_000,
}: ReplicaPositionOptions): ReplicaPosition {
  let replayed: LogPosition = -1n
  let pausedUntil = Number.NEGATIVE_INFINITY
  const pause = () => {
    pausedUntil = performance.now() + pauseMs
  }

  // A query that has begun may return a position from before the call, so later callers share the next one.
  const positionNow = shareNext(primary)
  const look = shareNext(async () => {
    const position = await replica()
    if (position > replayed) replayed = position
  })

  return {
    async hasCaughtUp() {
      if (performance.now() < pausedUntil) return false
      try {
        const wanted = await positionNow()
        const until = performance.now() + waitMs
        for (let ms = FIRST_LOOK_MS; replayed < wanted; ms = Math.min(2 * ms, MAX_LOOK_MS)) {
          await look()
          if (replayed >= wanted) break
          if (performance.now() >= until) {
            pause()
            return false
          }
          await after(ms)
        }
        return true
      } catch {
        pause()
        return false
      }
    },
    pause,
  }
}

/** Runs `work` once at a time. Calls while it runs share one further run, which begins after them. */
function shareNext<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> | undefined
  let next: Promise<Result> | undefined
  return () => {
    next ??= (running ?? Promise.resolve())
      .catch(() => undefined)
      .then(() => {
        running = next
        next = undefined
        return work()
      })
    return next
  }
}
