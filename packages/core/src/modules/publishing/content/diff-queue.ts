import { sha256 } from '../../../kernel/digest.ts'
import { createWorkerQueue } from '../../../kernel/worker-queue.ts'
import type { DiffJob } from './diff-worker.ts'
import { diffBusy } from './errors.ts'

const FILE = new URL(import.meta.url.endsWith('.ts') ? './diff-worker.ts' : './diff-worker.js', import.meta.url)

/** Compares texts in a worker thread. Requests for the same two texts share one comparison and its cached result. */
export function createDiffQueue() {
  const run = createWorkerQueue<DiffJob>({
    file: FILE,
    maxMemoryMb: 512,
    // A comparison becomes coarse after two seconds and is then finished in about another one.
    timeoutMs: 10_000,
    maxPending: 10,
    maxPendingPerOwner: 3,
    maxWaitMs: 5_000,
    maxCachedBytes: 16_777_216,
  })

  /**
   * The difference of two texts as the JSON of `diffRecord.body`.
   *
   * @throws `diff_busy` when ten comparisons are pending, three of them for this account, or when this one does not start
   * within five seconds
   */
  return async function diff(job: DiffJob, accountId: string): Promise<Uint8Array> {
    const key = `${sha256(Buffer.from(job.from), 'base64url')} ${sha256(Buffer.from(job.to), 'base64url')}`
    const bytes = await run({ key, owner: accountId, job })
    if (bytes === undefined) throw diffBusy({ retryAfterMs: 5_000 })
    return bytes
  }
}

export type DiffQueue = ReturnType<typeof createDiffQueue>
