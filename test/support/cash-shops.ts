import { afterAll } from 'vitest'
import { client } from './client.ts'
import { createCashApp, header, openShop, type Shop } from './shop.ts'

/** A service that sells for cash, and its shops. It ends with the test file. */
export async function openCashShops() {
  // The service asks for outcomes in the background too, every half of a lease: later than a test ends.
  const test = await createCashApp({ payments: { settlementLeaseMs: 600_000 } })
  afterAll(() => test.close())
  const { get } = client(test.app)
  let shops = 0
  return {
    test,
    get,
    /** Opens a shop with one gated page. */
    shopOf: (price: Parameters<typeof openShop>[2] = {}, more: object = {}) =>
      openShop(test.app, `seller-${++shops}`, price, more),
    /** Requests a gated page, and returns the headers of the repeat that pays for it. */
    async paymentFor(url: string, payment: Parameters<typeof test.cashWallets.answer>[1] = {}) {
      return test.cashWallets.answer(header(await get(url), 'payment-required'), payment)
    },
    /** What a shop has been paid, in millionths. */
    moneyOf: ({ did }: Pick<Shop, 'did'>) => test.cashWallets.balance(did),
  }
}

/** A promise that a test fulfils when it calls `release`. */
export function held() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, release: resolve }
}
