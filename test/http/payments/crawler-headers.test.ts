import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../../support/client.ts'
import { createCashApp, decodeHeader, header, openShop, SECRET_WORD, type Shop } from '../../support/shop.ts'

// The headers of "pay per crawl": they state and limit a price, and never pay one.

let test: Awaited<ReturnType<typeof createCashApp>>
let shop: Shop

beforeAll(async () => {
  test = await createCashApp()
  shop = await openShop(test.app, 'crawled')
})
afterAll(() => test.close())

const get = (url: string, headers: Record<string, string> = {}) => client(test.app).get(url, headers)
let payers = 0
/** A payment of a new wallet for a page. */
const payment = async (url = shop.paid) =>
  test.cashWallets.answer(header(await get(url), 'payment-required'), { wallet: `wallet:crawler${++payers}` })
const settled = () => test.cashWallets.calls.filter((call) => call === 'settle').length

const crawlerOf = ({ headers }: Awaited<ReturnType<typeof get>>) => ({
  price: headers['crawler-price'],
  error: headers['crawler-error'],
  charged: headers['crawler-charged'],
})

describe('crawler-price', () => {
  it('is on each 402 for GET and HEAD, and equals the offer', async () => {
    const answer = await get(shop.paid)
    expect([answer.statusCode, crawlerOf(answer)]).toEqual([402, { price: 'USD 0.01' }])
    expect(decodeHeader(answer, 'payment-required').accepts[0].amount).toBe('10000')
    // The same from the response cache.
    expect(crawlerOf(await get(shop.paid))).toEqual({ price: 'USD 0.01' })
    for (const accept of ['text/html', 'application/problem+json']) {
      expect(crawlerOf(await get(shop.paid, { accept })).price).toBe('USD 0.01')
    }
    const head = await test.app.inject({ method: 'HEAD', url: shop.paid })
    expect(head.headers['crawler-price']).toBe('USD 0.01')
  })

  it('is the lowest of several, and absent where nothing is for sale', async () => {
    const several = await openShop(test.app, 'crawled-tiers')
    const tier = (amount: number, currency: string) => ({
      requirements: [{ type: 'payment', amount, currency, per: 'day' }],
      access: ['content.notes.*'],
    })
    const open = { requirements: [], access: ['profile.*', 'content.*'] }
    const put = (tiers: object, more: object = {}) =>
      several.put(`/eep/gates/${several.did.replaceAll('%', '%25')}`, { default_tier: 'public', tiers, ...more })
    await put({ public: open, high: tier(3, 'usd'), low: tier(0.5, 'usdc') })
    expect(crawlerOf(await get(several.paid)).price).toBe('USD 0.50')
    await put({ public: open, other: tier(3, 'jpy') }, { allow: 'unpayable' })
    const unsold = await get(several.paid)
    expect([unsold.statusCode, crawlerOf(unsold)]).toEqual([402, {}])
  })

  it('is not on pages that are open', async () => {
    expect(crawlerOf(await get(shop.open, { 'crawler-max-price': 'rubbish' }))).toEqual({})
  })
})

describe('a limit of the price', () => {
  it.each([
    [
      { 'crawler-max-price': 'USD 0.01', 'crawler-exact-price': 'USD 0.01' },
      'conflicting_price_headers',
      'ConflictingPriceHeaders',
    ],
    [{ 'crawler-max-price': '0.01' }, 'invalid_crawler_price', 'InvalidCrawlerPriceValue'],
    [{ 'crawler-exact-price': 'usd 0.01' }, 'invalid_crawler_price', 'InvalidCrawlerPriceValue'],
  ])('is refused when it is %j', async (headers, code, error) => {
    const before = settled()
    const answer = await get(shop.paid, { ...headers, ...(await payment()) })
    expect([answer.statusCode, answer.json().error.code, crawlerOf(answer)]).toEqual([400, code, { error }])
    expect(settled()).toBe(before)
  })

  it.each([
    ['crawler-max-price', 'USD 0.009', 'InvalidCrawlerMaxPrice'],
    ['crawler-max-price', 'EUR 100.00', 'InvalidCrawlerMaxPrice'],
    ['crawler-exact-price', 'USD 0.02', 'InvalidCrawlerExactPrice'],
  ])('of %s: %s takes nothing, with a payment and without', async (name, value, error) => {
    const credential = await payment()
    const before = settled()
    const refused = await get(shop.paid, { [name]: value, ...credential })
    expect([refused.statusCode, crawlerOf(refused)]).toEqual([402, { price: 'USD 0.01', error }])
    expect(decodeHeader(refused, 'payment-response')).toMatchObject({
      success: false,
      errorReason: 'price_limit_not_met',
    })
    expect(crawlerOf(await get(shop.paid, { [name]: value }))).toEqual({ price: 'USD 0.01', error })
    expect(settled()).toBe(before)
    // The payment is unspent, and pays without the limit.
    const paid = await get(shop.paid, credential)
    expect([paid.statusCode, crawlerOf(paid)]).toEqual([200, { charged: 'USD 0.01' }])
  })

  it.each([
    ['crawler-max-price', 'USD 0.05'],
    ['crawler-exact-price', 'USD 0.010'],
  ])('of %s: %s charges the price, not the limit', async (name, value) => {
    const credential = await payment()
    const paid = await get(shop.paid, { [name]: value, ...credential })
    expect([paid.statusCode, paid.body.includes(SECRET_WORD), crawlerOf(paid)]).toEqual([
      200,
      true,
      { charged: 'USD 0.01' },
    ])
    expect(decodeHeader(paid, 'payment-response').amount).toBe('10000')
    // The delivery is repeated with what was charged.
    expect(crawlerOf(await get(shop.paid, credential))).toEqual({ charged: 'USD 0.01' })
  })

  it('is not a payment', async () => {
    const answer = await get(shop.paid, { 'crawler-max-price': 'USD 5.00' })
    expect([answer.statusCode, crawlerOf(answer)]).toEqual([402, { price: 'USD 0.01', error: 'PaymentFailed' }])
    expect(answer.headers['payment-response']).toBeUndefined()
  })
})

describe('crawler-charged', () => {
  it('is not on a refused payment, an entitled read or a 503', async () => {
    const forged = test.cashWallets.answer(header(await get(shop.paid), 'payment-required'), { forged: true })
    const refused = await get(shop.paid, forged)
    expect([refused.statusCode, crawlerOf(refused)]).toEqual([402, { price: 'USD 0.01', error: 'PaymentFailed' }])

    const bought = await get(shop.paid, await payment())
    const entitled = await get(shop.paid, {
      'x-eep-payer-wallet': header(bought, 'x-eep-payer-wallet'),
      'x-eep-payer-network': header(bought, 'x-eep-payer-network'),
    })
    expect([entitled.statusCode, crawlerOf(entitled)]).toEqual([200, {}])

    const credential = await payment()
    test.cashWallets.next('settle', { lose: 'request' })
    const pending = await get(shop.paid, credential)
    expect([pending.statusCode, crawlerOf(pending)]).toEqual([503, {}])
  })
})

describe('payments.crawlerHeaders: false', () => {
  it('sends and reads none of them', async () => {
    const off = await createCashApp({ payments: { crawlerHeaders: false } })
    const sold = await openShop(off.app, 'uncrawled')
    const ask = (headers: Record<string, string> = {}) => client(off.app).get(sold.paid, headers)
    const unpaid = await ask({ 'crawler-max-price': 'rubbish' })
    expect([unpaid.statusCode, crawlerOf(unpaid)]).toEqual([402, {}])
    const paid = await ask({
      'crawler-max-price': 'USD 0.001',
      ...off.cashWallets.answer(header(unpaid, 'payment-required')),
    })
    expect([paid.statusCode, crawlerOf(paid)]).toEqual([200, {}])
    await off.close()
  })
})
