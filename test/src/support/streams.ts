import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { EventSource } from 'eventsource'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { onTestFinished } from 'vitest'
import type { TestApp } from './app.ts'

/** An event as streams, the history and webhooks send it. */
export interface Envelope {
  readonly specversion: string
  readonly eep_version: string
  readonly id: string
  readonly source: string
  readonly type: string
  readonly subject?: string
  readonly time: string
  readonly datacontenttype: string
  readonly data: Readonly<Record<string, unknown>>
}

/** Lets a server take connections on a free port, and returns its address. */
export async function listen(app: TestApp): Promise<string> {
  await app.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

type Headers = Readonly<Record<string, string>>

/** A frame of a stream. Comments are frames without data. */
export interface Frame {
  readonly id?: string
  readonly event?: string
  readonly data?: string
  readonly retry?: string
  readonly comment?: string
}

const parseFrame = (text: string): Frame =>
  Object.fromEntries(
    text.split('\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon) || 'comment', line.slice(colon + 1).trimStart()]
    }),
  )

/** Opens a stream with node:http and reads every frame, comments too. Closed at the end of the test. */
export async function openStream(base: string, path: string, headers: Headers = {}) {
  const request = get(`${base}${path}`, { headers })
  onTestFinished(() => void request.destroy())
  request.on('error', () => {})
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const frames: Frame[] = []
  let text = ''
  let isEnded = false
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    text += chunk
    const complete = text.split('\n\n')
    text = complete.pop() ?? ''
    for (const frame of complete) frames.push(parseFrame(frame))
  })
  response.on('error', () => {})
  response.on('close', () => {
    isEnded = true
  })
  return {
    status: response.statusCode,
    headers: response.headers,
    frames,
    /** The body of a response that is not a stream: an error. */
    rest: () => text,
    envelopes: (): Envelope[] => frames.flatMap(({ data, id }) => (id && data ? [JSON.parse(data)] : [])),
    isEnded: () => isEnded,
    response,
    close: () => request.destroy(),
  }
}

export type Stream = Awaited<ReturnType<typeof openStream>>

/** Follows a stream with the official client. Closed at the end of the test. */
export function followWithEventSource(url: string, types: readonly string[], headers: Headers = {}) {
  const source = new EventSource(url, {
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } }),
  })
  onTestFinished(() => source.close())
  const envelopes: Envelope[] = []
  const ids: string[] = []
  const resets: unknown[] = []
  for (const type of types) {
    source.addEventListener(type, ({ data, lastEventId }) => {
      envelopes.push(JSON.parse(data))
      ids.push(lastEventId)
    })
  }
  source.addEventListener('reset', ({ data }) => resets.push(JSON.parse(data)))
  return { source, envelopes, ids, resets }
}

const STREAMS = /^\/(?:stream\/signals(?:\/following)?|eep\/stream)(?:\?|$)/

/** Lets `app.inject` return the head of a stream without its body, which does not end. */
export function injectHeadsOfStreams(app: TestApp): void {
  const inject = app.inject.bind(app)
  async function injectHead(request: InjectOptions): Promise<LightMyRequestResponse> {
    const response = await inject({ ...request, payloadAsStream: true })
    if (!response.headers['content-type']?.toString().startsWith('text/event-stream')) return inject(request)
    response.stream().on('error', () => {})
    response.raw.res.destroy()
    return Object.assign(response, { body: '', rawPayload: Buffer.alloc(0) })
  }
  const injectOrHead = (given?: InjectOptions | string) => {
    if (given === undefined) return inject()
    const request = typeof given === 'string' ? { url: given } : given
    const isStream = (request.method ?? 'GET') === 'GET' && STREAMS.test(String(request.url))
    return isStream && !request.payloadAsStream ? injectHead(request) : inject(request)
  }
  // The overloads with a callback are not used in tests.
  app.inject = injectOrHead as typeof app.inject
}
