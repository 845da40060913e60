import { createHash } from 'node:crypto'
import { type Transcriber, transcriptionRefused } from '../ports/transcriber.ts'

const SEGMENT_SECONDS = 30

/**
 * A transcriber for tests and demonstrations. It returns the number of bytes and their hash, one sentence for each half minute,
 * the same every time. It refuses files that begin with `refuse`.
 */
export function echoTranscriber(): Transcriber {
  return {
    async transcribe(recording, { signal, progress }) {
      signal.throwIfAborted()
      const { size, durationSeconds, language = 'en' } = recording
      const hash = createHash('sha256')
      const body = await recording.open()
      const abort = () => body.destroy(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
      signal.addEventListener('abort', abort, { once: true })
      let count = 0
      try {
        for await (const chunk of body as AsyncIterable<Buffer>) {
          if (count === 0 && chunk.subarray(0, 6).toString() === 'refuse') {
            throw transcriptionRefused({ message: 'The recording asks to be refused' })
          }
          count += chunk.length
          hash.update(chunk)
          await progress(Math.min(99, (100 * count) / size))
        }
      } finally {
        signal.removeEventListener('abort', abort)
      }
      signal.throwIfAborted()
      const words = [`${count} bytes were said.`, `They hash to ${hash.digest('hex').slice(0, 16)}.`]
      const segments = Array.from(
        { length: Math.max(1, Math.ceil(durationSeconds / SEGMENT_SECONDS)) },
        (_, index) => ({
          startSeconds: index * SEGMENT_SECONDS,
          endSeconds: Math.min(durationSeconds, (index + 1) * SEGMENT_SECONDS),
          text: words[index % words.length] ?? '',
        }),
      )
      return { text: segments.map(({ text }) => text).join(' '), language, segments, durationSeconds }
    },
  }
}
