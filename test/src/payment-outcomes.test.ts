import type { Storage } from '@eep/core/ports'
import { cashRail, createCashLedger, createCashWallets } from '@eep/core/testing'
import { describe, expect, it } from 'vitest'
import { createTestApp, openStorage } from './support/app.ts'
import { held, openCashShops } from './support/cash-shops.ts'
import { client } from './support/client.ts'
import { createCashApp, header, openShop, SECRET_WORD } from './support/shop.ts'

const { test, get, shopOf, paymentFor, moneyOf } = await openCashShops()

describe('a payment of unknown outcome', () => {
  it('returns 503 without a new offer, and serves the repeat without a second charge', async () => {
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

  it('treats any other error of the rail as unknown, not as refused', async () => {
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

  it('completes a payment in the background when the client does not return', async () => {
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

  it('makes copies of a payment wait while it is being settled', async () => {
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
  it('completes later payments despite payments that never end', async () => {
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

  it('settles a payment that one instance refused and another one settled', async () => {
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
