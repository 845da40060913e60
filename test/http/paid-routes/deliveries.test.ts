import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { expect, it, onTestFinished } from 'vitest'
import { contentDigest, openPaidRoutes, RENDERED } from '../../support/paid-routes.ts'
import { header } from '../../support/shop.ts'

const PRICE = 250_000n
const RENDER = 'POST /render'
const LARGE = RENDERED.repeat(500_000)

/** A service that listens, with one paid route. */
async function open(options: Parameters<typeof openPaidRoutes>[0][string] = {}) {
  const test = await openPaidRoutes({ [RENDER]: { maxAnswerBytes: 16_000_000, ...options } })
  const url = new URL(await test.app.listen({ port: 0, host: '127.0.0.1' }))
  onTestFinished(async () => {
    test.app.server.closeAllConnections()
    await test.close()
  })
  /** Sends a request and hangs up when the first bytes of its answer arrive. */
  async function hangUp(body: string, credential: Record<string, string>) {
    const socket = connect(Number(url.port), url.hostname)
    const head = Object.entries({ ...credential, 'content-type': 'text/plain' }).map(
      ([name, value]) => `${name}: ${value}`,
    )
    socket.write(
      `POST /render HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n${head.join('\r\n')}\r\n\r\n${body}`,
    )
    await once(socket, 'data')
    socket.resetAndDestroy()
    await once(socket, 'close')
  }
  return { ...test, url, hangUp, text: { 'content-type': 'text/plain' } }
}

it.each(['before', 'after'] as const)(
  'repeats an answer whose connection broke without running again, charged %s',
  async (charge) => {
    const test = await open({ charge })
    test.renderer.on('/render', (_request, reply) => reply.header('x-pages', '3').type('text/plain').send(LARGE))
    const credential = await test.payment(RENDER, 'a text', {}, test.text)
    await test.hangUp('a text', credential)
    const again = await test.send(RENDER, 'a text', { ...test.text, ...credential })
    expect([again.statusCode, again.body === LARGE, header(again, 'x-pages')]).toEqual([200, true, '3'])
    expect([test.renderer.runs.length, test.earned()]).toEqual([1, PRICE])
    expect((await test.send(RENDER, 'a text', { ...test.text, ...credential })).statusCode).toBe(402)
  },
)

it('gives a kept answer to no client that rebuilt the credential', async () => {
  const test = await open()
  test.renderer.on('/render', (_request, reply) => reply.type('text/plain').send(LARGE))
  const credential = await test.payment(RENDER, 'a text', {}, test.text)
  await test.hangUp('a text', credential)
  // The same signature in another envelope: everything in it is public once it is settled.
  const envelope = JSON.parse(Buffer.from(credential['payment-signature'], 'base64').toString())
  const rebuilt = Buffer.from(JSON.stringify({ ...envelope, resource: { url: 'https://other.example' } })).toString(
    'base64',
  )
  const stranger = await test.send(RENDER, 'a text', { ...test.text, 'payment-signature': rebuilt })
  expect([stranger.statusCode, stranger.json().error.details.reason]).toEqual([402, 'credential_already_used'])
  expect((await test.send(RENDER, 'a text', { ...test.text, ...credential })).body).toBe(LARGE)
})

it('streams an answer that is charged before, and runs again when it breaks', async () => {
  const test = await open()
  const { Readable } = await import('node:stream')
  test.renderer.on('/render', (_request, reply) =>
    reply.type('text/plain').send(
      Readable.from(
        (async function* () {
          yield 'first '
          await sleep(300)
          yield 'second'
        })(),
      ),
    ),
  )
  const credential = await test.payment(RENDER, 'a text', {}, test.text)
  await test.hangUp('a text', credential)
  await expect
    .poll(async () => (await test.send(RENDER, 'a text', { ...test.text, ...credential })).body, { timeout: 10_000 })
    .toBe('first second')
  expect(test.earned()).toBe(PRICE)
})

it.each([
  ['a stream that fails before its first byte', 500],
  ['a fetch response with an error', 502],
] as const)('does not count %s as delivered', async (what, status) => {
  const test = await open()
  const { Readable } = await import('node:stream')
  test.renderer.on('/render', (_request, reply) => {
    if (status === 502) return new Response('sorry', { status })
    const stream = new Readable({ read: () => stream.destroy(new Error(what)) })
    return reply.type('text/plain').send(stream)
  })
  const send = (credential: Record<string, string>) =>
    fetch(new URL('/render', test.url), { method: 'POST', body: 'a text', headers: { ...test.text, ...credential } })
  const credential = await test.payment(RENDER, 'a text', {}, test.text)
  const failed = await send(credential)
  expect([failed.status, failed.headers.get('payment-receipt')]).toEqual([status, null])
  test.renderer.on('/render', () => RENDERED)
  expect([(await send(credential)).status, (await send(credential)).status]).toEqual([200, 402])
  expect(test.earned()).toBe(PRICE)
})

it('ends the payment of an answer that passes by the hooks of its route', async () => {
  const test = await open()
  test.renderer.on('/render', (_request, reply) => reply.callNotFound())
  const credential = await test.payment(RENDER, 'a text', {}, test.text)
  const send = () => test.send(RENDER, 'a text', { ...test.text, ...credential })
  expect((await send()).statusCode).toBe(404)
  test.renderer.on('/render', (_request, reply) => {
    reply.hijack()
    reply.raw.end(RENDERED)
  })
  expect((await send()).body).toBe(RENDERED)
  expect((await send()).json().error.details.reason).toBe('credential_already_used')
  expect([test.renderer.runs.length, test.earned()]).toEqual([2, PRICE])
})

it('gives a reservation back when the answer passes by the hooks of its route', async () => {
  const test = await open({ charge: 'after', maxOpen: 1 })
  test.renderer.on('/render', (_request, reply) => reply.callNotFound())
  for (const text of ['one', 'two']) expect((await test.pay(RENDER, text, {}, test.text)).statusCode).toBe(404)
  expect(test.earned()).toBe(0n)
})

it('gives a kept answer of one request to no other request of its payer', async () => {
  const test = await open()
  test.renderer.on('/render', (request, reply) =>
    request.body === 'bad' ? reply.code(422).send({}) : reply.type('text/plain').send(LARGE),
  )
  const credential = await test.payment(RENDER, 'bad', {}, test.text)
  expect((await test.send(RENDER, 'bad', { ...test.text, ...credential })).statusCode).toBe(422)
  await test.hangUp('good', credential)
  expect((await test.pay(RENDER, 'bad', {}, test.text)).statusCode).toBe(422)
  expect((await test.send(RENDER, 'good', { ...test.text, ...credential })).body).toBe(LARGE)
  expect([test.renderer.runs.length, test.earned()]).toEqual([3, 2n * PRICE])
})

it('gives a kept answer to no other credential where the content is not bound', async () => {
  const test = await open({ digest: 'none' })
  test.renderer.on('/render', (request, reply) =>
    request.body === 'one' ? reply.type('text/plain').send(LARGE) : RENDERED,
  )
  await test.hangUp('one', await test.payment(RENDER, 'one', {}, test.text))
  expect((await test.pay(RENDER, 'two', {}, test.text)).body).toBe(RENDERED)
})

it('hashes the content as it was received, before the host decodes it', async () => {
  const { Readable } = await import('node:stream')
  const zipped = gzipSync(JSON.stringify({ text: 'zipped' }))
  const cash = await openPaidRoutes({}, {}, (app, sellerId) => {
    const hooks = app.eep.paidRoute(
      { profile: sellerId, resource: 'api.zipped', price: { amount: 0.25, currency: 'usdc', per: 'request' } },
      {
        preParsing: async (request, _reply, payload) => {
          if (request.headers['content-encoding'] !== 'gzip') return payload
          const parts: Buffer[] = []
          for await (const part of payload) parts.push(Buffer.from(part))
          const plain = gunzipSync(Buffer.concat(parts))
          return Object.assign(Readable.from([plain]), { receivedEncodedLength: zipped.length })
        },
      },
    )
    app.post('/zipped', hooks, async (request) => request.body)
  })
  onTestFinished(() => cash.close())
  const headers = {
    'content-type': 'application/json',
    'content-encoding': 'gzip',
    'content-digest': contentDigest(zipped as unknown as string),
  }
  const paid = await cash.pay('POST /zipped', zipped, {}, headers)
  expect([paid.statusCode, paid.json()]).toEqual([200, { text: 'zipped' }])
})

it('sells an empty POST and a GET', async () => {
  const test = await openPaidRoutes({ 'POST /empty': {}, 'GET /quote': { charge: 'after' }, 'PUT /put': {} })
  onTestFinished(() => test.close())
  for (const line of ['POST /empty', 'GET /quote', 'PUT /put'])
    expect((await test.pay(line)).statusCode, line).toBe(200)
  expect((await test.send('HEAD /quote')).statusCode).toBe(402)
  expect(test.earned()).toBe(3n * PRICE)
})
