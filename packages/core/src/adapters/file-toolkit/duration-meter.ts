import { Worker } from 'node:worker_threads'
import type { ReadRange } from '../../ports/file-toolkit.ts'
import type { DurationJob, DurationMessage } from './duration-worker.ts'

export interface DurationLimits {
  /** The time limit of a measurement. */
  readonly maxMs?: number | undefined
  /** The number of bytes that may be read, including repeated reads. */
  readonly maxBytes?: number | undefined
}

const FILE = new URL(import.meta.url.endsWith('.ts') ? './duration-worker.ts' : './duration-worker.js', import.meta.url)
const MAX_MS = 20_000
const MAX_BYTES = 268_435_456
const MEMORY = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 32 }

/** How many files are measured concurrently; the others wait. */
const AT_ONCE = 2

/** Creates the function that measures recordings in separate workers. */
export function createDurationMeter({ maxMs = MAX_MS, maxBytes = MAX_BYTES }: DurationLimits = {}) {
  const waiting: (() => void)[] = []
  let busy = 0

  /**
   * How many seconds a recording has, according to headers and frames; undefined when that cannot be determined within the
   * limits.
   *
   * @throws what `read` throws
   */
  return async function measure(size: number, read: ReadRange): Promise<number | undefined> {
    if (size === 0) return undefined
    if (busy >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
    else busy += 1
    try {
      return await measureIn(newWorker({ size }), read, maxMs, maxBytes)
    } finally {
      const next = waiting.shift()
      if (next) next()
      else busy -= 1
    }
  }
}

const newWorker = (workerData: DurationJob) =>
  new Worker(FILE, { execArgv: [], workerData, resourceLimits: MEMORY, stdout: true, stderr: true })

async function measureIn(worker: Worker, read: ReadRange, maxMs: number, maxBytes: number) {
  let left = maxBytes
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<number | undefined>((resolve, reject) => {
      timer = setTimeout(() => resolve(undefined), maxMs)
      worker.on('message', (message: DurationMessage) => {
        if ('seconds' in message) return resolve(message.seconds ?? undefined)
        // Node adds its own messages: with `node --watch`, the names of loaded files.
        if (!('read' in message)) return
        const { start, end } = message.read
        left -= end - start
        if (left < 0) return resolve(undefined)
        read(start, end).then((bytes) => worker.postMessage(bytes), reject)
      })
      worker.once('error', () => resolve(undefined)).once('exit', () => resolve(undefined))
    })
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
