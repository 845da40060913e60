// Documents are read in a separate process: their authors control the time and memory they take, and an engine
// that runs out of memory takes its process with it.
import { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import type { DocumentKind } from './document-kind.ts'
import { readDocument } from './read-document.ts'
import { type RefusalReason, refusalOf } from './refusal.ts'
import { finishText } from './text.ts'

export interface DocumentOrder {
  readonly kind: DocumentKind
  /** Default: UTF-8. */
  readonly encoding?: string | undefined
  readonly timeoutMs: number
  readonly maxMemoryMb: number
}

/** The first line of the response; the text follows. */
export type DocumentAnswer =
  | { readonly warnings: readonly string[] }
  | { readonly refused: RefusalReason; readonly message: string }

/** Ends this process from a worker thread, because a reader that never returns blocks all timers of this thread. */
function watch({ timeoutMs, maxMemoryMb }: DocumentOrder) {
  const watching = `
    const end = Date.now() + ${timeoutMs}
    setInterval(() => {
      if (Date.now() > end || process.memoryUsage.rss() > ${maxMemoryMb * 1_048_576}) process.kill(process.pid, 'SIGKILL')
    }, 20)`
  new Worker(watching, {
    eval: true,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
  }).unref()
}

/** No reader needs the network. */
function hangUp() {
  Socket.prototype.connect = () => {
    throw new Error('Document readers have no network access')
  }
}

async function answer(order: DocumentOrder): Promise<string> {
  const bytes = await buffer(process.stdin)
  const write = (head: DocumentAnswer, text = '') => `${JSON.stringify(head)}\n${text}`
  try {
    const { markdown, warnings } = finishText(await readDocument(order.kind, bytes, order.encoding))
    return write({ warnings: warnings ?? [] }, markdown)
  } catch (error) {
    const { reason, message } = refusalOf(error)
    return write({ refused: reason, message })
  }
}

const order = JSON.parse(process.argv[2] ?? '') as DocumentOrder
watch(order)
hangUp()
// Libraries may leave timers and promises behind.
process.stdout.end(await answer(order), () => process.exit(0))
