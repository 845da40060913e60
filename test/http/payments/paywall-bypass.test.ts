import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../support/client.ts'
import { createCashApp, header, openShop, SECRET_WORD, type Shop } from '../../support/shop.ts'

let test: Awaited<ReturnType<typeof createCashApp>>
let shop: Shop
let gateway: FastifyInstance
let etag: string

beforeAll(async () => {
  test = await createCashApp()
  shop = await openShop(test.app, 'keeper')
  // The page was read before, so that a cached answer could leak it.
  const owners = await shop.get(shop.paid)
  etag = header(owners, 'etag')
  gateway = Fastify()
  await gateway.register(test.eep.http, { prefix: '/api' })
  for (const app of [test.app, gateway]) await app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  for (const { server } of [test.app, gateway]) server.closeAllConnections()
  await gateway.close()
  await test.close()
})

/** Sends a request exactly as written, as no client library would. */
function sendTo({ server }: FastifyInstance, requestLine: string, headers: readonly string[] = []): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.setTimeout(5_000, () => socket.destroy(new Error('no answer')))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('end', () => resolve(Buffer.concat(chunks).toString('latin1')))
    socket.on('error', reject)
    socket.write([requestLine, 'Host: profiles.example', 'Connection: close', ...headers, '', ''].join('\r\n'))
  })
}

const path = '/u/keeper/content/notes/engines'

const spellings = [
  path,
  `${path}/`,
  `${path}//`,
  `${path}?`,
  `${path}?format=json`,
  `${path}?format=toon`,
  `${path}?format=markdown&format=json`,
  `${path}#x`,
  `${path};jsessionid=1`,
  `${path}.md`,
  `${path}.json`,
  `${path}.toon`,
  `${path}%20`,
  `${path}%00`,
  `${path}%0a`,
  `${path}%0d%0a`,
  `${path}%`,
  `${path}%c0`,
  `${path}%c0%af`,
  `${path}%ff`,
  `${path}%e2%80%8b`,
  `${path}\t`,
  '/u/keeper/content/notes/%65ngines',
  '/u/keeper/content/notes/%45ngines',
  '/u/keeper/content/notes/%2565ngines',
  '/u/keeper/content/%6eotes/engines',
  '/u/keeper/%63ontent/notes/engines',
  '/%75/keeper/content/notes/engines',
  '/u/k%65eper/content/notes/engines',
  '/u/keeper/content/notes%2fengines',
  '/u/keeper/content/notes%2Fengines',
  '/u/keeper/content%2fnotes%2fengines',
  '/u/keeper/content/notes%5cengines',
  '/u/keeper/content/notes\\engines',
  '/u/keeper/content//notes/engines',
  '/u/keeper/content/notes//engines',
  '//u/keeper/content/notes/engines',
  '/u//keeper/content/notes/engines',
  '/u/keeper/content/./notes/engines',
  '/u/keeper/content/notes/./engines',
  '/u/keeper/content/x/../notes/engines',
  '/u/keeper/content/welcome/../notes/engines',
  '/u/keeper/content/%2e%2e/content/notes/engines',
  '/u/keeper/content/%2e/notes/engines',
  '/u/keeper/content/notes/engines/..',
  '/u/keeper/content/notes/engines/.',
  '/../u/keeper/content/notes/engines',
  '/U/keeper/content/notes/engines',
  '/u/KEEPER/content/notes/engines',
  '/u/keeper/CONTENT/notes/engines',
  '/u/keeper/content/Notes/Engines',
  '/u/keeper/content/NOTES/ENGINES',
  '/u/keeper/content/engines',
  '/u/keeper/content/notes',
  '/u/keeper/content',
  '/o/keeper/content/notes/engines',
  '/api/u/keeper/content/notes/engines',
  '/u/keeper/content/notes/engineſ',
  'http://profiles.example/u/keeper/content/notes/engines',
  'http://profiles.example/api/u/keeper/content/notes/engines',
  'http://evil.example/u/keeper/content/notes/engines',
  '*',
]

const tricks: readonly (readonly [string, readonly string[]])[] = [
  ['Range', ['Range: bytes=0-10000']],
  ['a Range from the end', ['Range: bytes=-500']],
  ['If-None-Match of anything', ['If-None-Match: *']],
  ['If-Modified-Since', ['If-Modified-Since: Thu, 01 Jan 2099 00:00:00 GMT']],
  ['another Host', ['X-Forwarded-Host: localhost', 'X-Forwarded-For: 127.0.0.1']],
  ['another path in a header', ['X-Original-URL: /u/keeper', 'X-Rewrite-URL: /u/keeper']],
  ['another method in a header', ['X-HTTP-Method-Override: HEAD']],
  ['an invalid payer', ['X-EEP-Payer-Wallet: 0x0', 'X-EEP-Payer-Network: eip155:1']],
  ['SQL for a payer', ["X-EEP-Payer-Wallet: ' or 1=1 --", 'X-EEP-Payer-Network: cash:test']],
  ['a star for a payer', ['X-EEP-Payer-Wallet: *', 'X-EEP-Payer-Network: *']],
  ['an empty payer cookie', ['Cookie: eep_payer=|']],
  ['a broken session cookie', ['Cookie: __Host-eep_session=x.y.z']],
  ['an unknown API key', ['X-API-Key: eep_unknown']],
  ['a bearer of rubbish', ['Authorization: Bearer x']],
  ['an empty payment', ['PAYMENT-SIGNATURE: ']],
  ['two payments', ['PAYMENT-SIGNATURE: e30=', 'PAYMENT-SIGNATURE: e30=']],
  ['a payment of version 1', ['X-PAYMENT: e30=']],
  [
    'a payment with a prototype',
    [`PAYMENT-SIGNATURE: ${Buffer.from('{"__proto__":{"x402Version":2}}').toString('base64')}`],
  ],
  ['a card token', ['Authorization: Payment spt_123']],
  ['compression', ['Accept-Encoding: gzip']],
]

describe.each([
  ['the clean listener', '', () => test.app as FastifyInstance],
  ['the gateway listener', '/api', () => gateway],
] as const)('the gate of a page, on %s', (_, prefix, app) => {
  const send = (method: string, target: string, headers?: readonly string[]) =>
    sendTo(app(), `${method} ${target.startsWith('/') ? prefix : ''}${target} HTTP/1.1`, headers)

  it.each(spellings)('enforces the gate for the spelling %j', async (target) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await send(method, target)
      expect(answer).not.toContain(SECRET_WORD)
      expect(answer).not.toContain('Paid reading')
    }
  })

  it.each(tricks)('enforces the gate for a request with %s', async (_, headers) => {
    const answer = await send('GET', path, headers)
    expect(answer).toMatch(/^HTTP\/1\.1 402 /)
    expect(answer).not.toContain(SECRET_WORD)
  })

  it('evaluates the gate before If-None-Match', async () => {
    const answer = await send('GET', path, [`If-None-Match: ${etag}`])
    expect(answer).toMatch(/^HTTP\/1\.1 402 /)
  })

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'get', 'OPTIONS'])('denies %s', async (method) => {
    expect(await send(method, path, ['Content-Length: 0'])).not.toContain(SECRET_WORD)
  })

  it('leaks nothing through the table of contents, the profile or the search of its events', async () => {
    for (const url of [
      shop.profile,
      shop.contents,
      `${shop.contents}/notes`,
      `${shop.profile}/changelog`,
      `${shop.profile}/freshness`,
    ]) {
      for (const accept of ['text/markdown', 'application/json', 'text/toon']) {
        const { body } = await client(app()).get(prefix + url, { accept })
        expect(body).not.toContain(SECRET_WORD)
      }
    }
  })
})
