import type { Readable } from 'node:stream'
import { type Transcriber, transcriptionRefused } from '@eep/core/ports'

interface Heard {
  readonly seconds: number
  readonly utterances: readonly { readonly from: number; readonly to: number; readonly words: string }[]
}

/** Transcribes with a service that accepts raw bytes: `POST /listen?language=de`. */
export const ownTranscriber = (url: string): Transcriber => ({
  async transcribe(recording, { signal, progress }) {
    const { size, contentType, language } = recording
    const body = await recording.open()
    try {
      const response = await fetch(`${url}/listen${language ? `?language=${language}` : ''}`, {
        method: 'POST',
        headers: { 'content-type': contentType, 'content-length': String(size) },
        // Streamed, because a recording may be larger than the memory.
        body: counted(body, (count) => progress((50 * count) / size)),
        duplex: 'half',
        redirect: 'error',
        signal,
      })
      // A retry would fail the same way. The uploader sees the message.
      if (response.status === 422) throw transcriptionRefused({ message: 'The recording cannot be transcribed' })
      // Other errors may be temporary.
      if (!response.ok) throw new Error(`The speech service responded with ${response.status}`)
      const { seconds, utterances } = (await response.json()) as Heard
      const segments = utterances.map(({ from, to, words }) => ({ startSeconds: from, endSeconds: to, text: words }))
      const text = segments.map((segment) => segment.text).join(' ')
      return { text, language: language ?? null, segments, durationSeconds: seconds }
    } finally {
      body.destroy()
    }
  },
})

async function* counted(body: Readable, tell: (count: number) => Promise<void>) {
  let count = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    count += chunk.length
    yield chunk
    await tell(count)
  }
}
