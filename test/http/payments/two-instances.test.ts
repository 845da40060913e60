import { cashRail, createCashLedger, createCashWallets } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, openStorage, type TestApp, type TestStorage } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { onPglite } from '../../support/database.ts'
import { decodeHeader, header, openShop, SECRET_WORD, type Shop, shopGate } from '../../support/shop.ts'

/** Another instance applies events of the log within this time, usually immediately. */
const HEARD = { timeout: 60_000, interval: 20 }

describe.skipIf(onPglite())('two instances on one database', () => {
  const ledger = createCashLedger()
  const cashWallets = [createCashWallets({ ledger }), createCashWallets({ ledger })] as const
  let database: TestStorage
  let instances: readonly Awaited<ReturnType<typeof createTestApp>>[] = []
  let one: TestApp
  let two: TestApp
  let shops = 0

  beforeAll(async () => {
    database = await openStorage()
    const storages = [database.storage, database.another()]
    instances = await Promise.all(
      storages.map((storage, index) =>
        createTestApp({
          storage,
          payments: { rails: [cashRail({ cashWallets: cashWallets[index as 0 | 1] })], settlementLeaseMs: 60_000 },
        }),
      ),
    )
    ;[one, two] = instances.map(({ app }) => app) as [TestApp, TestApp]
  })
  afterAll(async () => {
    for (const instance of instances) await instance.close()
    await database.close()
  })

  const shopOf = (price: Parameters<typeof openShop>[2] = {}) => openShop(one, `branch-${++shops}`, price)
  const read = (app: TestApp, url: string, headers: Record<string, string> = {}) => client(app).get(url, headers)
  const statusOn = async (app: TestApp, url: string, headers: Record<string, string>) =>
    (await read(app, url, headers)).statusCode
  const signed = async ({ paid }: Shop, wallet: string) =>
    cashWallets[0].answer(header(await read(one, paid), 'payment-required'), { wallet })
  const payer = (wallet: string) => ({ 'x-eep-payer-wallet': wallet, 'x-eep-payer-network': 'cash:test' })

  it('serve a credential that the other one took for a day, without a second charge', async () => {
    const shop = await shopOf()
    const headers = await signed(shop, 'wallet:day')
    for (const app of [one, two, one]) {
      const answer = await read(app, shop.paid, headers)
      expect([answer.statusCode, answer.body.includes(SECRET_WORD)]).toEqual([200, true])
    }
    expect(cashWallets[0].balance(shop.did)).toBe(10_000n)
  })

  it('refuse a credential for one request that the other one delivered', async () => {
    const shop = await shopOf({ per: 'request' })
    const headers = await signed(shop, 'wallet:request')
    expect(await statusOn(one, shop.paid, headers)).toBe(200)
    const refused = await read(two, shop.paid, headers)
    expect(refused.statusCode).toBe(402)
    expect(decodeHeader(refused, 'payment-response').errorReason).toBe('credential_already_used')
    expect(cashWallets[0].balance(shop.did)).toBe(10_000n)
  })

  it('refuse a used credential with another signature, and one for another seller', async () => {
    const shop = await shopOf()
    const other = await shopOf()
    const required = header(await read(one, shop.paid), 'payment-required')
    const first = cashWallets[0].answer(required, { wallet: 'wallet:twin', nonce: 'one' })
    expect(await statusOn(one, shop.paid, first)).toBe(200)
    const twin = cashWallets[0].answer(required, { wallet: 'wallet:twin', nonce: 'one', validSeconds: 60 })
    expect(await statusOn(two, shop.paid, twin)).toBe(402)
    expect(await statusOn(two, other.paid, first)).toBe(402)
    expect(ledger.list().filter(({ from }) => from === 'wallet:twin')).toHaveLength(1)
  })

  it('take one payment for a credential that comes to both while neither has an answer', async () => {
    const shop = await shopOf({ per: 'request' })
    const headers = await signed(shop, 'wallet:race')
    let release = () => {}
    cashWallets[0].next('settle', { hold: new Promise<void>((resolve) => (release = resolve)) })
    const known = cashWallets[0].calls.length
    const first = read(one, shop.paid, headers)
    // Background work asks for offers meanwhile.
    await expect.poll(() => cashWallets[0].calls.slice(known)).toContain('settle')
    const settles = () => cashWallets[1].calls.filter((call) => call === 'settle').length
    const before = settles()
    const second = read(two, shop.paid, headers)
    const third = read(two, shop.paid, headers)
    // Answered after those two came, while they wait.
    for (let later = 0; later < 3; later++) expect(await statusOn(two, shop.open, {})).toBe(200)
    release()
    const statuses = (await Promise.all([first, second, third])).map(({ statusCode }) => statusCode)
    expect(statuses.sort()).toEqual([200, 402, 402])
    expect(settles()).toBe(before)
    expect(cashWallets[0].balance(shop.did)).toBe(10_000n)
  })

  async function sold(shop: Shop, wallet: string) {
    expect(await statusOn(one, shop.paid, await signed(shop, wallet))).toBe(200)
    const url = `/manage/entitlements?profile_id=${shop.profileId}&payer_wallet=${wallet}`
    const [held] = (await read(one, url, shop.headers)).json().data
    // Both have served it, so whatever they keep of it they keep now.
    for (const app of [one, two]) expect(await statusOn(app, shop.paid, payer(wallet))).toBe(200)
    return held as { readonly id: string; readonly receipt_id: string }
  }

  it('enforce a revocation of the other instance immediately', async () => {
    const shop = await shopOf()
    const { id } = await sold(shop, 'wallet:revoked')
    const url = `/manage/entitlements/${id}`
    expect((await client(two).as(shop).delete(url)).statusCode).toBe(200)
    for (const app of [one, two]) expect(await statusOn(app, shop.paid, payer('wallet:revoked'))).toBe(402)
  })

  it('enforce a refund of the other instance immediately', async () => {
    const shop = await shopOf()
    const { receipt_id: receipt } = await sold(shop, 'wallet:refunded')
    const refunded = await client(one)
      .as(shop)
      .post(`/eep/payment/receipts/${receipt}/refund`, {
        reference: cashWallets[0].giveBack({ to: 'wallet:refunded' }),
      })
    expect(refunded.statusCode, refunded.body).toBe(200)
    for (const app of [one, two]) expect(await statusOn(app, shop.paid, payer('wallet:refunded'))).toBe(402)
  })

  it('apply a gate that the other instance changed', async () => {
    const shop = await shopOf()
    for (const app of [one, two]) expect(await statusOn(app, shop.open, {})).toBe(200)
    const amountOn = async (app: TestApp) =>
      decodeHeader(await read(app, shop.paid), 'payment-required').accepts[0].amount
    expect(await amountOn(two)).toBe('10000')
    const put = (payload: object) => client(one).as(shop).put(`/eep/gates/${shop.did}`, payload)

    expect((await put(shopGate({ amount: 2 }))).statusCode).toBe(200)
    expect(await amountOn(one)).toBe('2000000')
    await expect.poll(() => amountOn(two), HEARD).toBe('2000000')

    const closed = { default_tier: 'public', tiers: { public: { requirements: [], access: ['profile.*'] } } }
    expect((await put(closed)).statusCode).toBe(200)
    expect(await statusOn(one, shop.open, {})).toBe(403)
    await expect.poll(() => statusOn(two, shop.open, {}), HEARD).toBe(403)
  })
})
