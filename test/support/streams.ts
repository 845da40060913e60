import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { EventSource } from 'eventsource'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { onTestFinished } from 'vitest'
import type { TestApp } from './app.ts'
import { createStreamCheck, requireEnvelope } from './eep-frames.ts'

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

/**
 * Opens a stream with node:http and reads every frame, comments too. Every frame is checked against the schemas of EEP; one
 * that they do not allow fails the test. Closed at the end of the test.
 */
export async function openStream(base: string, path: string, headers: Headers = {}) {
  const request = get(`${base}${path}`, { headers })
  /** A frame that EEP does not allow. */
  let failure: unknown
  const requireFrames = () => {
    if (failure !== undefined) throw failure
  }
  onTestFinished(() => {
    request.destroy()
    requireFrames()
  })
  request.on('error', () => {})
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const frames: Frame[] = []
  const check = createStreamCheck()
  let text = ''
  let isEnded = false
  response.setEncoding('utf8')
  response.on('data', (chunk: string) => {
    text += chunk
    const complete = text.split('\n\n')
    text = complete.pop() ?? ''
    for (const each of complete) {
      const frame = parseFrame(each)
      frames.push(frame)
      try {
        check(frame)
      } catch (error) {
        failure ??= error
      }
    }
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
    envelopes(): Envelope[] {
      requireFrames()
      return frames.flatMap(({ data, id }) => (id && data ? [JSON.parse(data)] : []))
    },
    isEnded: () => isEnded,
    response,
    close: () => request.destroy(),
  }
}

export type Stream = Awaited<ReturnType<typeof openStream>>

/** Follows a stream with the official client, and checks its events as {@link openStream} does. Closed at the end of the test. */
export function followWithEventSource(url: string, types: readonly string[], headers: Headers = {}) {
  const source = new EventSource(url, {
    fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, ...headers } }),
  })
  const check = createStreamCheck()
  let failure: unknown
  onTestFinished(() => {
    source.close()
    if (failure !== undefined) throw failure
  })
  const envelopes: Envelope[] = []
  const ids: string[] = []
  const resets: unknown[] = []
  for (const type of types) {
    source.addEventListener(type, ({ data, lastEventId }) => {
      try {
        check({ id: lastEventId, event: type, data })
      } catch (error) {
        failure ??= error
      }
      envelopes.push(JSON.parse(data))
      ids.push(lastEventId)
    })
  }
  source.addEventListener('reset', ({ data }) => resets.push(JSON.parse(data)))
  return { source, envelopes, ids, resets }
}

const STREAMS = /^\/(?:stream\/signals(?:\/following)?|eep\/stream)(?:\?|$)/

/** The history: `/eep/events`. */
const HISTORY = /^\/eep\/events(?:\?|$)/

/**
 * Lets `app.inject` return the head of a stream without its body, which does not end, and checks the events of the history
 * against the schema of EEP.
 */
export function injectStreams(app: TestApp): void {
  const inject = app.inject.bind(app)
  async function injectHead(request: InjectOptions): Promise<LightMyRequestResponse> {
    const response = await inject({ ...request, payloadAsStream: true })
    if (!response.headers['content-type']?.toString().startsWith('text/event-stream')) return inject(request)
    response.stream().on('error', () => {})
    response.raw.res.destroy()
    return Object.assign(response, { body: '', rawPayload: Buffer.alloc(0) })
  }
  async function injectHistory(request: InjectOptions): Promise<LightMyRequestResponse> {
    const response = await inject(request)
    if (response.statusCode === 200)
      for (const event of response.json<{ events: unknown[] }>().events) requireEnvelope(event)
    return response
  }
  const injectChecked = (given?: InjectOptions | string) => {
    if (given === undefined) return inject()
    const request = typeof given === 'string' ? { url: given } : given
    const isRead = (request.method ?? 'GET') === 'GET' && !request.payloadAsStream
    if (isRead && HISTORY.test(String(request.url))) return injectHistory(request)
    const isStream = isRead && STREAMS.test(String(request.url))
    return isStream ? injectHead(request) : inject(request)
  }
  // The overloads with a callback are not used in tests.
  app.inject = injectChecked as typeof app.inject
}
