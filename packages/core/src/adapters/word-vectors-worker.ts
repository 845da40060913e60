// Parsing takes seconds, so it happens outside of the event loop.
import { parentPort } from 'node:worker_threads'
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

parentPort?.on('message', (job: WordVectorsJob) => {
  parseWordVectors(job).then(
    ({ words, values, scales }) => {
      const answer: WordVectorsAnswer = { is: 'read', words: JSON.stringify(words), values, scales }
      parentPort?.postMessage(answer, [values.buffer, scales.buffer])
    },
    (error: unknown) => {
      const message = error instanceof Error ? error.message : String(error)
      parentPort?.postMessage({ is: 'refused', message } satisfies WordVectorsAnswer)
    },
  )
})
