// Parsing takes seconds, so it happens outside of the event loop.
import { answerJobs } from '../kernel/answer-jobs.ts'
import { parseWordVectors, type WordVectorsJob } from './parse-word-vectors.ts'

/** The vectors, with their words as JSON: one long text is copied faster than many short ones; or why there are none. */
export type WordVectorsAnswer =
  | {
      readonly is: 'read'
      readonly words: string
      readonly values: Int8Array<ArrayBuffer>
      readonly scales: Float32Array<ArrayBuffer>
    }
  | { readonly is: 'refused'; readonly message: string }

async function read(job: WordVectorsJob): Promise<WordVectorsAnswer> {
  try {
    const { words, values, scales } = await parseWordVectors(job)
    return { is: 'read', words: JSON.stringify(words), values, scales }
  } catch (error) {
    return { is: 'refused', message: error instanceof Error ? error.message : String(error) }
  }
}

answerJobs(read, (answer) => (answer.is === 'read' ? [answer.values.buffer, answer.scales.buffer] : []))
