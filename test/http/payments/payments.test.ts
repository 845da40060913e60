import type { Storage } from '@eep/core/ports'
import { cashRail, createCashWallets } from '@eep/core/testing'
import { describe, expect, it } from 'vitest'
import { createTestApp, openStorage } from '../../support/app.ts'
import { held, openCashShops } from '../../support/cash-shops.ts'
import { client } from '../../support/client.ts'
import { cookieOf, decodeHeader, header, openShop, SECRET_WORD, shopGate } from '../../support/shop.ts'

const { test, get, shopOf, paymentFor, moneyOf } = await openCashShops()

describe('a gated page', () => {
  it('returns 402 with the offers in header and body, without any paid content', async () => {
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

  it('serves the repeated request with a payment, and the payer from then on', async () => {
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
    expect(paid.headers['set-cookie']).toEqual([
      'eep_payer=wallet:ann|cash:test; HttpOnly; SameSite=Lax; Max-Age=604800; Path=/; Secure',
      expect.stringMatching(/^__Host-eep_payer_sig=[\w.-]+; HttpOnly; SameSite=Lax; Max-Age=604800; Path=\/; Secure$/),
      expect.stringMatching(
        /^__Host-eep_purchases=wallet:ann\|cash:test\|[\w.-]+; HttpOnly; SameSite=Lax; Max-Age=34560000; Path=\/; Secure$/,
      ),
    ])
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

  it('evaluates the gate before returning 304', async () => {
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

  it('takes no payment for HEAD', async () => {
    const shop = await shopOf()
    const headers = await paymentFor(shop.paid)
    const response = await client(test.app).with(headers).send('HEAD', shop.paid)
    expect(response.statusCode).toBe(402)
    expect(response.body).toBe('')
    expect(moneyOf(shop)).toBe(0n)
  })

  it('returns 404 without a payment when the page does not exist', async () => {
    const shop = await shopOf()
    const headers = await paymentFor(shop.paid)
    expect((await get(`${shop.paid}-that-is-not`, headers)).statusCode).toBe(404)
    expect(moneyOf(shop)).toBe(0n)
  })

  it('returns 403 when a requirement other than payment is missing', async () => {
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
    const saved = await shop.put(`/eep/gates/${shop.did}`, { ...gate, allow: 'unpayable' })
    expect(saved.statusCode, saved.body).toBe(200)
    const body = (await get(shop.paid)).json()
    expect(body.decoded_payment_required?.accepts.length ?? 0).toBe(offers)
  })

  it('keeps a page closed when no rail can sell it', async () => {
    const shop = await shopOf({ currency: 'chf' }, { allow: 'unpayable' })
    const response = await get(shop.paid)
    expect(response.statusCode).toBe(402)
    const required = { accepts: [], error: expect.stringContaining('no payment method is available') }
    expect(decodeHeader(response, 'payment-required')).toMatchObject(required)
    expect(response.json()).toMatchObject({
      inline_retry_supported: false,
      payment_required_b64: response.headers['payment-required'],
      decoded_payment_required: required,
      docs_url: expect.any(String),
    })
    expect(response.body).not.toContain(SECRET_WORD)
  })
})

describe('a payment that is refused', () => {
  it.each([
    ['short', { amount: '9999' }, 'amount_mismatch'],
    ['forged', { forged: true }, 'invalid_signature'],
    ['late', { validSeconds: -1 }, 'authorization_expired'],
  ] as const)('%s: gets a new 402 with the reason, and costs nothing', async (_, payment, reason) => {
    const shop = await shopOf()
    const response = await get(shop.paid, await paymentFor(shop.paid, payment))
    expect(response.statusCode).toBe(402)
    expect(decodeHeader(response, 'payment-response')).toMatchObject({ success: false, errorReason: reason })
    expect(decodeHeader(response, 'payment-required').accepts).toHaveLength(1)
    expect(moneyOf(shop)).toBe(0n)
  })

  it('with an internal error gets a 402 with a reason of the scheme, never an exception text', async () => {
    const shop = await shopOf()
    const rubbish = Buffer.from(
      JSON.stringify({ x402Version: 2, accepted: { scheme: 'cash', network: 'cash:test' } }),
    ).toString('base64')
    const response = await get(shop.paid, { 'payment-signature': rubbish })
    expect(response.statusCode).toBe(402)
    expect(decodeHeader(response, 'payment-response').errorReason).toBe('invalid_payload')
  })

  it('rejects a payment for another price', async () => {
    const cheap = await shopOf({ amount: 0.01 })
    const dear = await shopOf({ amount: 5 })
    const response = await get(dear.paid, await paymentFor(cheap.paid))
    expect(response.statusCode).toBe(402)
    expect(decodeHeader(response, 'payment-response').errorReason).toBe('invalid_payment_requirements')
    expect(moneyOf(dear)).toBe(0n)
  })

  it('accepts a payment again that was refused during settlement', async () => {
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
  it('settles a credential once that is sent twenty times concurrently', async () => {
    const shop = await shopOf()
    const headers = await paymentFor(shop.paid, { wallet: 'wallet:twenty' })
    const before = test.cashWallets.calls.filter((call) => call === 'settle').length
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(shop.paid, headers)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200))
    expect(test.cashWallets.calls.filter((call) => call === 'settle').length - before).toBe(1)
    expect(moneyOf(shop)).toBe(10_000n)
  })

  it('delivers a payment for one request once when it is sent twenty times concurrently', async () => {
    const shop = await shopOf({ per: 'request' })
    const headers = await paymentFor(shop.paid, { wallet: 'wallet:twenty-once' })
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(shop.paid, headers)))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect(answers.filter(({ statusCode }) => statusCode === 402)).toHaveLength(19)
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

  it('takes nothing while another payment of the payer is being recorded', async () => {
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

  it('rejects a known credential with another signature', async () => {
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

  it('rejects a payment that was used for another seller', async () => {
    const [one, two] = [await shopOf(), await shopOf()]
    const headers = await paymentFor(one.paid)
    expect((await get(one.paid, headers)).statusCode).toBe(200)
    expect((await get(two.paid, headers)).statusCode).toBe(402)
    expect(moneyOf(two)).toBe(0n)
  })
})
