import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { eep } from '@eep/core'
import { cashRail, createCashWallets } from '@eep/core/testing'
import Fastify from 'fastify'
import { compactVerify, createLocalJWKSet } from 'jose'
import { describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { newKey } from '../../support/api-keys.ts'
import { createTestApp, openStorage, PUBLIC_URL, SECRET } from '../../support/app.ts'
import { held, openCashShops } from '../../support/cash-shops.ts'
import { client } from '../../support/client.ts'
import {
  cookieOf,
  createCashApp,
  decodeHeader,
  header,
  openShop,
  SECRET_WORD,
  type Shop,
  shopGate,
} from '../../support/shop.ts'

interface ReceiptList {
  readonly data: readonly { readonly receipt_id: string }[]
  readonly pagination: { readonly total: number; readonly next_cursor?: string }
}

const { test, get, shopOf, paymentFor, moneyOf } = await openCashShops()

describe('the access that a payment grants', () => {
  it.each(['hour', 'day', 'week', 'month', 'year', 'once'])(
    'keeps a page open that was bought for one %s',
    async (per) => {
      const shop = await shopOf({ per })
      const wallet = `wallet:${per}`
      expect((await get(shop.paid, await paymentFor(shop.paid, { wallet }))).statusCode).toBe(200)
      const named = { 'x-eep-payer-wallet': wallet, 'x-eep-payer-network': 'cash:test' }
      expect((await get(shop.paid, named)).statusCode).toBe(200)
      expect(moneyOf(shop)).toBe(10_000n)
    },
  )

  it('delivers a page once that was bought for one request', async () => {
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
      const again = own.cashWallets.answer(header(repeat, 'payment-required'), { wallet: 'wallet:hasty' })
      expect((await client(own.app).get(shop.paid, again)).statusCode).toBe(200)
      expect(own.cashWallets.balance(shop.did)).toBe(20_000n)
    } finally {
      await own.close()
    }
  })

  it('does not use up a paid request by a failed response', async () => {
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

  it('ends access when the entitlement expires', async () => {
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
          reason: 'hand',
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

describe('a receipt', () => {
  it('shows a receipt to its payer and its seller, and verifies it offline', async () => {
    const shop = await shopOf()
    const buyer = await signUp(test.app)
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

    const otherUser = await signUp(test.app)
    expect((await get(`/eep/payment/receipts/${receipt.receipt_id}`, otherUser.headers)).statusCode).toBe(404)
    expect((await get(`/eep/payment/receipts/${receipt.receipt_id}`)).statusCode).toBe(401)
    expect((await get('/eep/payment/receipts')).statusCode).toBe(401)
    expect((await get('/eep/payment/receipts', otherUser.headers)).json().data).toEqual([])
  })

  it('shows a key for one profile only the receipts of that profile', async () => {
    const shop = await shopOf()
    const buyer = await signUp(test.app)
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

  it('lists receipts newest first, in pages', async () => {
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
  it('grants nothing to a client that only knows the address of a payer', async () => {
    const cashWallets = createCashWallets()
    const strict = await createTestApp({ payments: { rails: [cashRail({ cashWallets })], payerProof: 'signed' } })
    try {
      const shop = await openShop(strict.app, 'strict')
      const ask = (headers: Record<string, string> = {}) => client(strict.app).get(shop.paid, headers)
      const paid = await ask(cashWallets.answer(header(await ask(), 'payment-required'), { wallet: 'wallet:known' }))
      const proof = cookieOf(paid, '__Host-eep_payer_sig')
      const payer = `eep_payer=${cookieOf(paid, 'eep_payer')}`
      expect((await ask({ cookie: `${payer}; __Host-eep_payer_sig=${proof}` })).statusCode).toBe(200)
      expect((await ask({ cookie: payer })).statusCode).toBe(402)
      expect((await ask({ 'x-eep-payer-wallet': 'wallet:known', 'x-eep-payer-network': 'cash:test' })).statusCode).toBe(
        402,
      )
      expect(
        (await ask({ cookie: `eep_payer=wallet:other|cash:test; __Host-eep_payer_sig=${proof}` })).statusCode,
      ).toBe(402)
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
      expect(cookieOf(await ask(headers), '__Host-eep_payer_sig')).toBeDefined()
      const copied = await ask(headers)
      expect(copied.statusCode).toBe(200)
      expect(cookieOf(copied, '__Host-eep_payer_sig')).toBeUndefined()
      // A payer that has lost the proof can sign another one for free.
      const again = await ask(cashWallets.answer(required))
      expect(again.statusCode).toBe(200)
      expect(cookieOf(again, '__Host-eep_payer_sig')).toBeDefined()
      expect(cashWallets.balance(shop.did)).toBe(10_000n)
    } finally {
      await strict.close()
    }
  })
})

describe('the gate configuration', () => {
  it('shows the gate configuration to everyone, and lets the owner change it, with a version', async () => {
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
    const otherUser = await signUp(test.app)
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
