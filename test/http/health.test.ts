import { Agent, request } from 'node:http'
import { serverOptions } from '@eep/core'
import { directoryBlobs } from '@eep/core/files'
import type { SearchIndex } from '@eep/core/ports'
import { cashBilling, cashRail } from '@eep/core/testing'
import { afterAll, expect, it, vi } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { listen } from '../support/streams.ts'

const service = await createTestApp()
afterAll(service.close)
await signUp(service.app, 'ada')
const { get } = client(service.app)

it.each(['/health', '/health/live', '/healthz', '/health/ready'])(
  'reports a healthy service at %s, without caching',
  async (url) => {
    const response = await get(url)
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ status: 'ok', ok: true })
    expect(response.headers['cache-control']).toBe('no-store')
  },
)

const unavailable = async () => {
  throw new Error('connection refused')
}

it('reports the service as alive but not ready while the storage is down, and as ready again afterwards', async () => {
  let down = false
  const ping = () => (down ? unavailable() : service.storage.ping())
  const { app, close } = await createTestApp({ storage: { ...service.storage, ping } })
  down = true
  const ready = await client(app).get('/health/ready')
  expect(ready.statusCode).toBe(503)
  expect(ready.json().error).toMatchObject({ code: 'not_ready', details: { storage: 'unavailable' } })
  expect(ready.headers['retry-after']).toBe('2')
  expect(ready.body).not.toContain('refused')
  expect((await client(app).get('/health/live')).statusCode).toBe(200)
  down = false
  await expect.poll(async () => (await client(app).get('/health/ready')).statusCode, { timeout: 60_000 }).toBe(200)
  await close()
})

it('reports the service as degraded while a rail, billing, email or the blob store is down', async () => {
  const { app, close } = await createTestApp({
    storage: service.storage,
    payments: { rails: [{ ...cashRail(), ping: unavailable }] },
    subscriptions: { billing: { ...cashBilling(), ping: unavailable } },
    email: { mailer: { send: async () => {}, ping: unavailable } },
    files: { blobStore: { ...directoryBlobs({ directory: service.directory }), ping: unavailable } },
  })
  const ready = await client(app).get('/health/ready')
  expect(ready.statusCode).toBe(200)
  expect(ready.json()).toEqual({
    status: 'degraded',
    degraded: { blobs: 'unavailable', billing: 'unavailable', mail: 'unavailable', cash: 'unavailable' },
  })
  expect(ready.headers['cache-control']).toBe('no-store')
  await close()
})

it('checks each part once for many concurrent probes', async () => {
  const ping = vi.fn(service.storage.ping)
  const { app, close } = await createTestApp({ storage: { ...service.storage, ping } })
  ping.mockClear()
  const answers = await Promise.all(Array.from({ length: 20 }, () => client(app).get('/health/ready')))
  expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(ping).toHaveBeenCalledTimes(1)
  await close()
})

it('reports the service as not ready as soon as it drains, also just after another probe, and still serves requests', async () => {
  const { app, eep, close } = await createTestApp({ storage: service.storage })
  expect((await client(app).get('/health/ready')).statusCode).toBe(200)
  eep.drain()
  const ready = await client(app).get('/health/ready')
  expect(ready.statusCode).toBe(503)
  expect(ready.json().error.details).toEqual({ service: 'stopping' })
  expect((await client(app).get('/u/ada')).statusCode).toBe(200)
  await close()
})

it('closes the connection of each response while it drains, so that clients open another one', async () => {
  const { app, eep, close } = await createTestApp({ storage: service.storage })
  const connections = async () =>
    Promise.all(
      ['/u/ada', '/nowhere', '/health/ready'].map(async (url) => (await client(app).get(url)).headers.connection),
    )
  expect(await connections()).toEqual(['keep-alive', 'keep-alive', 'keep-alive'])
  eep.drain()
  expect(await connections()).toEqual(['close', 'close', 'close'])
  await close()
})

it('answers a request that arrives on an open connection while the server closes', async () => {
  const entered = Promise.withResolvers<void>()
  const closing = Promise.withResolvers<void>()
  const { app, close } = await createTestApp({ storage: service.storage }, serverOptions, (app) => {
    app.addHook('preClose', async () => {
      entered.resolve()
      await closing.promise
    })
  })
  const address = await listen(app)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const get = (path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      request(address + path, { agent }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode))
      })
        .once('error', reject)
        .end()
    })
  expect(await get('/u/ada')).toBe(200)
  const closed = close()
  await entered.promise
  expect(await get('/u/ada')).toBe(200)
  closing.resolve()
  await closed
  agent.destroy()
})

/** An index of a host, whose methods are on the prototype and use `this`. */
class HostIndex implements SearchIndex {
  isDown = false
  async ping() {
    if (this.isDown) await unavailable()
  }
  async stats() {
    return { documents: 0, isRebuilding: false }
  }
  async position() {
    return undefined
  }
  async query() {
    return { hits: [], matches: 0, corrections: new Map(), mode: 'keyword' as const }
  }
  async suggest() {
    return []
  }
  async rebuild() {
    return { put: async () => {}, commit: async () => {}, discard: async () => {} }
  }
  async put() {}
  async remove() {}
  async mark() {}
}

it('checks a search index that is an instance of a class', async () => {
  const index = new HostIndex()
  const { app, close } = await createTestApp({ storage: service.storage, search: { index } })
  expect((await client(app).get('/health/ready')).json()).toEqual({ status: 'ok', ok: true })
  await close()
  index.isDown = true
  const other = await createTestApp({ storage: service.storage, search: { index } })
  expect((await client(other.app).get('/health/ready')).json()).toEqual({
    status: 'degraded',
    degraded: { search: 'unavailable' },
  })
  await other.close()
})
