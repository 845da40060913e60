import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { z } from 'zod'
import { lazy } from '../kernel/lazy.ts'
import { parseRetryAfter } from '../kernel/retry-after.ts'
import { type Recording, type TranscribeOptions, type Transcriber, transcriptionRefused } from '../ports/transcriber.ts'
import { providerUrl } from './provider-access.ts'

/** Options of {@link httpTranscriber}. */
export interface HttpTranscriberOptions {
  /** The base URL of the service, without `/audio/transcriptions`: `https://api.openai.com/v1`. */
  readonly url: string
  /** Sent as bearer token; a service in your own network may need none. */
  readonly apiKey?: string | undefined
  /** It must support the format `verbose_json`. Default: `whisper-1`. */
  readonly model?: string | undefined
  /** How long the service may send nothing. Default: half an hour. */
  readonly timeoutMs?: number | undefined
}

const TIMEOUT_MS = 1_800_000
const CONNECT_MS = 10_000
const MAX_ANSWER_BYTES = 33_554_432
const MAX_MESSAGE = 200
/** The progress to report once all bytes are sent. */
const SENT_PERCENT = 40

/** Services detect the format by the file name. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/vnd.wave': 'wav',
  'audio/x-wav': 'wav',
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
  'audio/ogg': 'ogg',
  'video/ogg': 'ogg',
  'application/ogg': 'ogg',
  'audio/mp4': 'm4a',
  'audio/x-m4a': 'm4a',
  'audio/webm': 'webm',
  'video/webm': 'webm',
  'video/matroska': 'mkv',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
}

const answerSchema = z.looseObject({
  text: z.string(),
  language: z.string().nullish(),
  duration: z.coerce.number().nullish(),
  segments: z.array(z.looseObject({ start: z.number(), end: z.number(), text: z.string() })).nullish(),
})
const errorSchema = z.looseObject({ error: z.union([z.string(), z.looseObject({ message: z.string() })]) })

/** Some services name a language in English, others by its code. */
const codesByName = lazy(() => {
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  return new Map(
    codes.flatMap((code) => ((name) => (name ? [[name.toLowerCase(), code] as const] : []))(names.of(code))),
  )
})

function languageOf(told: string | null | undefined): string | null {
  if (!told) return null
  if (/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(told)) return told
  return codesByName().get(told.toLowerCase()) ?? null
}

/** The parts of the form before and after the bytes. */
function formOf({ contentType, language }: Recording, model: string) {
  const boundary = `eep-${randomUUID()}`
  const fields = {
    model,
    response_format: 'verbose_json',
    'timestamp_granularities[]': 'segment',
    // Services expect a language without a region.
    ...(language !== undefined && { language: language.split('-')[0] ?? language }),
  }
  const [type = ''] = contentType.split(';')
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const filename = `recording.${EXTENSIONS[type] ?? 'bin'}`
  const file = `Content-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    before: Buffer.from(`${parts.join('')}--${boundary}\r\n${file}`),
    behind: Buffer.from(`\r\n--${boundary}--\r\n`),
  }
}

/** How long a busy service asks to wait, in milliseconds; undefined when it does not, or for too long. */
function waitOf({ statusCode, headers }: Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'>): number | undefined {
  if (statusCode !== 429 && statusCode !== 503) return undefined
  const now = new Date()
  const askedAt = parseRetryAfter([headers['retry-after'] ?? []].flat()[0], now)
  const waitMs = askedAt && askedAt.getTime() - now.getTime()
  return waitMs !== undefined && waitMs <= LONGEST_WAIT_MS ? waitMs : undefined
}

/** The reason for a refusal, for the user who sent the recording. */
function reasonOf(text: string): string | undefined {
  try {
    const { error } = errorSchema.parse(JSON.parse(text))
    const message = typeof error === 'string' ? error : error.message
    return (
      message
        .replaceAll(/[\s\p{Cc}]+/gu, ' ')
        .trim()
        .slice(0, MAX_MESSAGE) || undefined
    )
  } catch {
    return undefined
  }
}

/** A service in a private network may be used without TLS, but without a key. */
function addressOf(url: string, hasKey: boolean): URL {
  const text = `${url.replace(/\/+$/, '')}/audio/transcriptions`
  const isWeb = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  return isWeb && !hasKey ? new URL(text) : providerUrl(text)
}

/** How often a recording is sent to a busy service, and how long it is waited for between. */
const MAX_REQUESTS = 3
const LONGEST_WAIT_MS = 60_000

const REFUSALS = new Set([400, 413, 415, 422])

/**
 * Transcribes with a service that implements the API of OpenAI, `POST …/audio/transcriptions`: OpenAI's own, or one of
 * the many servers around Whisper. The bytes are sent as they are read; no redirect is followed. A recording is sent up to three
 * times when the service is busy and asks to wait for at most a minute (`Retry-After`).
 *
 * @throws TypeError when the URL is invalid, or the key would be sent over the network unencrypted
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/transcripts.md
 * @example
 * const transcriber = httpTranscriber({ url: 'https://api.openai.com/v1', apiKey })
 * await app.register(eep, { ...options, modules: [files({ blobStore }), media({ transcriber })] })
 */
export function httpTranscriber(options: HttpTranscriberOptions): Transcriber {
  const { url, apiKey, model = 'whisper-1', timeoutMs = TIMEOUT_MS } = options
  const target = addressOf(url, apiKey !== undefined)
  let isOpened = false
  const open = lazy(async () => {
    isOpened = true
    const { Agent, request } = await import('undici')
    const timeouts = { headersTimeout: timeoutMs, bodyTimeout: timeoutMs, connect: { timeout: CONNECT_MS } }
    return { request, agent: new Agent(timeouts) }
  })

  async function send(recording: Recording, { signal, progress }: TranscribeOptions) {
    signal.throwIfAborted()
    const { type, before, behind } = formOf(recording, model)
    const { request, agent } = await open()
    const body = await recording.open()
    try {
      const answer = await request(target, {
        dispatcher: agent,
        method: 'POST',
        headers: {
          'user-agent': 'eep',
          accept: 'application/json',
          'content-type': type,
          'content-length': String(before.length + recording.size + behind.length),
          ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
        },
        body: Readable.from(sent(body, { before, behind, size: recording.size, progress }), { objectMode: false }),
        signal,
      })
      return { statusCode: answer.statusCode, text: await readText(answer.body), waitMs: waitOf(answer) }
    } finally {
      body.destroy()
    }
  }

  return {
    async transcribe(recording, options) {
      for (let requests = 1; ; requests += 1) {
        const { statusCode, text, waitMs } = await send(recording, options)
        if (waitMs !== undefined && requests < MAX_REQUESTS) {
          await sleep(waitMs, undefined, { signal: options.signal })
          continue
        }
        if (REFUSALS.has(statusCode)) throw transcriptionRefused({ message: reasonOf(text) })
        if (statusCode !== 200) throw new Error(`The speech service responded with ${statusCode}`)
        const said = answerSchema.parse(JSON.parse(text))
        return {
          text: said.text,
          language: languageOf(said.language) ?? recording.language ?? null,
          segments: (said.segments ?? []).map(({ start, end, text }) => ({
            startSeconds: start,
            endSeconds: end,
            text,
          })),
          durationSeconds: said.duration ?? recording.durationSeconds,
        }
      }
    },

    async close() {
      if (isOpened) await (await open()).agent.close()
    },
  }
}

interface Sending extends Pick<TranscribeOptions, 'progress'> {
  readonly before: Buffer
  readonly behind: Buffer
  readonly size: number
}

async function* sent(body: Readable, { before, behind, size, progress }: Sending) {
  yield before
  let count = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    count += chunk.length
    yield chunk
    await progress((SENT_PERCENT * count) / size)
  }
  yield behind
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of body) {
    length += part.length
    if (length > MAX_ANSWER_BYTES) throw new Error('The response of the speech service is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
