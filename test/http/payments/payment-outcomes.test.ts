import type { Storage } from '@eep/core/ports'
import { cashRail, createCashLedger, createCashWallets } from '@eep/core/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { createTestApp, openStorage } from '../../support/app.ts'
import { held, openCashShops } from '../../support/cash-shops.ts'
import { client } from '../../support/client.ts'
import { createClock } from '../../support/clock.ts'
import { onPglite } from '../../support/database.ts'
import { createCashApp, decodeHeader, header, openShop, SECRET_WORD } from '../../support/shop.ts'

const { test, get, shopOf, paymentFor, moneyOf } = await openCashShops()

/** A tier that sells the pages of a shop. */
const tier = (per: string, amount: number) => ({
  requirements: [{ type: 'payment', amount, currency: 'usdc', per }],
  access: ['content.notes.*'],
})

describe('a payment of unknown outcome', () => {
  it('returns 503 without a new offer, and serves the repeat without a second charge', async () => {
    // The service asks for the outcome in the background too, every half of a lease.
    const { app, cashWallets, close } = await createCashApp({ payments: { settlementLeaseMs: 86_400_000 } })
    onTestFinished(close)
    const { get } = client(app)
    const shop = await openShop(app, 'patient')
    const required = header(await get(shop.paid), 'payment-required')
    const headers = cashWallets.answer(required, { wallet: 'wallet:lost' })
    cashWallets.next('settle', { lose: 'answer' })
    cashWallets.next('recover', { lose: 'request' })
    const pending = await get(shop.paid, headers)
    expect(pending.statusCode).toBe(503)
    expect(pending.json().error.code).toBe('settlement_pending')
    expect(header(pending, 'retry-after')).toBe('5')
    expect(pending.headers['payment-required']).toBeUndefined()
    expect(pending.body).not.toContain(SECRET_WORD)

    expect((await get(shop.paid, headers)).statusCode).toBe(503)
    expect((await get(shop.paid, headers)).statusCode).toBe(200)
    expect(cashWallets.balance(shop.did)).toBe(10_000n)
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

  it.each([
    ['day', 'month', 10_000n],
    ['request', 'day', 10_000n],
    ['day', 'request', 50_000n],
  ] as const)(
    'keeps a signature for another tier of the page unspent: first %s, then %s',
    async (first, second, paid) => {
      const shop = await shopOf()
      const [cheap, dear] = paid === 10_000n ? [first, second] : [second, first]
      const tiers = {
        public: { requirements: [], access: ['profile.*'] },
        cheap: tier(cheap, 0.01),
        dear: tier(dear, 0.05),
      }
      expect((await shop.put(`/eep/gates/${shop.did}`, { default_tier: 'public', tiers })).statusCode).toBe(200)
      const { accepts } = decodeHeader(await get(shop.paid), 'payment-required')
      const sign = (per: string) => {
        const amount = per === cheap ? '10000' : '50000'
        const accept = accepts.find((each: { amount: string }) => each.amount === amount)
        const { paymentSignature } = test.cashWallets.pay(accept, { wallet: `wallet:${first}-${second}` })
        return { 'payment-signature': paymentSignature }
      }
      test.cashWallets.next('settle', { lose: 'answer' })
      expect((await get(shop.paid, sign(first))).statusCode).toBe(503)
      expect((await get(shop.paid, sign(second))).statusCode).toBe(200)
      expect(moneyOf(shop)).toBe(paid)
    },
  )

  it('does not delay a payment for a page that the unknown one does not open', async () => {
    const shop = await shopOf()
    const tiers = {
      public: { requirements: [], access: ['profile.*'] },
      engines: { ...tier('day', 0.01), access: ['content.notes.engines'] },
      looms: { ...tier('request', 0.05), access: ['content.notes.looms'] },
    }
    await shop.put(`/eep/gates/${shop.did}`, { default_tier: 'public', tiers })
    const wallet = 'wallet:two-things'
    test.cashWallets.next('settle', { lose: 'answer' })
    expect((await get(shop.paid, await paymentFor(shop.paid, { wallet }))).statusCode).toBe(503)
    const { promise, release } = held()
    test.cashWallets.next('recover', { hold: promise })
    const response = await get(shop.other, await paymentFor(shop.other, { wallet }))
    release()
    expect(response.statusCode, response.body).toBe(200)
    // It uses the held call up.
    await test.eep.paywall.reconcile()
    expect(moneyOf(shop)).toBe(60_000n)
  })

  it('buys a day for a payer who has not fetched what was paid for one request', async () => {
    const shop = await shopOf()
    const tiers = {
      public: { requirements: [], access: ['profile.*'] },
      single: tier('request', 0.01),
      day: tier('day', 0.05),
    }
    await shop.put(`/eep/gates/${shop.did}`, { default_tier: 'public', tiers })
    const { accepts } = decodeHeader(await get(shop.paid), 'payment-required')
    const wallet = 'wallet:single-then-day'
    const sign = (amount: string) => {
      const accept = accepts.find((each: { amount: string }) => each.amount === amount)
      return { 'payment-signature': test.cashWallets.pay(accept, { wallet }).paymentSignature }
    }
    test.cashWallets.next('settle', { lose: 'answer' })
    expect((await get(shop.paid, sign('10000'))).statusCode).toBe(503)
    await test.eep.paywall.reconcile()
    expect((await get(shop.paid, sign('50000'))).statusCode).toBe(200)
    expect(moneyOf(shop)).toBe(60_000n)
    const named = { 'x-eep-payer-wallet': wallet, 'x-eep-payer-network': 'cash:test' }
    expect((await get(shop.other, named)).statusCode).toBe(200)
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

  it('is asked for by one of two rounds in the background at the same time', async () => {
    const shop = await shopOf()
    test.cashWallets.next('settle', { lose: 'answer' })
    expect((await get(shop.paid, await paymentFor(shop.paid, { wallet: 'wallet:rounds' }))).statusCode).toBe(503)
    const { promise, release } = held()
    test.cashWallets.next('recover', { hold: promise })
    const rounds = [test.eep.paywall.reconcile(), test.eep.paywall.reconcile()]
    const first = await Promise.race(rounds)
    expect(first).toEqual({ asked: 0, finished: 0 })
    release()
    expect((await Promise.all(rounds)).map(({ asked }) => asked).sort()).toEqual([0, 1])
    expect(moneyOf(shop)).toBe(10_000n)
  })

  it('is not completed for a profile that was deleted meanwhile, and is recorded when the money had moved', async () => {
    const [lost, taken] = [await shopOf(), await shopOf()]
    for (const [shop, lose] of [
      [lost, 'request'],
      [taken, 'answer'],
    ] as const) {
      test.cashWallets.next('settle', { lose })
      expect((await get(shop.paid, await paymentFor(shop.paid))).statusCode).toBe(503)
      expect((await shop.delete(shop.profile.replace('/u/', '/profiles/u/'))).statusCode).toBe(200)
    }
    await test.eep.paywall.reconcile()
    const salesOf = ({ profileId }: { profileId: number }) =>
      test.storage.read.sales?.list({ profileIds: [profileId] }, { limit: 2 })
    // The service reconciles in the background too, and may be recording the sale.
    await expect.poll(async () => (await salesOf(taken))?.items.length).toBe(1)
    expect((await salesOf(lost))?.items).toEqual([])
    expect([moneyOf(lost), moneyOf(taken)]).toEqual([0n, 10_000n])
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

describe('a paid request that breaks off', () => {
  // The held transaction occupies the only connection of PGlite.
  it.skipIf(onPglite())('serves a fresh signature that arrives meanwhile, and charges nothing for it', async () => {
    const database = await openStorage()
    const brokeOff = held()
    const storage: Storage = {
      ...database.storage,
      transaction: (work) =>
        database.storage.transaction((tx) => {
          const endDelivery = async (id: string) => {
            await brokeOff.promise
            await tx.payments.endDelivery(id, 'unsent')
          }
          return work({ ...tx, payments: { ...tx.payments, endDelivery } })
        }),
    }
    const shopping = await createCashApp({ storage })
    try {
      const shop = await openShop(shopping.app, 'breaking', { per: 'request' })
      const ask = (headers: Record<string, string> = {}) => client(shopping.app).get(shop.paid, headers)
      const { cashWallets } = shopping
      const required = header(await ask(), 'payment-required')
      const sign = () => cashWallets.answer(required, { wallet: 'wallet:again' })
      expect((await ask(sign())).statusCode).toBe(200)
      const again = ask(sign())
      await expect.poll(() => cashWallets.calls.filter((call) => call === 'verify')).toHaveLength(2)
      brokeOff.release()
      expect((await again).statusCode).toBe(200)
      expect(cashWallets.balance(shop.did)).toBe(10_000n)
    } finally {
      brokeOff.release()
      await shopping.close()
      await database.close()
    }
  })
})

describe('a credential of a lasting purchase that was never delivered', () => {
  it('opens what it bought within an hour after it was recorded, and nothing later', async () => {
    const { clock, at } = createClock()
    const shopping = await createCashApp({ clock })
    try {
      const shop = await openShop(shopping.app, 'patient', { per: 'once' })
      const ask = (headers: Record<string, string> = {}) => client(shopping.app).get(shop.paid, headers)
      const credential = shopping.cashWallets.answer(header(await ask(), 'payment-required'))
      shopping.cashWallets.next('settle', { lose: 'answer' })
      expect((await ask(credential)).statusCode).toBe(503)
      await shopping.eep.paywall.reconcile()
      await at(clock().getTime() + 2 * 3_600_000, async () => {
        const refused = await ask(credential)
        expect(refused.statusCode, refused.body).toBe(402)
        expect(refused.body).not.toContain(SECRET_WORD)
      })
      await at(clock().getTime() + 1_800_000, async () => {
        expect((await ask(credential)).statusCode).toBe(200)
      })
    } finally {
      await shopping.close()
    }
  })
})

describe('a payment to a seller who hands the profile over', () => {
  it('is refused unspent when the profile has another owner by the time of the claim', async () => {
    const shop = await shopOf()
    const heir = await signUp(test.app)
    const headers = await paymentFor(shop.paid, { wallet: 'wallet:between' })
    const { promise, release } = held()
    test.cashWallets.next('verify', { hold: promise })
    const known = test.cashWallets.calls.length
    const paid = get(shop.paid, headers)
    await expect.poll(() => test.cashWallets.calls.slice(known)).toContain('verify')
    await test.storage.transaction((tx) =>
      tx.profiles.save(shop.profileId, { ownerAccountId: heir.account.id, updatedAt: new Date() }),
    )
    release()
    expect((await paid).statusCode).toBe(402)
    expect(moneyOf(shop)).toBe(0n)
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
