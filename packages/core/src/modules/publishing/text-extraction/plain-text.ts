import { sha256 } from '../../../kernel/digest.ts'
import { createWorkerQueue } from '../../../kernel/worker-queue.ts'

const FILE = new URL(
  import.meta.url.endsWith('.ts') ? './plain-text-worker.ts' : './plain-text-worker.js',
  import.meta.url,
)

/** Converts Markdown to plain text in a worker thread. Requests for the same text share one run and its cached result. */
export function createPlainText() {
  const run = createWorkerQueue<string>({
    file: FILE,
    maxMemoryMb: 512,
    timeoutMs: 60_000,
    maxPending: 20,
    maxPendingPerOwner: 5,
    maxWaitMs: 5_000,
    maxCachedBytes: 8_388_608,
  })

  /** Returns the text, or `undefined` when too many texts are pending or this one takes longer than a minute. */
  return async function plainText(markdown: string, owner: string): Promise<string | undefined> {
    if (markdown === '') return ''
    const bytes = await run({ key: sha256(Buffer.from(markdown), 'base64url'), owner, job: markdown })
    return bytes && Buffer.from(bytes).toString()
  }
}
