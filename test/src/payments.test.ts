import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { eep } from '@eep/core'
import type { Storage } from '@eep/core/ports'
import { cashRail, createCashLedger, createCashWallets } from '@eep/core/testing'
import Fastify from 'fastify'
import { compactVerify, createLocalJWKSet } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from './support/accounts.ts'
import { newKey } from './support/api-keys.ts'
import { createTestApp, openStorage, PUBLIC_URL, SECRET } from './support/app.ts'
import { client } from './support/client.ts'
import {
  cookieOf,
  createCashApp,
  decodeHeader,
  header,
  openShop,
  SECRET_WORD,
  type Shop,
  shopGate,
} from './support/shop.ts'

interface ReceiptList {
  readonly data: readonly { readonly receipt_id: string }[]
  readonly pagination: { readonly total: number; readonly next_cursor?: string }
}

let test: Awaited<ReturnType<typeof createCashApp>>
let shops = 0

beforeAll(async () => {
  test = await createCashApp({ payments: { settlementLeaseMs: 2_000 } })
})
afterAll(() => test.close())

const shopOf = (price: Parameters<typeof openShop>[2] = {}) => openShop(test.app, `seller-${++shops}`, price)
const { get } = client(() => test.app)

/** Meets the gate and answers it; the headers of the paid repeat. */
async function paymentFor(url: string, payment: Parameters<typeof test.cashWallets.answer>[1] = {}) {
  return test.cashWallets.answer(header(await get(url), 'payment-required'), payment)
}

const moneyOf = (shop: Shop) => test.cashWallets.balance(shop.did)
const held = () => {
  let release = () => {}
  const promise = new Promise<void>((resolve) => {
    release = resolve
  })
  return { promise, release }
}

describe('a gated page', () => {
  it('answers 402 with the offers in header and body, and nothing of what is sold', async () => {
    const shop = await shopOf()
    const response = await get(shop.paid)

    expect(response.statusCode).toBe(402)
    expect(header(response, 'www-authenticate')).toBe(`EEP realm="gate", resource="${shop.paid}"`)
    expect(header(response, 'x-eep-gates-config')).toBe(`/eep/gates/${shop.did}`)
    expect(header(response, 'cache-control')).toBe('no-store')
    const required = decodeHeader(response, 'payment-required')
    expect(required.x402Version).toBe(2)
    expect(required.resource.url).toBe(`https://profiles.example${shop.paid}`)
    expect(required.accepts).toMatchObject([{ scheme: 'cash', amount: '10000', payTo: shop.did }])

    const body = response.json()
    expect(body.error.code).toBe('payment_required')
    expect(body.payment_required_b64).toBe(header(response, 'payment-required'))
    expect(body.decoded_payment_required).toEqual(required)
    expect(body).toMatchObject({
      inline_retry_supported: true,
      docs_url: 'https://profiles.example/docs/payments',
      resource: 'content.notes.engines',
      current_tier: 'public',
      required_tier: 'reader',
      unmet_requirements: [{ type: 'payment', amount: 0.01 }],
      available_tiers: { reader: { label: 'Reader' } },
      gates_config_url: `https://profiles.example/eep/gates/${shop.did}`,
      preview: 'A taste of it.',
    })
    expect(response.body).not.toContain(SECRET_WORD)
  })

  it('answers in the closed form of EEP when a problem document is requested', async () => {
    const shop = await shopOf()
    const response = await get(shop.paid, { accept: 'application/problem+json' })
    expect(header(response, 'content-type')).toContain('application/problem+json')
    expect(Object.keys(response.json()).sort()).toEqual([
      'available_tiers',
      'current_tier',
      'error',
      'gates_config_url',
      'required_tier',
      'resource',
      'status',
      'title',
      'type',
      'unmet_requirements',
    ])
    expect(response.json()).toMatchObject({ error: 'access_restricted', status: 402, title: 'Payment Required' })
  })

  it('opens to the repeat that pays, and to the payer from then on', async () => {
    const shop = await shopOf()
    const paid = await get(shop.paid, await paymentFor(shop.paid, { wallet: 'wallet:ann' }))

    expect(paid.statusCode).toBe(200)
    expect(paid.body).toContain(SECRET_WORD)
    expect(header(paid, 'cache-control')).toContain('private')
    expect(decodeHeader(paid, 'payment-response')).toMatchObject({
      success: true,
      network: 'cash:test',
      payer: 'wallet:ann',
      amount: '10000',
    })
    expect(header(paid, 'x-eep-payer-wallet')).toBe('wallet:ann')
    expect(header(paid, 'x-eep-payer-network')).toBe('cash:test')
    expect(header(paid, 'set-cookie')).toBe(
      'eep_payer=wallet:ann|cash:test; Max-Age=604800; Path=/; HttpOnly; Secure; SameSite=Lax',
    )
    expect(moneyOf(shop)).toBe(10_000n)

    const cookie = { cookie: `eep_payer=${cookieOf(paid, 'eep_payer')}` }
    const named = { 'x-eep-payer-wallet': 'wallet:ann', 'x-eep-payer-network': 'cash:test' }
    for (const headers of [cookie, named]) {
      const again = await get(shop.paid, headers)
      expect(again.statusCode).toBe(200)
      expect(again.body).toContain(SECRET_WORD)
    }
    // The tier was bought, so its other pages are open too.
    expect((await get(shop.other, named)).statusCode).toBe(200)
    expect((await get(shop.paid, { ...named, 'x-eep-payer-wallet': 'wallet:bob' })).statusCode).toBe(402)
    expect(moneyOf(shop)).toBe(10_000n)
  })

  it('opens to its owner without paying', async () => {
    const shop = await shopOf()
    const response = await get(shop.paid, shop.headers)
    expect(response.statusCode).toBe(200)
    expect(header(response, 'cache-control')).toContain('private')
  })

  it('is asked before a 304 is', async () => {
    const shop = await shopOf()
    const paid = await get(shop.paid, await paymentFor(shop.paid, { wallet: 'wallet:etag' }))
    const etag = header(paid, 'etag')
    expect((await get(shop.paid, { 'if-none-match': etag })).statusCode).toBe(402)
    const named = { 'x-eep-payer-wallet': 'wallet:etag', 'x-eep-payer-network': 'cash:test', 'if-none-match': etag }
    expect((await get(shop.paid, named)).statusCode).toBe(304)
    const fresh = await shopOf()
    const tag = header(await get(fresh.paid, fresh.headers), 'etag')
    const bought = await get(fresh.paid, { ...(await paymentFor(fresh.paid)), 'if-none-match': tag })
    expect(bought.statusCode).toBe(200)
    expect(bought.body).toContain(SECRET_WORD)
  })

  it('takes no money for a HEAD', async () => {
    const shop = await shopOf()
    const headers = await paymentFor(shop.paid)
    const response = await client(test.app).with(headers).send('HEAD', shop.paid)
    expect(response.statusCode).toBe(402)
    expect(response.body).toBe('')
    expect(moneyOf(shop)).toBe(0n)
  })

  it('answers 404 without a payment when the page does not exist', async () => {
    const shop = await shopOf()
    const headers = await paymentFor(shop.paid)
    expect((await get(`${shop.paid}-that-is-not`, headers)).statusCode).toBe(404)
    expect(moneyOf(shop)).toBe(0n)
  })

  it('says that no payment opens what asks for something else', async () => {
    const shop = await shopOf()
    const gate = {
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['profile.*'] },
        club: {
          requirements: [
            { type: 'trust', min_score: 50 },
            { type: 'payment', amount: 1, currency: 'usdc', per: 'day' },
          ],
          access: ['content.*'],
        },
      },
    }
    const put = await client(test.app).as(shop).put(`/eep/gates/${shop.did}`, gate)
    expect(put.statusCode).toBe(200)
    const response = await get(shop.paid)
    expect(response.statusCode).toBe(403)
    expect(response.json()).toMatchObject({ error: { code: 'access_forbidden' }, required_tier: 'club' })
    const problem = await get(shop.paid, { accept: 'application/problem+json' })
    expect(problem.json()).toMatchObject({ error: 'access_forbidden', status: 403, title: 'Access Restricted' })
    expect(response.body).not.toContain(SECRET_WORD)
  })

  it.each([
    ['turns x402 off, which this way to pay speaks', { x402: { enabled: false } }, 0],
    ['sells by x402 on a network of another', { x402: { enabled: true, network: 'base' } }, 0],
    ['sells by x402 on this network', { x402: { enabled: true, network: 'cash:test' } }, 1],
    ['names what this way to pay speaks', { payment_methods: ['x402'] }, 1],
    ['names another way to pay', { payment_methods: ['stripe-mpp'] }, 0],
    ['names this way to pay', { payment_methods: ['cash'] }, 1],
  ])('offers what its seller allows, who %s', async (_, terms, offers) => {
    const shop = await shopOf()
    const gate = shopGate()
    Object.assign(gate.tiers.reader.requirements[0] as object, terms)
    await client(test.app).as(shop).put(`/eep/gates/${shop.did}`, gate)
    const body = (await get(shop.paid)).json()
    expect(body.decoded_payment_required?.accepts.length ?? 0).toBe(offers)
  })

  it('stays closed when no rail can sell it', async () => {
    const shop = await shopOf({ currency: 'chf' })
    const response = await get(shop.paid)
    expect(response.statusCode).toBe(402)
    expect(response.headers['payment-required']).toBeUndefined()
    expect(response.json()).toMatchObject({ inline_retry_supported: false, payment_required_b64: null })
    expect(response.body).not.toContain(SECRET_WORD)
  })
})

describe('how long a payment opens a page', () => {
  it.each(['hour', 'day', 'week', 'month', 'year', 'once'])('bought for one %s it stays open', async (per) => {
    const shop = await shopOf({ per })
    const wallet = `wallet:${per}`
    expect((await get(shop.paid, await paymentFor(shop.paid, { wallet }))).statusCode).toBe(200)
    const named = { 'x-eep-payer-wallet': wallet, 'x-eep-payer-network': 'cash:test' }
    expect((await get(shop.paid, named)).statusCode).toBe(200)
    expect(moneyOf(shop)).toBe(10_000n)
  })

  it('bought for one request it is delivered once', async () => {
    const shop = await shopOf({ per: 'request' })
    const headers = await paymentFor(shop.paid, { wallet: 'wallet:request' })
    expect((await get(shop.paid, headers)).statusCode).toBe(200)
    const named = { 'x-eep-payer-wallet': 'wallet:request', 'x-eep-payer-network': 'cash:test' }
    expect((await get(shop.paid, named)).statusCode).toBe(402)
    const repeat = await get(shop.paid, headers)
    expect(repeat.statusCode).toBe(402)
    expect(decodeHeader(repeat, 'payment-response')).toMatchObject({
      success: false,
      errorReason: 'credential_already_used',
    })
    expect((await get(shop.paid, await paymentFor(shop.paid, { wallet: 'wallet:request' }))).statusCode).toBe(200)
    expect(moneyOf(shop)).toBe(20_000n)
  })

  /** Pays for one request and disconnects while the payment is settled. Returns the headers of the repeated request. */
  async function hangUp({ app, cashWallets }: Awaited<ReturnType<typeof createCashApp>>, { paid }: Shop) {
    const offer = await client(app).get(paid)
    const headers = cashWallets.answer(header(offer, 'payment-required'), { wallet: 'wallet:hasty' })
    const { promise, release } = held()
    cashWallets.next('settle', { hold: promise })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const arrived = once(app.server, 'connection')
    const peer = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    const request = [`GET ${paid} HTTP/1.1`, 'Host: x', `PAYMENT-SIGNATURE: ${headers['payment-signature']}`]
    peer.write(`${request.join('\r\n')}\r\n\r\n`)
    const [socket] = await arrived
    await expect.poll(() => cashWallets.calls).toContain('settle')
    peer.destroy()
    await once(socket, 'close')
    release()
    return headers
  }

  it('keeps a paid request for a client that disconnected while the payment was settled', async () => {
    const own = await createCashApp()
    try {
      const shop = await openShop(own.app, 'patient', { per: 'request' })
      const headers = await hangUp(own, shop)
      const ask = () => client(own.app).get(shop.paid, headers)
      // Only the client that left can have been served, so the payment is still valid.
      await expect.poll(async () => (await ask()).statusCode).toBe(200)
      expect((await ask()).statusCode).toBe(402)
      expect(own.cashWallets.balance(shop.did)).toBe(10_000n)
    } finally {
      await own.close()
    }
  })

  it('opens no other page with a paid request that was not served', async () => {
    const own = await createCashApp()
    try {
      const shop = await openShop(own.app, 'patient', { per: 'request' })
      const stranger = await openShop(own.app, 'stranger', { per: 'request' })
      const headers = await hangUp(own, shop)
      const ask = (url: string) => client(own.app).get(url, headers)
      for (const url of [shop.other, stranger.paid]) {
        const refused = await ask(url)
        expect([refused.statusCode, refused.body.includes(SECRET_WORD)], url).toEqual([402, false])
        expect(decodeHeader(refused, 'payment-response')).toMatchObject({ errorReason: 'credential_already_used' })
      }
      await expect.poll(async () => (await ask(shop.paid)).statusCode).toBe(200)
    } finally {
      await own.close()
    }
  })

  it('does not serve a repeated credential after its lifetime, while its payer is still entitled', async () => {
    let laterMs = 0
    const own = await createCashApp({ clock: () => new Date(Date.now() + laterMs) })
    try {
      const shop = await openShop(own.app, 'punctual')
      const ask = (headers: Record<string, string> = {}) => client(own.app).get(shop.paid, headers)
      const payment = { wallet: 'wallet:late', nonce: 'once', validSeconds: 3_600 }
      const headers = own.cashWallets.answer(header(await ask(), 'payment-required'), payment)
      expect((await ask(headers)).statusCode).toBe(200)
      const paid = () => own.storage.read.payments.get({ rail: 'cash', credentialId: 'wallet:late:once' })
      await expect.poll(async () => (await paid())?.deliveredAt).toBeInstanceOf(Date)
      expect((await ask(headers)).statusCode).toBe(200)

      laterMs = 3_601_000
      const late = await ask(headers)
      expect([late.statusCode, late.body.includes(SECRET_WORD)]).toEqual([402, false])
      expect(decodeHeader(late, 'payment-response')).toMatchObject({ errorReason: 'credential_already_used' })
      const named = { 'x-eep-payer-wallet': 'wallet:late', 'x-eep-payer-network': 'cash:test' }
      expect((await ask(named)).statusCode).toBe(200)
      expect(own.cashWallets.balance(shop.did)).toBe(10_000n)
    } finally {
      await own.close()
    }
  })

  it('does not serve a paid request after its refund', async () => {
    const own = await createCashApp()
    try {
      const shop = await openShop(own.app, 'patient', { per: 'request' })
      const headers = await hangUp(own, shop)
      const url = `/eep/payment/sales?profile_id=${shop.profileId}`
      const sales = async () => (await shop.get(url)).json().data
      await expect.poll(async () => (await sales()).length).toBe(1)
      const [{ receipt_id: id }] = await sales()
      const refund = { method: 'POST', url: `/eep/payment/receipts/${id}/refund`, headers: shop.headers } as const
      expect((await own.app.inject({ ...refund, payload: { reference: await own.handBack(id) } })).statusCode).toBe(200)

      const repeat = await client(own.app).get(shop.paid, headers)
      expect(decodeHeader(repeat, 'payment-response')).toMatchObject({ errorReason: 'credential_already_used' })
      expect([repeat.statusCode, repeat.body.includes(SECRET_WORD)]).toEqual([402, false])
      const anew = own.cashWallets.answer(header(repeat, 'payment-required'), { wallet: 'wallet:hasty' })
      expect((await client(own.app).get(shop.paid, anew)).statusCode).toBe(200)
      expect(own.cashWallets.balance(shop.did)).toBe(20_000n)
    } finally {
      await own.close()
    }
  })

  it('bought for one request it is not used up by an answer that failed', async () => {
    const database = await openStorage()
    const cashWallets = createCashWallets()
    const app = Fastify()
    let faults = 0
    app.addHook('onSend', async (_request, reply) => {
      if (reply.statusCode === 200 && faults-- > 0) throw new Error('a hook of the host failed')
    })
    const { storage } = database
    const passwordHashing = { memoryKiB: 1_024 }
    await app.register(eep, {
      publicUrl: PUBLIC_URL,
      secret: SECRET,
      storage,
      auth: { passwordHashing },
      payments: { rails: [cashRail({ cashWallets })] },
    })
    try {
      await app.ready()
      const shop = await openShop(app, 'unlucky', { per: 'request' })
      const ask = (headers: Record<string, string> = {}) => client(app).get(shop.paid, headers)
      const headers = cashWallets.answer(header(await ask(), 'payment-required'))
      faults = 1
      expect((await ask(headers)).statusCode).toBe(500)
      await expect.poll(async () => (await ask(headers)).statusCode).toBe(200)
      expect(cashWallets.balance(shop.did)).toBe(10_000n)
    } finally {
      await app.close()
      await database.close()
    }
  })

  it('ends when its time is over', async () => {
    const shop = await shopOf()
    const granted = async (wallet: string, lifetimeMs: number) => {
      await test.storage.transaction((tx) =>
        tx.entitlements.grant({
          id: randomUUID(),
          profileId: shop.profileId,
          resourcePattern: 'content.notes.*',
          payerWalletAddress: wallet,
          payerNetwork: 'cash:test',
          tier: 'reader',
          receiptId: null,
          validUntil: new Date(Date.now() + lifetimeMs),
          createdAt: new Date(),
        }),
      )
      const named = { 'x-eep-payer-wallet': wallet, 'x-eep-payer-network': 'cash:test' }
      return async () => (await get(shop.paid, named)).statusCode
    }
    const [long, brief] = [await granted('wallet:long', 3_600_000), await granted('wallet:brief', 200)]
    await expect.poll(brief).toBe(402)
    expect(await long()).toBe(200)
  })
})

describe('a payment that is refused', () => {
  it.each([
    ['short', { amount: '9999' }, 'amount_mismatch'],
    ['forged', { forged: true }, 'invalid_signature'],
    ['late', { validSeconds: -1 }, 'authorization_expired'],
  ] as const)('%s: a fresh 402 that says why, and no money', async (_, payment, reason) => {
    const shop = await shopOf()
    const response = await get(shop.paid, await paymentFor(shop.paid, payment))
    expect(response.statusCode).toBe(402)
    expect(decodeHeader(response, 'payment-response')).toMatchObject({ success: false, errorReason: reason })
    expect(decodeHeader(response, 'payment-required').accepts).toHaveLength(1)
    expect(moneyOf(shop)).toBe(0n)
  })

  it('broken: 402 with a word of the scheme, never an exception text', async () => {
    const shop = await shopOf()
    const rubbish = Buffer.from(
      JSON.stringify({ x402Version: 2, accepted: { scheme: 'cash', network: 'cash:test' } }),
    ).toString('base64')
    const response = await get(shop.paid, { 'payment-signature': rubbish })
    expect(response.statusCode).toBe(402)
    expect(decodeHeader(response, 'payment-response').errorReason).toBe('invalid_payload')
  })

  it('made for another price opens nothing', async () => {
    const cheap = await shopOf({ amount: 0.01 })
    const dear = await shopOf({ amount: 5 })
    const response = await get(dear.paid, await paymentFor(cheap.paid))
    expect(response.statusCode).toBe(402)
    expect(decodeHeader(response, 'payment-response').errorReason).toBe('invalid_payment_requirements')
    expect(moneyOf(dear)).toBe(0n)
  })

  it('refused while settling it may be tried again', async () => {
    const shop = await shopOf()
    const headers = await paymentFor(shop.paid)
    test.cashWallets.next('settle', { refuse: 'paused' })
    const refused = await get(shop.paid, headers)
    expect(refused.statusCode).toBe(402)
    expect(decodeHeader(refused, 'payment-response').errorReason).toBe('paused')
    expect((await get(shop.paid, headers)).statusCode).toBe(200)
    expect(moneyOf(shop)).toBe(10_000n)
  })
})

describe('a payment under attack', () => {
  it('settles a credential once that is sent fifty times concurrently', async () => {
    const shop = await shopOf()
    const headers = await paymentFor(shop.paid, { wallet: 'wallet:fifty' })
    const before = test.cashWallets.calls.filter((call) => call === 'settle').length
    const answers = await Promise.all(Array.from({ length: 50 }, () => get(shop.paid, headers)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(50).fill(200))
    expect(test.cashWallets.calls.filter((call) => call === 'settle').length - before).toBe(1)
    expect(moneyOf(shop)).toBe(10_000n)
  })

  it('delivers a payment for one request once when it is sent fifty times concurrently', async () => {
    const shop = await shopOf({ per: 'request' })
    const headers = await paymentFor(shop.paid, { wallet: 'wallet:fifty-once' })
    const answers = await Promise.all(Array.from({ length: 50 }, () => get(shop.paid, headers)))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => statusCode === 402)).toHaveLength(49)
    expect(answers.filter(({ body }) => body.includes(SECRET_WORD))).toHaveLength(1)
    expect(moneyOf(shop)).toBe(10_000n)
  })

  it('takes one payment for a day from twenty concurrent signatures of one payer', async () => {
    const shop = await shopOf()
    const payments = await Promise.all(
      Array.from({ length: 20 }, () => paymentFor(shop.paid, { wallet: 'wallet:eager' })),
    )
    const answers = await Promise.all(payments.map((headers) => get(shop.paid, headers)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200))
    expect(moneyOf(shop)).toBe(10_000n)
  })

  it('that comes while another of its payer is recorded takes nothing', async () => {
    const database = await openStorage()
    const cashWallets = createCashWallets()
    const { storage } = database
    const { promise, release } = held()
    const looked = held()
    let delays = 1
    const entitlements: Storage['read']['entitlements'] = {
      ...storage.read.entitlements,
      async listActivePatterns(holder) {
        const patterns = await storage.read.entitlements.listActivePatterns(holder)
        if (delays-- > 0) {
          looked.release()
          await promise
        }
        return patterns
      },
    }
    const slow = { ...storage, read: { ...storage.read, entitlements } }
    const own = await createTestApp({ storage: slow, payments: { rails: [cashRail({ cashWallets })] } })
    try {
      const shop = await openShop(own.app, 'narrow')
      const ask = (headers: Record<string, string> = {}) => client(own.app).get(shop.paid, headers)
      const required = header(await ask(), 'payment-required')
      // It has seen that nothing is held yet, and goes on when the other has been paid.
      const late = ask(cashWallets.answer(required))
      await looked.promise
      expect((await ask(cashWallets.answer(required))).statusCode).toBe(200)
      release()
      expect((await late).statusCode).toBe(200)
      expect(cashWallets.balance(shop.did)).toBe(10_000n)
    } finally {
      await own.close()
      await database.close()
    }
  })

  it('takes one payment for two pages of one tier that are bought concurrently, and opens both', async () => {
    const shop = await shopOf()
    const wallet = 'wallet:two-pages'
    const [one, two] = [await paymentFor(shop.paid, { wallet }), await paymentFor(shop.other, { wallet })]
    const answers = await Promise.all([get(shop.paid, one), get(shop.other, two)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
    expect(moneyOf(shop)).toBe(10_000n)
  })

  it('takes twenty payments from twenty concurrent payers', async () => {
    const shop = await shopOf()
    const payments = await Promise.all(
      Array.from({ length: 20 }, (_, i) => paymentFor(shop.paid, { wallet: `wallet:crowd-${i}` })),
    )
    const answers = await Promise.all(payments.map((headers) => get(shop.paid, headers)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200))
    expect(moneyOf(shop)).toBe(200_000n)
  })

  it('with a known credential and another signature opens nothing', async () => {
    const shop = await shopOf()
    const required = header(await get(shop.paid), 'payment-required')
    const nonce = 'stolen-nonce'
    expect(
      (await get(shop.paid, test.cashWallets.answer(required, { wallet: 'wallet:victim', nonce }))).statusCode,
    ).toBe(200)
    const stolen = test.cashWallets.answer(required, { wallet: 'wallet:victim', nonce, forged: true })
    const response = await get(shop.paid, stolen)
    expect(response.statusCode).toBe(402)
    expect(response.body).not.toContain(SECRET_WORD)
  })

  it('used for another page of another seller opens nothing', async () => {
    const [one, two] = [await shopOf(), await shopOf()]
    const headers = await paymentFor(one.paid)
    expect((await get(one.paid, headers)).statusCode).toBe(200)
    expect((await get(two.paid, headers)).statusCode).toBe(402)
    expect(moneyOf(two)).toBe(0n)
  })
})

describe('a payment of unknown outcome', () => {
  it('is answered 503 without a new offer, and its repeat gets the page without a second charge', async () => {
    const shop = await shopOf()
    const headers = await paymentFor(shop.paid, { wallet: 'wallet:lost' })
    test.cashWallets.next('settle', { lose: 'answer' })
    test.cashWallets.next('recover', { lose: 'request' })
    const pending = await get(shop.paid, headers)
    expect(pending.statusCode).toBe(503)
    expect(pending.json().error.code).toBe('settlement_pending')
    expect(header(pending, 'retry-after')).toBe('5')
    expect(pending.headers['payment-required']).toBeUndefined()
    expect(pending.body).not.toContain(SECRET_WORD)

    expect((await get(shop.paid, headers)).statusCode).toBe(503)
    expect((await get(shop.paid, headers)).statusCode).toBe(200)
    expect(moneyOf(shop)).toBe(10_000n)
  })

  it('whatever the rail throws, counts as unknown and not as refused', async () => {
    const shop = await shopOf()
    const headers = await paymentFor(shop.paid)
    test.cashWallets.next('settle', { lose: 'answer', as: new TypeError('fetch failed') })
    const pending = await get(shop.paid, headers)
    expect(pending.statusCode).toBe(503)
    expect(pending.body).not.toContain('fetch failed')
    expect((await get(shop.paid, headers)).statusCode).toBe(200)
    expect(moneyOf(shop)).toBe(10_000n)
  })

  it('keeps a second signature of the payer unspent', async () => {
    const shop = await shopOf()
    test.cashWallets.next('settle', { lose: 'answer' })
    expect((await get(shop.paid, await paymentFor(shop.paid, { wallet: 'wallet:twice' }))).statusCode).toBe(503)
    const second = await get(shop.paid, await paymentFor(shop.paid, { wallet: 'wallet:twice' }))
    expect(second.statusCode).toBe(200)
    expect(moneyOf(shop)).toBe(10_000n)
  })

  it('is finished in the background when the client never comes back', async () => {
    const shop = await shopOf()
    test.cashWallets.next('settle', { lose: 'answer' })
    expect((await get(shop.paid, await paymentFor(shop.paid, { wallet: 'wallet:gone' }))).statusCode).toBe(503)
    await test.eep.paywall.reconcile()
    const named = { 'x-eep-payer-wallet': 'wallet:gone', 'x-eep-payer-network': 'cash:test' }
    expect((await get(shop.paid, named)).statusCode).toBe(200)
    expect(moneyOf(shop)).toBe(10_000n)
  })

  it('refuses a payment that took nothing when the outcome is found, and accepts another one', async () => {
    const shop = await shopOf()
    test.cashWallets.next('settle', { lose: 'request' })
    test.cashWallets.next('recover', { refuse: 'authorization_expired' })
    const headers = await paymentFor(shop.paid, { wallet: 'wallet:nothing' })
    expect((await get(shop.paid, headers)).statusCode).toBe(503)
    const refused = await get(shop.paid, headers)
    expect(refused.statusCode).toBe(402)
    expect(moneyOf(shop)).toBe(0n)
    expect((await get(shop.paid, await paymentFor(shop.paid, { wallet: 'wallet:nothing' }))).statusCode).toBe(200)
    expect(moneyOf(shop)).toBe(10_000n)
  })

  it('lets copies that come while it is settled wait for it', async () => {
    const shop = await shopOf()
    const headers = await paymentFor(shop.paid, { wallet: 'wallet:slow' })
    const { promise, release } = held()
    test.cashWallets.next('settle', { hold: promise })
    const first = get(shop.paid, headers)
    const second = get(shop.paid, headers)
    await new Promise((resolve) => setTimeout(resolve, 150))
    release()
    expect((await first).statusCode).toBe(200)
    expect((await second).statusCode).toBe(200)
    expect(moneyOf(shop)).toBe(10_000n)
  })
})

describe('payments that never end', () => {
  it('do not keep later ones from being finished', async () => {
    // The service finishes payments in the background too, every half of a lease.
    const alone = await createCashApp({ payments: { settlementLeaseMs: 86_400_000 } })
    try {
      const shop = await openShop(alone.app, 'stuck', { per: 'request' })
      const ask = (headers: Record<string, string> = {}) => client(alone.app).get(shop.paid, headers)
      const required = header(await ask(), 'payment-required')
      for (let i = 0; i < 55; i++) alone.cashWallets.next('settle', { lose: 'answer' })
      const payments = Array.from({ length: 55 }, (_, i) =>
        alone.cashWallets.answer(required, { wallet: `wallet:${i}` }),
      )
      for (const headers of payments) expect((await ask(headers)).statusCode).toBe(503)
      for (let i = 0; i < 50; i++) alone.cashWallets.next('recover', { lose: 'request' })
      expect(await alone.eep.paywall.reconcile()).toEqual({ asked: 50, finished: 0 })
      expect((await alone.eep.paywall.reconcile()).finished).toBe(50)
      expect((await alone.eep.paywall.reconcile()).finished).toBe(5)
    } finally {
      await alone.close()
    }
  })
})

describe('a payment that one instance refused and another saw settled', () => {
  /** The same storage for an instance whose reconciler finds nothing: the request alone recovers the payment. */
  const withoutAbandoned = ({ read, ...storage }: Storage): Storage => ({
    ...storage,
    read: { ...read, payments: { ...read.payments, listAbandoned: async () => [] } },
  })

  it('is settled', async () => {
    const database = await openStorage()
    const ledger = createCashLedger()
    const cashWallets = [createCashWallets({ ledger }), createCashWallets({ ledger })] as const
    const [slow, quick] = [
      await createTestApp({
        storage: withoutAbandoned(database.storage),
        payments: { rails: [cashRail({ cashWallets: cashWallets[0] })], settlementLeaseMs: 300 },
      }),
      await createTestApp({
        storage: withoutAbandoned(database.another()),
        payments: { rails: [cashRail({ cashWallets: cashWallets[1] })], settlementLeaseMs: 300 },
      }),
    ]
    try {
      const shop = await openShop(slow.app, 'torn')
      const ask = (where: typeof slow, headers: Record<string, string> = {}) =>
        client(where.app).get(shop.paid, headers)
      const headers = cashWallets[0].answer(header(await ask(slow), 'payment-required'), { wallet: 'wallet:torn' })
      const [hold, late] = [held(), held()]
      cashWallets[0].next('settle', { hold: hold.promise, refuse: 'paused' })
      cashWallets[1].next('recover', { late: late.promise })
      const first = ask(slow, headers)
      await expect.poll(() => cashWallets[0].calls).toContain('settle')
      await expect.poll(() => database.storage.read.payments.listAbandoned(1)).toHaveLength(1)
      const second = ask(quick, headers)
      await expect.poll(() => cashWallets[1].balance(shop.did)).toBe(10_000n)
      hold.release()
      await first
      late.release()
      expect((await second).statusCode).toBe(200)
      const named = { 'x-eep-payer-wallet': 'wallet:torn', 'x-eep-payer-network': 'cash:test' }
      expect((await ask(slow, named)).statusCode).toBe(200)
    } finally {
      await slow.close()
      await quick.close()
      await database.close()
    }
  })
})

describe('a receipt', () => {
  it('shows a receipt to its payer and its seller, and verifies it offline', async () => {
    const shop = await shopOf()
    const buyer = await signUp(test.app, `buyer-${shops}`)
    const paid = await get(shop.paid, {
      ...buyer.headers,
      ...(await paymentFor(shop.paid, { wallet: 'wallet:receipt' })),
    })
    expect(paid.statusCode).toBe(200)

    const list = (await get('/eep/payment/receipts', buyer.headers)).json()
    expect(list.pagination).toEqual({ total: 1, has_more: false })
    const [receipt] = list.data
    expect(receipt).toMatchObject({
      seller: { profile_id: shop.profileId, did: shop.did },
      resource: 'content.notes.engines',
      resource_pattern: 'content.notes.*',
      tier: 'reader',
      per: 'day',
      amount: { atomic: '10000', decimal: '0.01', currency: 'usdc' },
      commission_bps: 1000,
      rail: 'cash',
      payer_account_id: buyer.account.id,
      payer_wallet_address: 'wallet:receipt',
    })
    for (const headers of [buyer.headers, shop.headers]) {
      expect((await get(`/eep/payment/receipts/${receipt.receipt_id}`, headers)).json()).toEqual(receipt)
    }

    const jwks = (await get('/.well-known/jwks.json')).json()
    const { payload } = await compactVerify(receipt.signature, createLocalJWKSet(jwks))
    const { signature: _, refund, ...facts } = receipt
    expect(refund).toBeNull()
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual(facts)

    const otherUser = await signUp(test.app, `other-user-${shops}`)
    expect((await get(`/eep/payment/receipts/${receipt.receipt_id}`, otherUser.headers)).statusCode).toBe(404)
    expect((await get(`/eep/payment/receipts/${receipt.receipt_id}`)).statusCode).toBe(401)
    expect((await get('/eep/payment/receipts')).statusCode).toBe(401)
    expect((await get('/eep/payment/receipts', otherUser.headers)).json().data).toEqual([])
  })

  it('shows to a key of one profile what that one was paid, and never what its account paid', async () => {
    const shop = await shopOf()
    const buyer = await signUp(test.app, `bound-buyer-${shops}`)
    await get(shop.paid, { ...buyer.headers, ...(await paymentFor(shop.paid)) })
    const [receipt] = (await get('/eep/payment/receipts', buyer.headers)).json().data
    const keyFor = async (headers: Record<string, string>, profile_id: number) =>
      (await newKey(test.app, headers, { scopes: ['read:payments'], profile_id })).headers

    const url = `/eep/payment/receipts/${receipt.receipt_id}`
    const bought = await keyFor(buyer.headers, buyer.account.active_profile_id)
    expect((await get('/eep/payment/receipts', bought)).statusCode).toBe(403)
    expect((await get(url, bought)).statusCode).toBe(404)
    expect((await get(url, await keyFor(shop.headers, shop.profileId))).json()).toEqual(receipt)
    const everywhere = await newKey(test.app, buyer.headers, { scopes: ['read:payments'] })
    expect((await get('/eep/payment/receipts', everywhere.headers)).json().data).toEqual([receipt])
  })

  it('is one of many, newest first, page by page', async () => {
    const buyer = await signUp(test.app, 'collector')
    const seen: string[] = []
    for (let i = 0; i < 5; i++) {
      const shop = await shopOf()
      await get(shop.paid, { ...buyer.headers, ...(await paymentFor(shop.paid)) })
    }
    let url: string | undefined = '/eep/payment/receipts?limit=2'
    while (url) {
      const { data, pagination }: ReceiptList = (await get(url, buyer.headers)).json()
      seen.push(...data.map((one) => one.receipt_id))
      expect(pagination.total).toBe(5)
      url = pagination.next_cursor && `/eep/payment/receipts?limit=2&cursor=${pagination.next_cursor}`
    }
    expect(new Set(seen).size).toBe(5)
    expect((await get('/eep/payment/receipts?cursor=rubbish', buyer.headers)).statusCode).toBe(400)
  })
})

describe('payerProof "signed"', () => {
  it('opens nothing to a client that only knows the address of a payer', async () => {
    const cashWallets = createCashWallets()
    const strict = await createTestApp({ payments: { rails: [cashRail({ cashWallets })], payerProof: 'signed' } })
    try {
      const shop = await openShop(strict.app, 'strict')
      const ask = (headers: Record<string, string> = {}) => client(strict.app).get(shop.paid, headers)
      const paid = await ask(cashWallets.answer(header(await ask(), 'payment-required'), { wallet: 'wallet:known' }))
      const proof = cookieOf(paid, 'eep_payer_sig')
      const payer = `eep_payer=${cookieOf(paid, 'eep_payer')}`
      expect((await ask({ cookie: `${payer}; eep_payer_sig=${proof}` })).statusCode).toBe(200)
      expect((await ask({ cookie: payer })).statusCode).toBe(402)
      expect((await ask({ 'x-eep-payer-wallet': 'wallet:known', 'x-eep-payer-network': 'cash:test' })).statusCode).toBe(
        402,
      )
      expect((await ask({ cookie: `eep_payer=wallet:other|cash:test; eep_payer_sig=${proof}` })).statusCode).toBe(402)
    } finally {
      await strict.close()
    }
  })

  it('gives its proof for a payment that only the payer can have sent, and not for a copy of a settled one', async () => {
    const cashWallets = createCashWallets()
    const strict = await createTestApp({ payments: { rails: [cashRail({ cashWallets })], payerProof: 'signed' } })
    try {
      const shop = await openShop(strict.app, 'guarded')
      const ask = (headers: Record<string, string> = {}) => client(strict.app).get(shop.paid, headers)
      const required = header(await ask(), 'payment-required')
      const headers = cashWallets.answer(required)
      expect(cookieOf(await ask(headers), 'eep_payer_sig')).toBeDefined()
      const copied = await ask(headers)
      expect(copied.statusCode).toBe(200)
      expect(cookieOf(copied, 'eep_payer_sig')).toBeUndefined()
      // A payer that has lost the proof can sign another one for free.
      const anew = await ask(cashWallets.answer(required))
      expect(anew.statusCode).toBe(200)
      expect(cookieOf(anew, 'eep_payer_sig')).toBeDefined()
      expect(cashWallets.balance(shop.did)).toBe(10_000n)
    } finally {
      await strict.close()
    }
  })
})

describe('two instances on one database', () => {
  it('settle a credential once between them, and finish what the other left', async () => {
    const database = await openStorage()
    const ledger = test.cashWallets.ledger
    const cashWallets = [createCashWallets({ ledger }), createCashWallets({ ledger })] as const
    const one = await createTestApp({
      storage: database.storage,
      payments: { rails: [cashRail({ cashWallets: cashWallets[0] })], settlementLeaseMs: 300 },
    })
    const two = await createTestApp({
      storage: database.storage,
      payments: { rails: [cashRail({ cashWallets: cashWallets[1] })], settlementLeaseMs: 300 },
    })
    try {
      const shop = await openShop(one.app, 'shared')
      const on = (where: typeof one, headers: Record<string, string> = {}) => client(where.app).get(shop.paid, headers)
      const headers = cashWallets[0].answer(header(await on(one), 'payment-required'), { wallet: 'wallet:both' })
      const { promise, release } = held()
      cashWallets[0].next('settle', { hold: promise })
      const first = on(one, headers)
      await expect.poll(() => cashWallets[0].calls).toContain('settle')
      // The first instance holds its breath; when its lease is over, the second finishes.
      expect((await on(two, headers)).statusCode).toBe(200)
      release()
      expect((await first).statusCode).toBe(200)
      expect(cashWallets[0].balance(shop.did)).toBe(10_000n)
      const receipts = (await shop.get('/eep/payment/receipts')).json()
      expect(receipts.data).toEqual([])
    } finally {
      await one.close()
      await two.close()
      await database.close()
    }
  })
})

describe('the gate configuration', () => {
  it('is read by everybody and changed by the owner, with a version', async () => {
    const shop = await shopOf()
    const url = `/eep/gates/${shop.did}`
    const first = await get(url)
    expect(first.json()).toEqual(shopGate())
    expect((await get(url, { 'if-none-match': header(first, 'etag') })).statusCode).toBe(304)
    const put = (payload: object, headers: Record<string, string>) => client(test.app).put(url, payload, headers)
    const dearer = shopGate({ amount: 2 })
    const changed = await put(dearer, { ...shop.headers, 'if-match': header(first, 'etag') })
    expect(changed.statusCode).toBe(200)
    expect((await put(dearer, { ...shop.headers, 'if-match': header(first, 'etag') })).statusCode).toBe(412)
    expect((await put(dearer, { ...shop.headers, 'if-match': 'rubbish' })).statusCode).toBe(412)
    const either = `"another", ${header(changed, 'etag')}`
    expect((await put(dearer, { ...shop.headers, 'if-match': either })).statusCode).toBe(200)
    expect((await put(dearer, {})).statusCode).toBe(401)
    const otherUser = await signUp(test.app, `gate-other-user-${shops}`)
    expect((await put(dearer, otherUser.headers)).statusCode).toBe(403)
    expect((await put({ default_tier: 'x' }, shop.headers)).statusCode).toBe(400)
    expect(decodeHeader(await get(shop.paid), 'payment-required').accepts[0].amount).toBe('2000000')
    expect((await get('/eep/gates/did:web:profiles.example:u:unknown')).statusCode).toBe(404)
    expect((await get('/eep/gates/did:web:elsewhere.example:u:ada')).statusCode).toBe(404)
    expect((await get('/eep/gates/rubbish')).statusCode).toBe(404)
  })

  it('leaves everything open without a gate configuration', async () => {
    const { account } = await signUp(test.app, 'open-house')
    const response = await get(`/eep/gates/did:web:profiles.example:u:${account.username}`)
    expect(response.json()).toEqual({ default_tier: 'public', tiers: { public: { requirements: [], access: ['*'] } } })
  })
})
