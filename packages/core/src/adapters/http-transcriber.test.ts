import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Busboy } from '@fastify/busboy'
import * as vitest from 'vitest'
import type { Recording } from '../ports/transcriber.ts'
import { wavOf } from '../testing/recordings.ts'
import { transcriberContract } from '../testing/transcriber-contract.ts'
import { httpTranscriber } from './http-transcriber.ts'

const { afterAll, beforeAll, beforeEach, describe, expect, it } = vitest

interface Asked {
  readonly path: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly fields: Readonly<Record<string, string>>
  readonly filename: string
  readonly bytes: Buffer
}
interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Record<string, string>
}

/** Speaks the API as OpenAI's does: WAV at 8 kHz is understood, anything else is not. */
const heard = ({ bytes, fields }: Asked): Answer => {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF') {
    return { status: 400, body: { error: { message: 'Invalid file\nformat.', type: 'invalid_request_error' } } }
  }
  const duration = bytes.readUInt32LE(40) / 8_000
  const names: Record<string, string> = { de: 'german', en: 'english' }
  const segments = [{ id: 0, start: 0, end: duration, text: ' Hello.', tokens: [1], avg_logprob: -0.3 }]
  const language = names[fields.language ?? 'en']
  return { status: 200, body: { task: 'transcribe', language, duration, text: 'Hello.', segments } }
}

let answer: (asked: Asked) => Answer
const asked: Asked[] = []
let server: Server
let url: string

const read = (request: IncomingMessage): Promise<Asked> =>
  new Promise((resolve, reject) => {
    const { headers, url: path } = request
    const fields: Record<string, string> = {}
    const form = new Busboy({ headers: { ...headers, 'content-type': headers['content-type'] ?? '' } })
    let file: Promise<Buffer> = Promise.resolve(Buffer.alloc(0))
    let filename = ''
    form.on('field', (name, value) => Object.assign(fields, { [name]: value }))
    form.on('file', (_name, body, name) => {
      filename = name
      file = buffer(body)
      file.catch(reject)
    })
    form.on('finish', () => {
      file.then((bytes) => resolve({ path, headers, fields, filename, bytes }), reject)
    })
    form.on('error', reject)
    request.on('close', () => request.complete || reject(new Error('broke off')))
    request.pipe(form)
  })

beforeAll(async () => {
  server = createServer((request, response) => {
    read(request).then(
      (one) => {
        asked.push(one)
        const { status, body, headers } = answer(one)
        response.writeHead(status, { 'content-type': 'application/json', ...headers })
        response.end(typeof body === 'string' ? body : JSON.stringify(body))
      },
      () => response.destroy(),
    )
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
})
afterAll(() => void server.close())
beforeEach(() => {
  answer = heard
  asked.length = 0
})

transcriberContract(vitest, () => {
  answer = heard
  return httpTranscriber({ url })
})

describe('a speech service', () => {
  const bytes = wavOf(2)
  const recording = (changes: Partial<Recording> = {}): Recording => ({
    open: async () => Readable.from([bytes.subarray(0, 1_000), bytes.subarray(1_000)]),
    size: bytes.length,
    contentType: 'audio/wav',
    durationSeconds: 2,
    language: undefined,
    ...changes,
  })
  const transcribe = (changes?: Partial<Recording>) =>
    httpTranscriber({ url: `${url}/`, apiKey: 'sk-secret', model: 'large' }).transcribe(recording(changes), {
      signal: new AbortController().signal,
      progress: async () => {},
    })

  it('gets the bytes with what is known of them, and no name that a user gave', async () => {
    expect(await transcribe({ language: 'de-AT' })).toEqual({
      text: 'Hello.',
      language: 'de',
      segments: [{ startSeconds: 0, endSeconds: 2, text: ' Hello.' }],
      durationSeconds: 2,
    })
    const [one] = asked
    expect(one).toMatchObject({
      path: '/v1/audio/transcriptions',
      headers: { authorization: 'Bearer sk-secret' },
      fields: {
        model: 'large',
        response_format: 'verbose_json',
        'timestamp_granularities[]': 'segment',
        language: 'de',
      },
      filename: 'recording.wav',
    })
    expect(one?.bytes.equals(bytes)).toBe(true)
    expect(Number(one?.headers['content-length'])).toBeGreaterThan(bytes.length)
  })

  it('may return text alone', async () => {
    answer = () => ({ status: 200, body: { text: 'Hello.' } })
    const said = { text: 'Hello.', language: null, segments: [], durationSeconds: 2 }
    expect(await transcribe()).toEqual(said)
    expect(await transcribe({ language: 'pt-BR' })).toEqual({ ...said, language: 'pt-BR' })
  })

  it('reports why it refuses a recording', async () => {
    answer = () => ({ status: 413, body: { error: { message: `Maximum content size\u0000${'!'.repeat(900)}` } } })
    const refused = await transcribe().catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'transcription_refused' })
    expect((refused as Error).message).toHaveLength(200)
    answer = () => ({ status: 415, body: '<html>' })
    await expect(transcribe()).rejects.toMatchObject({ message: 'The recording cannot be transcribed' })
  })

  it.each<[string, Answer]>([
    ['a key that is not taken', { status: 401, body: { error: { message: 'sk-secret' } } }],
    ['too many requests', { status: 429, body: {} }],
    ['an error', { status: 500, body: 'oh no' }],
    ['a redirect', { status: 307, body: '', headers: { location: 'http://127.0.0.1:1/' } }],
    ['no JSON', { status: 200, body: 'Hello.' }],
    ['another answer', { status: 200, body: { message: 'Hello.' } }],
  ])('fails temporarily when it responds with %s', async (_, wrong) => {
    answer = () => wrong
    const error = await transcribe().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toHaveProperty('code', 'transcription_refused')
    expect(String(error)).not.toContain('sk-secret')
    expect(asked).toHaveLength(1)
  })

  it.each([429, 503])('gets the recording again at the time that it asks for with %i', async (status) => {
    answer = (one) => (asked.length === 1 ? { status, body: {}, headers: { 'retry-after': '1' } } : heard(one))
    expect(await transcribe()).toMatchObject({ text: 'Hello.' })
    expect(asked.map((one) => one.bytes.length)).toEqual([bytes.length, bytes.length])
  })

  it('gets the recording once when it asks to wait for longer than a minute', async () => {
    answer = () => ({ status: 429, body: {}, headers: { 'retry-after': '61' } })
    await expect(transcribe()).rejects.toThrow('429')
    expect(asked).toHaveLength(1)
  })

  it('times out when it sends nothing for too long', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await new Promise((resolve) => silent.once('listening', resolve))
    const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const transcriber = httpTranscriber({ url: address, timeoutMs: 50 })
    const options = { signal: new AbortController().signal, progress: async () => {} }
    await expect(transcriber.transcribe(recording(), options)).rejects.toThrow()
    silent.closeAllConnections()
    silent.close()
  })

  it('needs a URL, and sends no key without TLS', () => {
    expect(() => httpTranscriber({ url: 'ftp://speech.example' })).toThrow(TypeError)
    expect(() => httpTranscriber({ url: 'http://speech.example/v1', apiKey: 'x' })).toThrow(TypeError)
    expect(() => httpTranscriber({ url: 'http://speech.example/v1' })).not.toThrow()
  })
})
