import type { Transcriber } from '@eep/core/ports'
import { echoTranscriber, wavOf } from '@eep/core/testing'
import { expect, vi } from 'vitest'
import type { TestApp } from './app.ts'
import { client } from './client.ts'
import { field, fileOf, upload } from './files.ts'

type Headers = Readonly<Record<string, string>>
type Requests = Pick<TestApp, 'inject'>

export interface JobRecord {
  readonly id: string
  readonly kind: string
  readonly status: string
  readonly progress: number
  readonly result: Readonly<Record<string, unknown>> | null
  readonly error: { readonly code: string; readonly message: string } | null
}

/** A transcriber whose next turns a test decides; without a word from it, it echoes. */
export function createTranscriber() {
  const echo = echoTranscriber()
  const turns: Transcriber['transcribe'][] = []
  let calls = 0
  return {
    transcribe: (recording, options) => {
      calls += 1
      return (turns.shift() ?? echo.transcribe)(recording, options)
    },
    /** What it does the next time. */
    next: (turn: Transcriber['transcribe']) => void turns.push(turn),
    /** Makes the next call wait until it is released or aborted. Default: it then echoes. */
    hold(then: Transcriber['transcribe'] = echo.transcribe) {
      const started = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      turns.push(async (recording, options) => {
        const { signal } = options
        const aborted = new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        })
        started.resolve()
        await Promise.race([released.promise, aborted])
        return then(recording, options)
      })
      return { started: started.promise, release: () => released.resolve() }
    },
    calls: () => calls,
  } satisfies Transcriber & Record<string, unknown>
}

let tone = 0

/** Sends a recording of so many seconds, of which no other has the bytes. */
export async function newRecording(
  app: Requests,
  headers: Headers,
  username: string,
  {
    seconds = 61,
    filename = 'talk.wav',
    ...more
  }: {
    readonly filename?: string
    readonly seconds?: number
    readonly bytes?: Buffer
  } = {},
): Promise<number> {
  tone += 1
  const bytes = more.bytes ?? wavOf(seconds, 100 + tone)
  const sent = await upload(app, [field('username', username), fileOf(bytes, filename)], { ...headers })
  if (sent.statusCode !== 200) throw new Error(sent.body)
  return sent.json<{ id: number }>().id
}

export const ingest = (app: Requests, headers: Headers, fileId: number, more: object = {}) =>
  client(app).post('/media', { file_id: fileId, ...more }, { ...headers })

/** Waits for the end of a job. */
export async function ended(app: Requests, headers: Headers, id: string): Promise<JobRecord> {
  return vi.waitFor(
    async () => {
      const job = (await client(app).get(`/jobs/${id}`, { ...headers })).json<JobRecord>()
      expect(job.status).toMatch(/^(succeeded|failed|cancelled)$/)
      return job
    },
    { timeout: 60_000, interval: 100 },
  )
}
