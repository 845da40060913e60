import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { eep } from '@eep/core'
import { everything } from '@eep/core/everything'
import type { Purchase } from '@eep/core/ports'
import { cashRail } from '@eep/core/testing'
import Fastify, { type FastifyRequest } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, openStorage, PUBLIC_URL, SECRET } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createCashApp, decodeHeader, header, openShop, SECRET_WORD, type Shop } from '../support/shop.ts'

// Responses to anonymous requests are cached as a whole, so each case asks twice: the second response is a cached one.
let test: Awaited<ReturnType<typeof createCashApp>>
let shop: Shop

beforeAll(async () => {
  test = await createCashApp()
  shop = await openShop(test.app, 'ada')
})
afterAll(() => test.close())

const { get } = client(() => test.app)

async function twice(url: string, headers: Record<string, string> = {}) {
  await get(url, headers)
  return get(url, headers)
}

describe('the response cache', () => {
  it.each(['text/markdown', 'application/json', 'text/html'])(
    'sends the same cached response as the route, as %s',
    async (accept) => {
      for (const url of [shop.profile, shop.open]) {
        const [first, second] = [
          await get(`${url}?a=${accept}`, { accept }),
          await twice(`${url}?a=${accept}`, { accept }),
        ]
        expect(second.statusCode).toBe(200)
        expect(second.body).toBe(first.body)
        const lasting = ({ headers }: typeof first) =>
          Object.fromEntries(
            Object.entries(headers).filter(([name]) => !/^(x-)?ratelimit|^date$|^x-request-id$/.test(name)),
          )
        expect(lasting(second)).toEqual(lasting(first))
      }
    },
  )
  it('returns 304 or 412 to conditional requests from the cache', async () => {
    const { headers } = await twice(shop.open)
    const etag = String(headers.etag)
    expect((await get(shop.open, { 'if-none-match': etag })).statusCode).toBe(304)
    expect((await get(shop.open, { 'if-match': '"other"' })).statusCode).toBe(412)
    expect((await get(shop.open, { 'if-match': etag })).statusCode).toBe(200)
  })
  it('compresses a cached response in the preferred encoding, with the same ETag', async () => {
    const plain = await twice(shop.profile)
    for (const [accepted, encoding, unpack] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0.5, gzip', 'gzip', gunzipSync],
    ] as const) {
      const packed = await twice(shop.profile, { 'accept-encoding': accepted })
      expect(header(packed, 'content-encoding')).toBe(encoding)
      expect(header(packed, 'vary')).toBe('Accept, X-EEP-Agent-Type, accept-encoding')
      expect(header(packed, 'etag')).toBe(header(plain, 'etag'))
      expect(unpack(packed.rawPayload).toString()).toBe(plain.body)
    }
    const known = await twice(shop.profile, { 'if-none-match': header(plain, 'etag') })
    expect([plain, known].map((answer) => header(answer, 'vary'))).toEqual(
      Array(2).fill('Accept, X-EEP-Agent-Type, accept-encoding'),
    )
    expect((await twice(shop.profile, { 'accept-encoding': 'br;q=0' })).headers).not.toHaveProperty('content-encoding')
    expect((await twice(shop.profile, { 'accept-encoding': 'br', 'x-no-compression': '1' })).body).toBe(plain.body)
  })
  it('drops a cached response as soon as the page or the profile changes', async () => {
    const { id } = (await twice(shop.open, { accept: 'application/json' })).json()
    const changed = await shop.put(`/manage/pages/${id}`, { body: 'Everybody may read that.' })
    expect(changed.statusCode, changed.body).toBe(200)
    expect((await get(shop.open, { accept: 'application/json' })).json().body).toBe('Everybody may read that.')
    await twice(shop.profile, { accept: 'application/json' })
    expect((await shop.put('/profiles/u/ada', { full_name: 'Engine Ada' })).statusCode).toBe(200)
    expect((await get(shop.profile, { accept: 'application/json' })).body).toContain('Engine Ada')
  })
  it('sends no cached response to a request with credentials', async () => {
    const unpaid = await twice(shop.paid)
    expect(unpaid.statusCode).toBe(402)
    const wallet = 'wallet:keeper'
    const paid = await get(shop.paid, test.cashWallets.answer(header(unpaid, 'payment-required'), { wallet }))
    expect(paid.statusCode).toBe(200)
    expect((await twice(shop.paid)).statusCode).toBe(402)
    const named = { 'x-eep-payer-wallet': wallet, 'x-eep-payer-network': 'cash:test' }
    expect((await get(shop.paid, named)).body).toContain(SECRET_WORD)
    expect((await get(shop.paid, shop.headers)).body).toContain(SECRET_WORD)
    const again = await get(shop.paid)
    expect([again.statusCode, again.body.includes(SECRET_WORD)]).toEqual([402, false])
  })
  it('drops cached responses when a page gets a price or the price changes', async () => {
    const url = `/eep/gates/${shop.did}`
    const config = (await get(url)).json()
    const put = async (payload: object) => {
      const { statusCode, body } = await shop.put(url, payload)
      expect(statusCode, body).toBe(200)
    }
    expect((await twice(shop.open)).statusCode).toBe(200)
    const { reader } = config.tiers
    const price = (amount: number, access: string[]) => ({
      ...config,
      tiers: { ...config.tiers, reader: { ...reader, requirements: [{ ...reader.requirements[0], amount }], access } },
    })
    await put(price(0.02, ['content.*', 'content.notes.*', 'content.welcome']))
    expect((await get(shop.open)).statusCode).toBe(402)
    expect(decodeHeader(await twice(shop.paid), 'payment-required').accepts[0].amount).toBe('20000')
    await put(price(0.03, ['content.notes.*']))
    expect((await get(shop.open)).statusCode).toBe(200)
    expect(decodeHeader(await get(shop.paid), 'payment-required').accepts[0].amount).toBe('30000')
    await put(config)
  })
  it('caches a 402 as HTML and as a problem document too', async () => {
    const page = await twice(shop.paid, { accept: 'text/html' })
    expect([page.statusCode, header(page, 'content-type')]).toEqual([402, 'text/html; charset=utf-8'])
    const problem = await twice(shop.paid, { accept: 'application/problem+json' })
    expect(problem.json()).toMatchObject({ status: 402, error: 'access_restricted' })
  })
})

/** What the key of an answer has, what is read when it is sent or counted, and what shows that a request is not for it. */
const ACCOUNTED_FOR = [
  ...['accept', 'if-match', 'if-none-match', 'accept-encoding', 'x-no-compression'],
  ...['authorization', 'cookie', 'x-api-key', 'eep-agent-did', 'eep-signature', 'eep-nonce', 'x-eep-agent-did'],
  ...[
    'x-eep-agent-capabilities',
    'x-eep-agent-type',
    'x-eep-payer-wallet',
    'x-eep-payer-network',
    'x-eep-proofs',
    'x-eep-gate-proofs',
  ],
  ...['sign-in-with-x', 'payment-signature', 'x-payment', 'payment-authorization', 'accept-payment'],
  ...['crawler-max-price', 'crawler-exact-price'],
  ...['user-agent', 'referer', 'dnt', 'sec-gpc', 'signature-agent', 'sec-fetch-dest', 'sec-purpose', 'purpose'],
]

it.each(['text/markdown', 'text/html'])('depends on no other header for %s', async (accept) => {
  const names = new Set<string>()
  const database = await openStorage()
  const app = Fastify()
  const watch = (request: FastifyRequest) => {
    const headers = new Proxy(request.headers, {
      get(target, name) {
        names.add(String(name))
        return target[String(name)]
      },
    })
    Object.defineProperty(request, 'headers', { value: headers })
  }
  app.addHook('preHandler', async (request) => watch(request))
  const { storage } = database
  await app.register(eep, {
    modules: everything(),
    publicUrl: PUBLIC_URL,
    secret: SECRET,
    storage,
    payments: { rails: [cashRail()] },
  })
  const { profile, open, paid } = await openShop(app, 'ada')
  for (const url of [profile, open, paid]) {
    names.clear()
    await client(app).get(url, { accept })
    expect(names.size).toBeGreaterThan(0)
    expect([...names].filter((name) => !ACCOUNTED_FOR.includes(name))).toEqual([])
  }
  await app.close()
  await database.close()
})

it('puts a new nonce into each 402 with which a wallet can sign in', async () => {
  const network = 'eip155:84532'
  const rail = cashRail()
  const onChain = {
    ...rail,
    async offer(purchase: Purchase) {
      const offer = await rail.offer(purchase)
      return offer && { ...offer, accept: { ...offer.accept, network } }
    },
  }
  const { app, close } = await createTestApp({
    payments: { rails: [onChain] },
    auth: { walletVerifier: { chainIds: [84_532], verify: async () => true } },
  })
  const { paid } = await openShop(app, 'ada', { per: 'day' })
  await client(app).get(paid)
  const answers = await Promise.all(Array.from({ length: 20 }, () => client(app).get(paid)))
  const envelopes = answers.map((answer) => decodeHeader(answer, 'payment-required'))
  const nonces = envelopes.map(({ extensions }) => extensions['sign-in-with-x'].info.nonce)
  expect(new Set(nonces).size).toBe(20)
  for (const [at, answer] of answers.entries()) {
    expect(answer.json().decoded_payment_required).toEqual(envelopes[at])
    expect(answer.json().payment_required_b64).toBe(header(answer, 'payment-required'))
  }
  await close()
})
