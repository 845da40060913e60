import { AsyncLocalStorage } from 'node:async_hooks'
import type { ServerResponse } from 'node:http'
import { eep } from '@eep/core'
import { everything } from '@eep/core/everything'
import Fastify from 'fastify'
import { openDatabase } from './database.ts'
import { LOGIN, PUBLIC_URL } from './seller.ts'
import { serve } from './server-process.ts'

interface Order {
  readonly connectionString: string
}

/** A service with streams, whose one profile they follow. */
export interface StreamSubject {
  readonly url: string
}

/** The time that something began, in milliseconds of the clock that all processes of this machine share. */
export interface Begun {
  readonly at: number
}

const now = () => Number(process.hrtime.bigint()) / 1_000_000
const MANY = 100_000
const SECRET = 'a secret for benchmarks, thirty-two characters'

/**
 * The service with public streams. Besides: a POST of `/bench/event` changes the profile and answers when the change was
 * committed; one of `/bench/fan-out` does so too, and answers when this instance read the event from the log; and one of
 * `/bench/bare` sends its body to every stream with nothing but `response.write`.
 */
await serve<Order, StreamSubject>(async ({ connectionString }) => {
  const { storage } = await openDatabase(connectionString)
  const writing = new AsyncLocalStorage<{ at?: number }>()
  const transaction: typeof storage.transaction = async (...work) => {
    const result = await storage.transaction(...work)
    const commit = writing.getStore()
    if (commit) commit.at ??= now()
    return result
  }
  const app = Fastify()
  const streams = new Set<ServerResponse>()
  app.addHook('onRequest', async ({ url }, { raw }) => {
    if (!url.startsWith('/stream/')) return
    streams.add(raw)
    raw.once('close', () => void streams.delete(raw))
  })
  await app.register(eep, {
    publicUrl: PUBLIC_URL,
    storage: { ...storage, transaction },
    secret: SECRET,
    limits: { rateLimit: { multiplier: MANY } },
    modules: everything({ signals: { anonymousStreams: MANY } }),
    auth: { passwordHashing: { memoryKiB: 1_024 } },
  })
  let headers: Record<string, string> | undefined
  let written = 0
  async function write(): Promise<Begun> {
    headers ??= await signIn()
    written += 1
    const commit: { at?: number } = {}
    const request = {
      method: 'PUT',
      url: '/profiles/u/ada',
      headers,
      payload: { full_name: `Ada ${written}` },
    } as const
    const { statusCode, body } = await writing.run(commit, async () => await app.inject(request))
    if (statusCode !== 200 || commit.at === undefined) throw new Error(body)
    return { at: commit.at }
  }
  app.post('/bench/event', write)
  app.post('/bench/fan-out', async (): Promise<Begun> => {
    const { promise, resolve } = Promise.withResolvers<Begun>()
    const stop = app.eep.on('profiles.profile_updated', () => resolve({ at: now() }))
    await write()
    return promise.finally(stop)
  })
  app.post<{ Body: { readonly frame: string } }>('/bench/bare', async ({ body }): Promise<Begun> => {
    const frame = Buffer.from(body.frame)
    const at = now()
    for (const stream of streams) stream.write(frame)
    return { at }
  })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })

  async function signIn(): Promise<Record<string, string>> {
    const registered = await app.inject({
      method: 'POST',
      url: '/auth/register',
      payload: { ...LOGIN, username: 'ada' },
    })
    const { token } = registered.json()
    return { authorization: `Bearer ${token}` }
  }
  return { url }
})
