import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import * as vitest from 'vitest'
import { embedderContract } from '../testing/embedder-contract.ts'
import { openAiEmbeddings } from './openai-embeddings.ts'

const { afterAll, beforeAll, beforeEach, describe, expect, it } = vitest

const DIMENSIONS = 64

interface Sent {
  readonly headers: IncomingHttpHeaders
  readonly body: { readonly input: readonly string[]; readonly model: string; readonly dimensions?: number }
}

/** A vector of the pairs of letters in a text. */
function vectorOf(text: string): readonly number[] {
  const vector = Array.from({ length: DIMENSIONS }, () => 0)
  for (let index = 0; index + 1 < text.length; index += 1) {
    const place = (text.charCodeAt(index) * 31 + text.charCodeAt(index + 1)) % DIMENSIONS
    vector[place] = (vector[place] ?? 0) + 1
  }
  return vector
}

let sent: Sent[] = []
let faults: ((response: ServerResponse) => void)[] = []
async function answer(request: IncomingMessage, response: ServerResponse): Promise<unknown> {
  if (request.url === '/v1/models') return response.end('{}')
  const body = (await json(request)) as Sent['body']
  sent.push({ headers: request.headers, body })
  const fault = faults.shift()
  if (fault) return fault(response)
  // The order is that of `index`.
  const data = body.input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) })).reverse()
  return response.end(JSON.stringify({ object: 'list', data, model: body.model }))
}

const service = createServer((request, response) => void answer(request, response))
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`
})
beforeEach(() => {
  sent = []
  faults = []
})
afterAll(() => {
  service.closeAllConnections()
  service.close()
})

const embedder = (more: Partial<Parameters<typeof openAiEmbeddings>[0]> = {}) =>
  openAiEmbeddings({ url, model: 'letters', dimensions: DIMENSIONS, ...more })
const signal = new AbortController().signal
const fails =
  (status: number, headers: Record<string, string> = { 'retry-after': '0' }) =>
  (response: ServerResponse) => {
    response.writeHead(status, headers).end('{"error":{"message":"no capacity"}}')
  }

embedderContract(vitest, () => embedder({ apiKey: 'secret' }))

describe('openAiEmbeddings', () => {
  it('sends model, texts and key', async () => {
    await embedder({ apiKey: 'secret', shortens: true }).embed(['one', 'two'], 'document', signal)
    expect(sent[0]?.headers.authorization).toBe('Bearer secret')
    expect(sent[0]?.body).toEqual({ model: 'letters', input: ['one', 'two'], encoding_format: 'float', dimensions: 64 })
  })

  it('writes prefixes before texts, and sends no more characters than allowed', async () => {
    const prefixed = embedder({ prefixes: { query: 'q: ', document: 'd: ' }, maxCharacters: 6 })
    await prefixed.embed(['a long text'], 'query', signal)
    await prefixed.embed(['a long text'], 'document', signal)
    expect(sent.map(({ body }) => body.input)).toEqual([['q: a l'], ['d: a l']])
    expect(prefixed.id).not.toBe(embedder().id)
  })

  it('repeats a request that may succeed later, up to three times', async () => {
    faults = [fails(429), (response) => response.destroy()]
    expect(await embedder().embed(['text'], 'document', signal)).toEqual([vectorOf('text')])
    expect(sent).toHaveLength(3)
    faults = [fails(503), fails(503), fails(503)]
    await expect(embedder().embed(['text'], 'document', signal)).rejects.toThrow('503: no capacity')
    expect(sent).toHaveLength(6)
  })

  it('does not repeat a request that the service refuses', async () => {
    faults = [fails(400)]
    await expect(embedder().embed(['text'], 'document', signal)).rejects.toThrow('400: no capacity')
    expect(sent).toHaveLength(1)
  })

  it('ends an attempt after its time, and all of them when it is aborted', async () => {
    const hang = () => {}
    faults = [hang]
    expect(await embedder({ timeoutMs: 50 }).embed(['text'], 'document', signal)).toEqual([vectorOf('text')])
    faults = [hang]
    const stopping = new AbortController()
    const embedding = embedder().embed(['text'], 'document', stopping.signal)
    await vitest.vi.waitFor(() => expect(sent).toHaveLength(3), { timeout: 60_000 })
    stopping.abort(new Error('cancelled'))
    await expect(embedding).rejects.toThrow('cancelled')
    expect(sent).toHaveLength(3)
  })

  it.each([
    ['an answer that is not JSON', '<html>'],
    ['an answer without embeddings', '{"data":[{"index":0}]}'],
  ])('rejects %s', async (_, body) => {
    faults = [(response) => response.end(body)]
    await expect(embedder().embed(['text'], 'document', signal)).rejects.toThrow('does not contain embeddings')
  })

  it('does not follow redirects', async () => {
    faults = Array.from({ length: 3 }, () => fails(307, { location: 'http://127.0.0.1:9/' }))
    await expect(embedder().embed(['text'], 'document', signal)).rejects.toThrow('fetch failed')
  })

  it('does not send a key without TLS to another machine', () => {
    expect(() => embedder({ url: 'http://models.example/v1', apiKey: 'secret' })).toThrow('not an https:// address')
    expect(() => embedder({ url: 'http://models.example/v1' })).not.toThrow()
  })

  it('detects that the service is away', async () => {
    await embedder().ping?.()
    await expect(embedder({ url: 'http://127.0.0.1:9/v1' }).ping?.()).rejects.toThrow()
  })
})
