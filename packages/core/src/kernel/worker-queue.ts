import { createWorkerThread, type WorkerThreadOptions } from './worker-thread.ts'

export interface WorkerQueueOptions extends WorkerThreadOptions {
  /** The time limit of a job. */
  readonly timeoutMs: number
  /** The maximum number of running and waiting jobs, in total and per owner. */
  readonly maxPending: number
  readonly maxPendingPerOwner: number
  /** How long a caller waits for its job to start. The job still runs afterwards, so that later callers get its result. */
  readonly maxWaitMs: number
  /** The maximum size of cached results, in bytes. */
  readonly maxCachedBytes: number
}

export interface QueuedJob<Job> {
  /** Jobs with the same key share one run and its cached result. */
  readonly key: string
  /** The account that requests the job. */
  readonly owner: string
  readonly job: Job
}

interface Entry {
  readonly result: Promise<Uint8Array | undefined>
  readonly started: Promise<void>
  size: number
}

/**
 * Runs jobs that produce bytes in a worker thread, with a bounded queue and a bounded cache. The returned function resolves
 * to `undefined` when the queue is full, the job does not start in time, or it fails.
 */
export function createWorkerQueue<Job>(options: WorkerQueueOptions) {
  const thread = createWorkerThread<Job, Uint8Array | undefined>(options)
  const pendingOf = new Map<string, number>()
  // Entries are evicted in insertion order.
  const entries = new Map<string, Entry>()
  let cachedBytes = 0

  function start({ key, owner, job }: QueuedJob<Job>): Entry {
    const { promise: started, resolve: onStart } = Promise.withResolvers<void>()
    pendingOf.set(owner, (pendingOf.get(owner) ?? 0) + 1)
    const entry: Entry = { result: thread.run(job, options.timeoutMs, onStart), started, size: 0 }
    entries.set(key, entry)
    void entry.result.then((bytes) => {
      const left = (pendingOf.get(owner) ?? 1) - 1
      if (left === 0) pendingOf.delete(owner)
      else pendingOf.set(owner, left)
      if (bytes === undefined) return void entries.delete(key)
      entry.size = bytes.byteLength
      cachedBytes += entry.size
      evict()
    })
    return entry
  }

  function evict(): void {
    for (const [key, { size }] of entries) {
      if (cachedBytes <= options.maxCachedBytes) return
      // Still running.
      if (size === 0) continue
      entries.delete(key)
      cachedBytes -= size
    }
  }

  function startsInTime({ started }: Entry): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), options.maxWaitMs)
      void started.then(() => {
        clearTimeout(timer)
        resolve(true)
      })
    })
  }

  const isFull = (owner: string) =>
    thread.pending >= options.maxPending || (pendingOf.get(owner) ?? 0) >= options.maxPendingPerOwner

  return async function run(queued: QueuedJob<Job>): Promise<Uint8Array | undefined> {
    const known = entries.get(queued.key)
    if (!known && isFull(queued.owner)) return undefined
    const entry = known ?? start(queued)
    return (await startsInTime(entry)) ? entry.result : undefined
  }
}
