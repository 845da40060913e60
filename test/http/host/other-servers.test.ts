import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { toFetchHandler, toNodeHandler } from '@eep/core'
import { directoryBlobs } from '@eep/core/files'
import type { BlobStore } from '@eep/core/ports'
import { cashRail, createCashWallets } from '@eep/core/testing'
import { type HttpBindings, serve } from '@hono/node-server'
import express from 'express'
import Fastify, { type FastifyRequest } from 'fastify'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { createTestApp, type TestApp } from '../../support/app.ts'
import { BOUNDARY, field, fileOf, formOf, upload } from '../../support/files.ts'
import { openShop, SECRET_WORD } from '../../support/shop.ts'

const MiB = 1024 * 1024
const LARGE = randomBytes(12 * MiB)
/** What sockets and streams between the service and a client may hold, twice what was measured. */
const MOST_IN_BETWEEN = 10 * MiB
const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

const cashWallets = createCashWallets()
let test: Awaited<ReturnType<typeof createTestApp>>
let owner: Awaited<ReturnType<typeof signUp>>
let shop: Awaited<ReturnType<typeof openShop>>
let large: string

/** How many bytes the service has read of the blob that is being read. */
let bytesRead = 0
/** What the host's routes have seen of a client that disconnects. */
let disconnected = Promise.withResolvers<void>()

function countReads(store: BlobStore): BlobStore {
  return {
    ...store,
    async get(key, range) {
      const content = await store.get(key, range)
      bytesRead = 0
      content?.body.on('data', (chunk: Buffer) => {
        bytesRead += chunk.length
      })
      // The service begins to read when it wants to.
      content?.body.pause()
      return content
    },
  }
}

/** Waits until the service stops reading because its answer is not read. */
async function untilReadingStops(): Promise<void> {
  for (let before = -1; before !== bytesRead; await sleep(300)) before = bytesRead
}

/** Routes of a host, for what no route of the service does. */
function addHostRoutes(app: TestApp) {
  app.register(app.eep.http, { prefix: '/eep' })
  app.register(async (host) => {
    host.addContentTypeParser(
      'application/octet-stream',
      { parseAs: 'buffer' },
      async (_: unknown, body: unknown) => body,
    )
    host.all('/host/echo', async ({ method, url, ip, headers, body }, reply) => {
      reply.header('set-cookie', ['a=1; Path=/', 'b=2; Expires=Wed, 21 Oct 2037 07:28:00 GMT'])
      if (Buffer.isBuffer(body)) return reply.type('application/octet-stream').send(body)
      return {
        method,
        url,
        ip,
        language: headers['accept-language'],
        cookie: headers.cookie,
        length: headers['content-length'],
      }
    })
    host.get('/host/nothing', async (_request, reply) => reply.code(204).send())
    const endless = (request: FastifyRequest) => {
      disconnected = Promise.withResolvers()
      request.raw.socket.once('close', () => disconnected.resolve())
      const body = new Readable({ read() {} })
      body.push('data: first\n\n')
      return body
    }
    host.get('/host/events', async (request, reply) => reply.type('text/event-stream').send(endless(request)))
    host.get('/host/wait', async (request) => {
      endless(request)
      await disconnected.promise
    })
    host.get('/host/destroy', async (_request, reply) => void reply.raw.destroy())
    host.get('/host/break', async (_request, reply) => {
      const body = new Readable({ read() {} })
      body.push('some')
      setImmediate(() => body.destroy(new Error('the disk is gone')))
      return reply.send(body)
    })
  })
}

beforeAll(async () => {
  const directory = `${import.meta.dirname}/../../../node_modules/.cache/other-servers-${process.pid}`
  test = await createTestApp(
    {
      payments: { rails: [cashRail({ cashWallets })] },
      limits: { plans: { community: { maxFileMb: 32 } } },
      files: { blobStore: countReads(directoryBlobs({ directory })) },
    },
    {},
    addHostRoutes,
  )
  owner = await signUp(test.app)
  shop = await openShop(test.app, 'shop')
  const response = await upload(test.app, [field('username', owner.account.username), fileOf(LARGE)], owner.headers)
  large = `/eep/files/${response.json().id}`
})
afterAll(() => test.close())

type Send = (path: string, init?: RequestInit) => Promise<Response>
interface Carrier {
  readonly send: Send
  close(): Promise<unknown>
}

async function overHttp(server: Server): Promise<Carrier> {
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    send: (path, init) => fetch(origin + path, init),
    async close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const carriers: Record<string, () => Promise<Carrier>> = {
  'node:http': () => overHttp(createServer(toNodeHandler(test.app))),
  Express: () =>
    overHttp(
      createServer(
        express()
          .use(['/eep', '/host'], toNodeHandler(test.app))
          .use(express.json())
          .get('/', (_request, response) => void response.send('of Express')),
      ),
    ),
  Hono: () => {
    const handle = toFetchHandler(test.app, {
      clientAddress: (_request, { incoming }: HttpBindings) => incoming.socket.remoteAddress,
    })
    const hono = new Hono<{ Bindings: HttpBindings }>()
    for (const path of ['/eep/*', '/host/*']) hono.all(path, (context) => handle(context.req.raw, context.env))
    hono.get('/', (context) => context.text('of Hono'))
    return overHttp(serve({ fetch: hono.fetch, port: 0, hostname: '127.0.0.1' }) as Server)
  },
  'a route handler of Next.js': async () => {
    const handle = toFetchHandler(test.app, { clientAddress: () => '127.0.0.1' })
    return {
      send: (path, init) => handle(new Request(`https://shop.example${path}`, init)),
      close: async () => {},
    }
  },
}

describe.each(Object.keys(carriers))('through %s', (name) => {
  let send: Send
  let close: () => Promise<unknown>
  beforeAll(async () => {
    const carrier = await carriers[name]?.()
    if (!carrier) throw new Error(name)
    ;({ send, close } = carrier)
  })
  afterAll(() => close())

  it('serves a page below the prefix, and links include the prefix', async () => {
    const response = await send(`/eep${shop.profile}`, { headers: { accept: 'text/html' } })
    expect(response.status).toBe(200)
    expect(await response.text()).toContain(`href="/eep${shop.contents}`)
  })

  it('returns 402 and sells a page for a payment in the next request', async () => {
    const offered = await send(`/eep${shop.paid}`)
    expect(offered.status).toBe(402)
    expect(await offered.json()).toMatchObject({ error: { code: 'payment_required' } })

    const payment = cashWallets.answer(offered.headers.get('payment-required') ?? '', {
      wallet: `wallet:${name.replaceAll(' ', '-')}`,
    })
    const paid = await send(`/eep${shop.paid}`, { headers: payment })
    expect(paid.status).toBe(200)
    expect(await paid.text()).toContain(SECRET_WORD)
    expect(JSON.parse(Buffer.from(paid.headers.get('payment-response') ?? '', 'base64').toString())).toMatchObject({
      success: true,
    })
  })

  it('sends a large file as fast as the client reads it', async () => {
    const response = await send(large, { headers: owner.headers })
    expect(response.headers.get('content-length')).toBe(String(LARGE.length))
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const chunks = [(await reader.read()).value ?? new Uint8Array()]
    await untilReadingStops()
    expect(bytesRead).toBeLessThan(MOST_IN_BETWEEN)
    for (let part = await reader.read(); !part.done; part = await reader.read()) chunks.push(part.value)
    expect(digestOf(Buffer.concat(chunks))).toBe(digestOf(LARGE))
  })

  it('sends a range of a file, and headers only to HEAD', async () => {
    const range = await send(large, { headers: { ...owner.headers, range: 'bytes=1000000-1000009' } })
    expect(range.status).toBe(206)
    expect(range.headers.get('content-range')).toBe(`bytes 1000000-1000009/${LARGE.length}`)
    expect(Buffer.from(await range.arrayBuffer())).toEqual(LARGE.subarray(1_000_000, 1_000_010))

    const head = await send(large, { method: 'HEAD', headers: owner.headers })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, `${LARGE.length}`, ''])
  })

  it('returns 304 and 204 without a body', async () => {
    const etag = (await send(large, { headers: owner.headers })).headers.get('etag') ?? ''
    const again = await send(large, { headers: { ...owner.headers, 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
    const nothing = await send('/host/nothing')
    expect([nothing.status, await nothing.text()]).toEqual([204, ''])
  })

  it('takes an upload', async () => {
    const content = randomBytes(2 * MiB)
    const { payload } = formOf([field('username', owner.account.username), fileOf(content)])
    const uploaded = await send('/eep/files', {
      method: 'POST',
      headers: { ...owner.headers, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
      // A stream, so that its length is not announced.
      body: Readable.toWeb(Readable.from([payload.subarray(0, MiB), payload.subarray(MiB)])) as ReadableStream,
      duplex: 'half',
    })
    const { id } = (await uploaded.json()) as { id: string }
    const stored = await send(`/eep/files/${id}`, { headers: owner.headers })
    expect(digestOf(new Uint8Array(await stored.arrayBuffer()))).toBe(digestOf(content))
  })

  it('passes method, path, headers, address and raw bytes', async () => {
    const response = await send('/host/echo?q=%C3%A9&q=2', {
      method: 'DELETE',
      headers: { 'accept-language': 'de', cookie: 'x=1; y=2' },
    })
    expect(await response.json()).toMatchObject({
      method: 'DELETE',
      url: '/host/echo?q=%C3%A9&q=2',
      ip: '127.0.0.1',
      language: 'de',
      cookie: 'x=1; y=2',
    })
    expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2; Expires=Wed, 21 Oct 2037 07:28:00 GMT'])

    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    for (const method of ['POST', 'DELETE']) {
      const headers = { 'content-type': 'application/octet-stream' }
      const echoed = await send('/host/echo', { method, headers, body: bytes })
      expect(new Uint8Array(await echoed.arrayBuffer()), method).toEqual(bytes)
    }
  })

  it('returns 404, 400 and 413 in the format of the service', async () => {
    const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code
    expect(await codeOf(await send('/eep/u/unknown'))).toBe('profile_not_found')
    const json = { 'content-type': 'application/json' }
    expect(await codeOf(await send('/eep/auth/login', { method: 'POST', headers: json, body: '{' }))).toBe(
      'malformed_json',
    )
    const huge = await send('/eep/auth/login', { method: 'POST', headers: json, body: Buffer.alloc(2 * MiB, ' ') })
    expect([huge.status, await codeOf(huge)]).toEqual([413, 'payload_too_large'])
  })

  it('answers a request before its body was read, and the next one too', async () => {
    const json = { 'content-type': 'application/json' }
    const refused = await send('/eep/manage/pages', { method: 'POST', headers: json, body: Buffer.alloc(4 * MiB, ' ') })
    expect(refused.status).toBe(401)
    expect((await refused.text()).length).toBeGreaterThan(0)
    expect((await send('/host/echo')).status).toBe(200)
  })

  it('ends a response whose client disconnects, also before its headers', async () => {
    const leaving = new AbortController()
    const events = await send('/host/events', { signal: leaving.signal })
    const reader = (events.body as ReadableStream<Uint8Array>).getReader()
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe('data: first\n\n')
    leaving.abort()
    await disconnected.promise

    const giving = new AbortController()
    disconnected = Promise.withResolvers()
    const waiting = disconnected
    const never = send('/host/wait', { signal: giving.signal }).then(
      ({ status }) => status,
      ({ name }) => name,
    )
    await expect.poll(() => disconnected !== waiting).toBe(true)
    giving.abort()
    await disconnected.promise
    expect(['AbortError', 499]).toContain(await never)
  })

  it('ends a response whose body the client cancels', async () => {
    const events = await send('/host/events')
    await events.body?.cancel()
    await disconnected.promise
  })

  it('fails where the application ends the connection', async () => {
    const broken = await send('/host/break')
    await expect(broken.text()).rejects.toThrow()
    const destroyed = await send('/host/destroy').then(
      ({ status }) => status,
      () => 'rejected',
    )
    // Hono answers an error of its handler with 500.
    expect(destroyed).toBe(name === 'Hono' ? 500 : 'rejected')
  })
})

describe('toFetchHandler', () => {
  const handle = () => toFetchHandler(test.app, { clientAddress: (_request, address: string | undefined) => address })

  it('gives the application the address that an option finds', async () => {
    const ipFor = async (address: string | undefined) =>
      ((await (await handle()(new Request('http://x/host/echo'), address)).json()) as { ip: string }).ip
    expect(await ipFor('203.0.113.7')).toBe('203.0.113.7')
    expect(await ipFor('2001:db8::1')).toBe('2001:db8::1')
    expect(await ipFor(undefined)).toBe('::')
    expect(await ipFor('')).toBe('::')
  })

  it('reads a large file in small steps', async () => {
    const response = await handle()(new Request(`http://x${large}`, { headers: owner.headers }), undefined)
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    await reader.read()
    await untilReadingStops()
    expect(bytesRead).toBeLessThan(MiB)
    await reader.cancel()
  })

  it('rejects a body that is not as long as announced', async () => {
    for (const length of ['3', '300']) {
      const headers = { 'content-type': 'application/octet-stream', 'content-length': length }
      const request = new Request('http://x/host/echo', {
        method: 'POST',
        headers,
        body: 'GET /host/nothing HTTP/1.1\r\n\r\n',
      })
      await expect(handle()(request, undefined), length).rejects.toThrow('does not match Content-Length')
    }
  })

  it('rejects a request whose announced body is missing, but serves GET and HEAD without the length', async () => {
    const answer = (method: string) =>
      handle()(new Request('http://x/host/echo', { method, headers: { 'content-length': '5' } }), undefined)
    for (const method of ['POST', 'DELETE'])
      await expect(answer(method), method).rejects.toThrow('does not match Content-Length')
    expect(await (await answer('GET')).json()).not.toHaveProperty('length')
    expect((await answer('HEAD')).status).toBe(200)
  })

  it('rejects when the body of the request fails', async () => {
    const body = new ReadableStream({
      pull(controller) {
        controller.error(new Error('the client is gone'))
      },
    })
    const headers = { 'content-type': 'application/octet-stream' }
    const request = new Request('http://x/host/echo', { method: 'POST', headers, body, duplex: 'half' })
    await expect(handle()(request, undefined)).rejects.toThrow('the client is gone')
  })

  it('returns 499 to a client that disconnected before', async () => {
    const request = new Request('http://x/host/echo', { signal: AbortSignal.abort() })
    expect((await handle()(request, undefined)).status).toBe(499)
  })

  it('rejects when the application cannot start', async () => {
    const app = Fastify()
    app.register(async () => {
      throw new Error('no database')
    })
    const failing = toFetchHandler(app, { clientAddress: () => undefined })
    await expect(failing(new Request('http://x/'))).rejects.toThrow('no database')
  })
})

describe('toNodeHandler', () => {
  /** The status and the body of a response to a POST of JSON. */
  async function post(server: Server, path: string) {
    const { send, close } = await overHttp(server)
    const response = await send(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
    const answer = [response.status, await response.text()]
    await close()
    return answer
  }

  it('fails immediately when a body parser of Express ran first', async () => {
    const handler = toNodeHandler(test.app)
    const server = express()
      .use(express.json(), handler)
      .use(
        ((error, _request, response, _next) =>
          void response.status(500).send(error.message)) as express.ErrorRequestHandler,
      )
    expect(await post(createServer(server), '/eep/auth/login')).toEqual([
      500,
      'The request body was read before toNodeHandler() got it: mount the handler before body parsers such as express.json()',
    ])
  })

  it('logs why the application cannot start, and returns 500', async () => {
    const logged: string[] = []
    const stream = { write: (line: string) => void logged.push(line) }
    const app = Fastify({ logger: { level: 'error', stream } })
    app.register(async () => {
      throw new Error('no database')
    })
    expect(await post(createServer(toNodeHandler(app)), '/')).toEqual([500, ''])
    expect(logged.join()).toContain('no database')
  })
})
