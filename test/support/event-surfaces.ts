import { expect, vi } from 'vitest'
import type { TestApp } from './app.ts'
import { client } from './client.ts'
import type { Writer } from './content.ts'
import { createReceiver } from './receivers.ts'
import { openSocket } from './sockets.ts'
import { type Envelope, openStream } from './streams.ts'
import { soon } from './wait.ts'

/** What a reader follows. */
export interface Followed {
  readonly app: TestApp
  /** Where the service listens. */
  readonly base: string
  readonly reader: Writer
  /** The DIDs of the profiles whose events are followed. */
  readonly sources: readonly string[]
}

/** A reader of one surface. */
export interface Follower {
  /** What it has got. */
  envelopes(): readonly Envelope[]
  /** Waits until it has got everything before an event of the last source, and that event where the surface sends it. */
  settle(isEnd: (envelope: Envelope) => boolean): Promise<void>
  /** Reads what is stored since `start` again, and then follows. */
  again(start: Envelope): Promise<Follower>
  close(): Promise<void>
}

/** A way to follow events. */
export interface Surface {
  readonly name: string
  follow(followed: Followed, after: string): Promise<Follower>
}

function streamSurface(path: string, isAnonymous = false): Surface {
  return {
    name: path,
    async follow(followed, after) {
      const headers = isAnonymous ? {} : followed.reader.headers
      const stream = await openStream(followed.base, path, { ...headers, 'last-event-id': after })
      return {
        envelopes: stream.envelopes,
        settle: (isEnd) => soon(() => expect(stream.envelopes().some(isEnd)).toBe(true)),
        again: ({ id }) => this.follow(followed, id),
        close: async () => void stream.close(),
      }
    },
  }
}

const pulse: Surface = {
  name: '/eep/pulse',
  async follow(followed, after) {
    const { app, reader, sources } = followed
    const envelopes: Envelope[] = []
    const answered = new Set<string>()
    const client = await openSocket(app, '/eep/pulse', {
      headers: reader.headers,
      onFrame({ type, action, data }) {
        if (type === 'entity' || type === 'commerce') envelopes.push(data.event)
        if (action === 'replay_complete') answered.add(data.source_did)
        // A hidden source is refused.
        if (action === 'error') answered.add('refused')
      },
    })
    for (const source_did of sources) client.send('system', 'subscribe', { source_did, last_event_id: after })
    await soon(() => expect(answered.size).toBe(sources.length))
    return {
      envelopes: () => envelopes,
      settle: (isEnd) => soon(() => expect(envelopes.some(isEnd)).toBe(true)),
      again: ({ id }) => this.follow(followed, id),
      close: client.close,
    }
  },
}

/** It sends messages of the account, and no events of profiles. */
const messages: Surface = {
  name: '/ws/messages',
  async follow(followed, after) {
    const envelopes: Envelope[] = []
    const client = await openSocket(followed.app, '/ws/messages', {
      headers: followed.reader.headers,
      onFrame({ type, data }) {
        if (type !== 'system') envelopes.push(data?.event ?? data)
      },
    })
    await client.next('connected')
    return {
      envelopes: () => envelopes,
      settle: async () => {},
      again: () => this.follow(followed, after),
      close: client.close,
    }
  },
}

const webhook: Surface = {
  name: 'a webhook',
  async follow({ app, reader, sources }) {
    const receiver = await createReceiver()
    const paths: string[] = []
    for (const source_did of sources) {
      const made = await reader.post('/eep/subscribe', {
        source_did,
        event_types: ['entity.*', 'content.*', 'feed.*', 'gate.*', 'connection.*', 'trust.*', 'agent.*'],
        delivery_method: 'webhook',
        delivery_url: receiver.url,
      })
      expect(made.json(), made.body).toMatchObject({ status: 'active' })
      paths.push(`/eep/subscriptions/${made.json().subscription_id}`)
    }
    const hasDelivered = async () => {
      for (const url of paths) {
        const { pending } = (await client(app).as(reader).get(url)).json()
        if (pending) return false
      }
      return true
    }
    /** The deliveries received from a position on. The deliveries of all sources are queued in the order of the log. */
    const from = (begin: number): Follower => ({
      envelopes: () => receiver.envelopes().slice(begin),
      async settle(isEnd) {
        await soon(() => expect(receiver.envelopes().slice(begin).some(isEnd)).toBe(true))
        await expect.poll(hasDelivered, { timeout: 120_000 }).toBe(true)
      },
      async again({ time }) {
        const next = receiver.envelopes().length
        for (const path of paths) {
          const replayed = await reader.post(`${path}/replay`, { since: time })
          expect(replayed.statusCode, replayed.body).toBe(202)
        }
        return from(next)
      },
      close: receiver.close,
    })
    return from(0)
  },
}

const history: Surface = {
  name: '/eep/events',
  async follow(followed, after) {
    const { app, reader } = followed
    let envelopes: readonly Envelope[] = []
    const read = async () => {
      const response = await client(app).as(reader).get(`/eep/events?limit=1000&since=${after}`)
      envelopes = response.json<{ events: Envelope[] }>().events
    }
    await read()
    return {
      envelopes: () => envelopes,
      settle: (isEnd) =>
        vi.waitFor(
          async () => {
            await read()
            expect(envelopes.some(isEnd)).toBe(true)
          },
          { timeout: 120_000, interval: 20 },
        ),
      again: ({ id }) => this.follow(followed, id),
      close: async () => {},
    }
  },
}

/** Every way to follow events. */
export const SURFACES: readonly Surface[] = [
  streamSurface('/stream/signals', true),
  streamSurface('/stream/signals/following'),
  streamSurface('/eep/stream'),
  pulse,
  messages,
  webhook,
  history,
]
