import { sha256 } from '../../kernel/digest.ts'
import { createWorkerThread } from '../../kernel/worker-thread.ts'
import type { DiffAnswer, DiffJob } from './diff-worker.ts'
import { diffBusy } from './errors.ts'

const FILE = new URL(import.meta.url.endsWith('.ts') ? './diff-worker.ts' : './diff-worker.js', import.meta.url)

/** A comparison becomes coarse after two seconds and is then finished in about another one. */
const MAX_MS = 10_000
const MAX_MEMORY_MB = 512
const MAX_PENDING = 10
const MAX_PENDING_OF_ONE = 3
const MAX_WAIT_MS = 5_000
const MAX_CACHED_BYTES = 16_777_216

interface Entry {
  readonly result: Promise<DiffAnswer>
  readonly started: Promise<void>
  size: number
}

/**
 * Compares texts in one worker thread and caches up to 16 MB of results. Requests for the same two texts share one
 * comparison.
 */
export function createDiffQueue() {
  const thread = createWorkerThread<DiffJob, DiffAnswer>({ file: FILE, maxMemoryMb: MAX_MEMORY_MB })
  const pendingOf = new Map<string, number>()
  // Insertion order is the order of eviction.
  const entries = new Map<string, Entry>()
  let cachedBytes = 0

  function start(key: string, job: DiffJob, accountId: string): Entry {
    const { promise: started, resolve: onStart } = Promise.withResolvers<void>()
    pendingOf.set(accountId, (pendingOf.get(accountId) ?? 0) + 1)
    const entry: Entry = { result: thread.run(job, MAX_MS, onStart), started, size: 0 }
    entries.set(key, entry)
    void entry.result.then((bytes) => {
      const left = (pendingOf.get(accountId) ?? 1) - 1
      if (left === 0) pendingOf.delete(accountId)
      else pendingOf.set(accountId, left)
      if (bytes === undefined) return void entries.delete(key)
      entry.size = bytes.byteLength
      cachedBytes += entry.size
      evict()
    })
    return entry
  }

  function evict(): void {
    for (const [key, { size }] of entries) {
      if (cachedBytes <= MAX_CACHED_BYTES) return
      if (size === 0) continue
      entries.delete(key)
      cachedBytes -= size
    }
  }

  /**
   * The difference of two texts as the JSON of `diffRecord.body`.
   *
   * @throws `diff_busy` when ten comparisons are pending, three of them for this account, or when this one does not start
   * within five seconds; it still runs then, so that a later request finds the result
   */
  return async function diff(job: DiffJob, accountId: string): Promise<Uint8Array> {
    const key = `${sha256(Buffer.from(job.from), 'base64url')} ${sha256(Buffer.from(job.to), 'base64url')}`
    const known = entries.get(key)
    const isFull = thread.pending >= MAX_PENDING || (pendingOf.get(accountId) ?? 0) >= MAX_PENDING_OF_ONE
    if (!known && isFull) throw busy()
    const entry = known ?? start(key, job, accountId)
    if (!(await startsInTime(entry))) throw busy()
    const bytes = await entry.result
    if (bytes === undefined) throw busy()
    return bytes
  }
}

export type DiffQueue = ReturnType<typeof createDiffQueue>

const busy = () => diffBusy({ headers: { 'retry-after': '5' } })

function startsInTime({ started }: Entry): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), MAX_WAIT_MS)
    void started.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}
