import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { eep, serverOptions } from '@eep/core'
import { everything } from '@eep/core/everything'
import { directoryBlobs } from '@eep/core/files'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { openStorage, PUBLIC_URL, SECRET, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { field, fileOf, formOf } from '../support/files.ts'
import { exchange, openConnection } from '../support/raw-http.ts'

const BODY_TIMEOUT_MS = 200

let database: Awaited<ReturnType<typeof openStorage>>
let app: TestApp
let owner: Awaited<ReturnType<typeof signUp>>

beforeAll(async () => {
  database = await openStorage()
  app = Fastify(serverOptions)
  await app.register(eep, {
    publicUrl: PUBLIC_URL,
    secret: SECRET,
    storage: database.storage,
    modules: everything({
      files: {
        blobStore: directoryBlobs({ directory: `${process.env.TMPDIR ?? '/tmp'}/eep-listener-${process.pid}` }),
      },
    }),
    limits: { rateLimit: { multiplier: 1_000 } },
    auth: { passwordHashing: { memoryKiB: 1_024 } },
    http: { bodyTimeoutMs: BODY_TIMEOUT_MS },
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  owner = await signUp(app, 'ada')
})
afterAll(async () => {
  await app.close()
  await database.close()
})

const head = (line: string, headers: Record<string, string | number>) =>
  `${[`${line} HTTP/1.1`, 'Host: profiles.example', ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)].join('\r\n')}\r\n\r\n`

const json = { 'Content-Type': 'application/json', 'Content-Length': 100 }

describe('a request body that does not arrive', () => {
  it.each([
    ['a route', 'POST /auth/login', json],
    ['a chunked body', 'POST /auth/login', { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }],
    ['a path without a route', 'POST /nowhere', json],
  ])('returns 408 and closes the connection: %s', async (_, line, headers) => {
    const {
      status,
      body,
      headers: answered,
    } = await exchange(app, `${head(line, headers)}${'Content-Length' in headers ? '{' : '1\r\n{\r\n'}`)
    expect([status, JSON.parse(body).error.code]).toEqual([408, 'body_timeout'])
    expect(answered).toMatchObject({ connection: 'close', 'cache-control': 'no-store' })
    expect(answered).toHaveProperty('x-ratelimit-remaining')
  })

  // A name in the header of gzip may be as long as a client likes.
  const GZIP_WITH_NAME = Buffer.from('1f8b0808000000000003', 'hex')

  it.each([
    ['plain', {}, Buffer.from('{')],
    ['compressed', { 'Content-Encoding': 'gzip' }, GZIP_WITH_NAME],
  ])(
    'returns 408 after the whole time, whatever arrives until then: a byte each 100 ms, %s',
    async (_, headers, begin) => {
      const connection = await openConnection(app)
      const chunked = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
      connection.send(head('POST /auth/login', { ...chunked, ...headers }))
      connection.send(Buffer.concat([Buffer.from(`${begin.length.toString(16)}\r\n`), begin, Buffer.from('\r\n')]))
      const dripping = setInterval(() => connection.send('1\r\n \r\n'), 100)
      onTestFinished(() => clearInterval(dripping))
      const { status, body } = await connection.response()
      expect([status, JSON.parse(body).error.code]).toEqual([408, 'body_timeout'])
    },
  )

  it.each([
    ['refused before its body was read', 'POST /api-keys', 401],
    ['read without its body', 'GET /u/ada', 200],
  ])('closes the connection of a request that was %s', async (_, line, status) => {
    const answer = await exchange(app, `${head(line, json)}{`)
    expect(answer.status).toBe(status)
  })

  it('does not keep 200 connections with stalled bodies open', async () => {
    const connections = await Promise.all(Array.from({ length: 200 }, () => openConnection(app)))
    for (const { send } of connections) send(`${head('POST /auth/login', json)}{`)
    const answers = await Promise.all(connections.map(({ response }) => response()))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([408]))
    await expect.poll(() => new Promise((done) => app.server.getConnections((_, count) => done(count)))).toBe(0)
  })

  it('does not end an upload that takes longer', async () => {
    const { payload, headers } = formOf([field('username', 'ada'), fileOf('Hello, slowly.')])
    const connection = await openConnection(app)
    connection.send(
      head('POST /files', {
        'Content-Type': headers['content-type'] ?? '',
        'Content-Length': payload.length,
        Authorization: `Bearer ${owner.token}`,
        Connection: 'close',
      }),
    )
    connection.send(payload.subarray(0, 40))
    await sleep(3 * BODY_TIMEOUT_MS)
    connection.send(payload.subarray(40))
    const { status, body } = await connection.response()
    expect([status, body]).toEqual([200, expect.stringContaining('"filename"')])
  })

  it('does not end a response that takes longer', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const slow = Fastify(serverOptions)
    await slow.register(eep, {
      publicUrl: PUBLIC_URL,
      secret: SECRET,
      storage: database.storage,
      http: { bodyTimeoutMs: BODY_TIMEOUT_MS },
      hooks: { beforeRegister: () => released },
    })
    await slow.listen({ port: 0, host: '127.0.0.1' })
    const payload = JSON.stringify({ email: 'slow@example.com', username: 'slow', password: 'Correct horse 7 battery' })
    const connection = await openConnection(slow)
    const answer = once(slow.server, 'request')
    connection.send(
      `${head('POST /auth/register', { ...json, 'Content-Length': payload.length, Connection: 'close' })}${payload}`,
    )
    await answer
    await sleep(3 * BODY_TIMEOUT_MS)
    release()
    expect((await connection.response()).status).toBe(201)
    await slow.close()
  })
})

describe('a request that is not HTTP', () => {
  it.each([
    ['an unknown method', 'NONSENSE /u/ada HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'malformed_request'],
    ['bytes of another protocol', '\x16\x03\x01\x02\x00\x01\x00\r\n\r\n', 400, 'malformed_request'],
    ['a space in the target', 'GET /u/a da HTTP/1.1\r\nHost: a\r\n\r\n', 400, 'malformed_request'],
    [
      'two lengths',
      'POST /auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{',
      400,
      'malformed_request',
    ],
    [
      'a chunk without a size',
      'POST /auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      400,
      'malformed_request',
    ],
    [
      'headers without end',
      `GET /u/ada HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'a path that cannot be decoded',
      'GET /u/%c0 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      400,
      'invalid_url',
    ],
    [
      'a part of the path that is too long',
      `GET /u/${'a'.repeat(2_000)} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      414,
      'url_too_long',
    ],
  ])('answers a malformed request in the error format of the service: %s', async (_, text, status, code) => {
    const answer = await exchange(app, text)
    expect(answer.status).toBe(status)
    expect(JSON.parse(answer.body)).toEqual({ error: { code, message: expect.any(String) } })
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'eep-version': '0.1',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': expect.stringContaining('Retry-After'),
      vary: 'Origin',
      connection: 'close',
    })
    expect(Number(answer.headers['x-ratelimit-limit'])).toBeGreaterThan(0)
    expect(Number(answer.headers['x-ratelimit-remaining'])).toBeGreaterThanOrEqual(0)
    expect(Number(answer.headers['x-ratelimit-reset'])).toBeGreaterThan(Date.now() / 1_000 - 1)
    expect(answer.headers.ratelimit).toMatch(/^"default";r=\d+;t=\d+$/)
  })

  it.each([
    ['no Host', 'GET /u/ada HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['no Host, on a path without a route', 'GET /nowhere HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['no Host, on a path that would redirect', 'GET /u/Ada/ HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two Hosts', 'GET /u/ada HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n'],
    ['the same Host twice', 'GET /u/ada HTTP/1.1\r\nHost: a\r\nHOST: a\r\nConnection: close\r\n\r\n'],
  ])('refuses a request with %s, in the error format of the service', async (_, text) => {
    const answer = await exchange(app, text)
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([400, 'malformed_request'])
    expect(answer.headers).toHaveProperty('x-ratelimit-remaining')
  })

  it('accepts HTTP/1.0 without Host', async () => {
    expect((await exchange(app, 'GET /u/ada HTTP/1.0\r\n\r\n')).status).toBe(200)
  })

  it('counts malformed requests of a connection like others of its address', async () => {
    const remaining = async (text: string) => Number((await exchange(app, text)).headers['x-ratelimit-remaining'])
    const first = await remaining('NONSENSE / HTTP/1.1\r\n\r\n')
    expect(await remaining('NONSENSE / HTTP/1.1\r\n\r\n')).toBeLessThan(first)
  })

  it('continues to serve after malformed requests', async () => {
    expect((await client(app).get('/u/ada')).statusCode).toBe(200)
  })
})

describe('server options', () => {
  it('process 100 requests of a connection, however many it sends together', async () => {
    let started = 0
    const small = Fastify(serverOptions)
    small.addHook('onRequest', async () => {
      started += 1
    })
    await small.register(eep, { publicUrl: PUBLIC_URL, secret: SECRET, storage: database.storage })
    await small.listen({ port: 0, host: '127.0.0.1' })
    onTestFinished(async () => void (await small.close()))
    const connection = await openConnection(small)
    connection.send('GET /health/live HTTP/1.1\r\nHost: profiles.example\r\n\r\n'.repeat(1_000))
    onTestFinished(() => void connection.destroy())
    const answers = () => connection.received().match(/HTTP\/1\.1 \d+/g) ?? []
    await expect.poll(() => answers().length).toBe(1_000)
    expect(started).toBe(100)
    expect(answers().filter((line) => line.endsWith('200'))).toHaveLength(100)
    expect((await client(small).get('/health/live')).statusCode).toBe(200)
  })

  it('limits headers, whole requests and idle connections', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout } = app.server
    expect({ headersTimeout, requestTimeout, keepAliveTimeout }).toEqual({
      headersTimeout: 30_000,
      requestTimeout: 7_200_000,
      keepAliveTimeout: 72_000,
    })
  })
})

describe('a client of HTTP/1.0', () => {
  it('may keep its connection, and loses it when it does not wait for the answer', async () => {
    const text = head('GET /health/live', { Connection: 'keep-alive' }).replace('HTTP/1.1', 'HTTP/1.0')
    const patient = await openConnection(app)
    onTestFinished(() => void patient.destroy())
    const answers = () => patient.received().match(/HTTP\/1\.1 200/g)?.length ?? 0
    for (const sent of [1, 2, 3]) {
      patient.send(text)
      await expect.poll(answers).toBe(sent)
    }
    const flood = await openConnection(app)
    flood.send(text.repeat(1_000))
    await flood.closed
    expect(flood.received().match(/HTTP\/1\.1 200/g)?.length ?? 0).toBeLessThan(2)
    expect((await client(app).get('/health/live')).statusCode).toBe(200)
  })
})

describe('rate limits of URLs without a route', () => {
  it('counts malformed and overlong URLs, and sends rate limit headers with them', async () => {
    const small = Fastify(serverOptions)
    await small.register(eep, {
      publicUrl: PUBLIC_URL,
      secret: SECRET,
      storage: database.storage,
      limits: { rateLimit: { multiplier: 0.02 } },
    })
    await small.ready()
    const malformed = await client(small).get('/u/%c0')
    expect([malformed.statusCode, malformed.headers['x-ratelimit-remaining']]).toEqual([400, '1'])
    const overlong = await client(small).get(`/u/${'a'.repeat(2_000)}`)
    expect([overlong.statusCode, overlong.headers['x-ratelimit-remaining']]).toEqual([414, '0'])
    const refused = await client(small).get('/u/%c0')
    expect([refused.statusCode, refused.json().error.code]).toEqual([429, 'rate_limited'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await client(small).get('/u/ada')).statusCode).toBe(429)
    await small.close()
  })

  it('counts routes of the host that use the hook of the service', async () => {
    const host = Fastify()
    await host.register(eep, {
      publicUrl: PUBLIC_URL,
      secret: SECRET,
      storage: database.storage,
      prefix: '/eep',
      limits: { rateLimit: { multiplier: 0.02 } },
    })
    await host.register(async (pages) => {
      pages.addHook('onRequest', host.eep.countRequest)
      pages.get('/about', async () => 'About us')
    })
    await host.ready()
    expect((await client(host).get('/about')).headers['x-ratelimit-remaining']).toBe('1')
    expect((await client(host).get('/eep/u/ada')).headers['x-ratelimit-remaining']).toBe('0')
    const refused = await client(host).get('/about')
    expect([refused.statusCode, refused.headers['x-ratelimit-remaining']]).toEqual([429, '0'])
    await host.close()
  })
})

it('responds while the timers of a test are fake', async () => {
  vi.useFakeTimers({ toFake: ['setImmediate', 'setTimeout', 'setInterval'] })
  try {
    expect((await client(app).get('/health/live')).statusCode).toBe(200)
  } finally {
    vi.useRealTimers()
  }
})
