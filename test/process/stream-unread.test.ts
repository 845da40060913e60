import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { toFetchHandler } from '@eep/core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { didOf } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { createWriter, type Writer } from '../support/content.ts'
import { price } from '../support/deals.ts'
import { OPEN_MESSAGES } from '../support/messages.ts'
import { type Frame, openSocket } from '../support/sockets.ts'
import { listen, openStream } from '../support/streams.ts'
import { soon } from '../support/wait.ts'

/** A client of one kind of stream or socket. */
interface Reader {
  /** How many events it has read. */
  count(): number | Promise<number>
  pause(): void
  resume(): void
  isEnded(): boolean | Promise<boolean>
}

let test: Awaited<ReturnType<typeof createTestApp>>
let base: string
beforeAll(async () => {
  // A client that reads nothing answers no ping. On a busy machine it would be disconnected for that before it is too slow.
  test = await createTestApp({ ...OPEN_MESSAGES, sockets: { pingIntervalMs: 300_000 } })
  base = await listen(test.app)
})
afterAll(() => test.close())

const bySource = ({ account }: Writer) => `types=entity.updated&source=u/${account.username}`

/** Opens a stream and reads it with node:http. */
async function streamOf(path: string, headers: Record<string, string>): Promise<Reader> {
  const { response, envelopes, isEnded } = await openStream(base, path, headers)
  return {
    count: () => envelopes().length,
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    isEnded,
  }
}

/** Opens a stream over a connection whose request offers HTTP/2, as `curl --http2` does. */
async function offeringHttp2(path: string): Promise<Reader> {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  let [count, isEnded] = [0, false]
  socket.on('data', (chunk) => {
    count += String(chunk).split('event: entity.updated').length - 1
  })
  socket.on('close', () => {
    isEnded = true
  })
  const offer = 'connection: upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk'
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n${offer}\r\n\r\n`)
  await once(socket, 'data')
  return { count: () => count, pause: () => socket.pause(), resume: () => socket.resume(), isEnded: () => isEnded }
}

/** Opens a stream through the handler for fetch-style servers, and pulls its body part by part. */
async function throughFetch(path: string): Promise<Reader> {
  const handle = toFetchHandler(test.app, { clientAddress: () => '192.0.2.7' })
  const { body } = await handle(new Request(`${base}${path}`))
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  onTestFinished(() => reader.cancel().catch(() => {}))
  let [count, isEnded] = [0, false]
  let paused = Promise.withResolvers<void>()
  paused.resolve()
  async function read() {
    for (;;) {
      await paused.promise
      const { value, done } = await reader.read()
      if (done) break
      count += new TextDecoder().decode(value).split('event: entity.updated').length - 1
    }
  }
  read()
    .catch(() => {})
    .finally(() => {
      isEnded = true
    })
  return {
    count: () => count,
    pause() {
      paused = Promise.withResolvers<void>()
    },
    resume: () => paused.resolve(),
    isEnded: () => isEnded,
  }
}

/** Opens a socket, and counts the frames of an action. */
async function socketOf(
  path: string,
  headers: Record<string, string>,
  action: string,
  first?: object,
): Promise<Reader> {
  let count = 0
  const onFrame = (frame: Frame) => {
    if (frame.action === action) count += 1
  }
  const client = await openSocket(test.app, path, { headers, onFrame })
  onTestFinished(() => client.socket.terminate())
  await client.next('connected')
  if (first) {
    client.send('system', 'subscribe', first)
    await client.next('subscribed')
  }
  let code: number | undefined
  client.socket.once('close', (closed) => {
    code = closed
  })
  return {
    count: () => count,
    pause: () => client.socket.pause(),
    resume: () => client.socket.resume(),
    isEnded() {
      if (code !== undefined) expect(code).toBe(4000)
      return code !== undefined
    },
  }
}

/** An event to repeat: its type, what makes it large, and how many are written together. */
interface Happening {
  readonly type: string
  readonly pad: object
  readonly perStep: number
}

const update = async (ada: Writer): Promise<Happening> => {
  await ada.put('/manage/profile', { bio: 'The first' })
  return {
    type: 'profiles.profile_updated',
    // Few large events fill what the system buffers for a connection. A step stays below what is held for a client.
    pad: { fields: Array.from({ length: 400 }, () => 'x'.repeat(100)) },
    perStep: 10,
  }
}
const message = async (ada: Writer): Promise<Happening> => {
  const bert = await createWriter(test.app)
  await ada.put(`/profiles/u/${ada.account.username}`, { capabilities: ['contactable'] })
  const body = '😀'.repeat(2_000)
  const sent = await bert.post('/messages/conversations', { to: `u/${ada.account.username}`, body })
  expect(sent.statusCode, sent.body).toBe(201)
  return { type: 'messages.message_received', pad: {}, perStep: 40 }
}
const offer = async (ada: Writer): Promise<Happening> => {
  const bert = await createWriter(test.app)
  const body = { seller_did: didOf(ada), service: 'Advice', pricing: price(90) }
  const made = await bert.post('/eep/commerce/negotiations', body)
  expect(made.statusCode, made.body).toBe(201)
  return { type: 'commerce.offer_made', pad: {}, perStep: 500 }
}

const KINDS = [
  ['/stream/signals', (ada) => streamOf(`/stream/signals?${bySource(ada)}`, {}), update],
  ['/eep/stream', (ada) => streamOf(`/eep/stream?${bySource(ada)}`, ada.headers), update],
  [
    '/stream/signals/following',
    async (ada) => {
      const follower = await createWriter(test.app)
      expect((await follower.post(`/connections/u/${ada.account.username}`)).statusCode).toBeLessThan(300)
      return streamOf('/stream/signals/following?types=entity.updated', follower.headers)
    },
    update,
  ],
  ['a stream whose request offers HTTP/2', (ada) => offeringHttp2(`/stream/signals?${bySource(ada)}`), update],
  ['a stream through the handler for fetch', (ada) => throughFetch(`/stream/signals?${bySource(ada)}`), update],
  [
    'a source on /eep/pulse',
    (ada) => socketOf('/eep/pulse', ada.headers, 'update', { source_did: didOf(ada), types: ['entity.updated'] }),
    update,
  ],
  ['messages on /eep/pulse', (ada) => socketOf('/eep/pulse', ada.headers, 'received'), message],
  ['moves of deals on /eep/pulse', (ada) => socketOf('/eep/pulse', ada.headers, 'offer'), offer],
  ['/ws/messages', (ada) => socketOf('/ws/messages', ada.headers, 'message.received'), message],
] satisfies readonly (readonly [string, (ada: Writer) => Promise<Reader>, (ada: Writer) => Promise<Happening>])[]

describe.each(KINDS)('a client that never reads: %s', (_kind, open, happen) => {
  it('is disconnected while another one receives every event', async () => {
    const ada = await createWriter(test.app)
    const [stuck, other] = [await open(ada), await open(ada)]
    const { type, pad, perStep } = await happen(ada)
    for (const each of [stuck, other]) await soon(async () => expect(await each.count()).toBe(1))
    stuck.pause()
    const stored = await lastOf(type)
    const { slowConsumers } = test.eep.signals.stats()
    let written = 1
    while (test.eep.signals.stats().slowConsumers === slowConsumers) {
      await repeat(stored, pad, perStep)
      written += perStep
      await soon(async () => expect(await other.count()).toBe(written))
    }
    stuck.resume()
    await soon(async () => expect(await stuck.isEnded()).toBe(true))
    expect(await stuck.count()).toBeLessThan(written)
    expect([test.eep.signals.stats().slowConsumers, await other.isEnded()]).toEqual([slowConsumers + 1, false])
  }, 600_000)

  it('goes on when it was only slow', async () => {
    const ada = await createWriter(test.app)
    const slow = await open(ada)
    const { type, pad } = await happen(ada)
    await soon(async () => expect(await slow.count()).toBe(1))
    const stored = await lastOf(type)
    slow.pause()
    let written = 1
    const { slowConsumers } = test.eep.signals.stats()
    for (let step = 0; step < 5; step += 1) {
      const { eventsRead } = test.eep.signals.stats()
      await repeat(stored, pad, 2)
      written += 2
      await soon(() => expect(test.eep.signals.stats().eventsRead).toBeGreaterThanOrEqual(eventsRead + 2))
    }
    slow.resume()
    await soon(async () => expect(await slow.count()).toBe(written))
    expect(test.eep.signals.stats().slowConsumers).toBe(slowConsumers)
  })
})

/** Stores an event so many more times, each with a larger payload. */
const repeat = (stored: Awaited<ReturnType<typeof lastOf>>, pad: object, times: number) =>
  test.storage.transaction((tx) =>
    tx.events.append(
      Array.from({ length: times }, () => ({
        ...stored,
        data: { ...stored.data, ...pad },
        id: randomUUID(),
        at: new Date(),
      })),
    ),
  )

/** The last event of a type that is in the log. */
async function lastOf(wanted: string) {
  const { events } = await test.storage.read.events.list({
    after: await test.storage.read.eventRetention.horizon(),
    limit: 100_000,
  })
  const last = events.findLast(({ type }) => type === wanted)
  if (!last) throw new Error(`no ${wanted} is in the log`)
  const { type, profileId, accountId, data } = last
  return { type, profileId, accountId, data }
}
