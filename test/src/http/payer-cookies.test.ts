import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { createCashApp, header, openShop, type Shop } from '../support/shop.ts'

const DAY = 86_400
const WEEK = 7 * DAY
const LONGEST = 400 * DAY
const time = createClock()
let test: Awaited<ReturnType<typeof createCashApp>>
let wallets = 0

type Jar = Record<string, string>

beforeAll(async () => {
  test = await createCashApp({ payments: { payerProof: 'signed' }, clock: time.clock })
})
afterAll(() => test.close())

const read = (shop: Shop, cookies: Jar, headers: Jar = {}) => test.app.inject({ url: shop.paid, cookies, headers })
const inDays = <Result>(days: number, work: () => Promise<Result>) =>
  time.at(time.clock().getTime() + days * DAY * 1000, work)

/** Buys at a shop with a new wallet, in a browser with these cookies. */
async function buyAt(shop: Shop, cookies: Jar = {}) {
  const offer = await client(test.app).get(shop.paid)
  const wallet = `wallet:cookie-${++wallets}`
  const paid = await read(shop, cookies, test.cashWallets.answer(header(offer, 'payment-required'), { wallet }))
  expect(paid.statusCode, paid.body).toBe(200)
  return { shop, wallet, paid, jar: jarOf(paid) }
}

const buy = async (per: string, shopName: string, cookies: Jar = {}) =>
  buyAt(await openShop(test.app, shopName, { per }), cookies)

const jarOf = ({ cookies }: Awaited<ReturnType<typeof read>>): Jar =>
  Object.fromEntries(cookies.map(({ name, value }) => [name, value]))
const agesOf = ({ cookies }: Awaited<ReturnType<typeof read>>) => cookies.map(({ name, maxAge }) => [name, maxAge])
const both = (seconds: number) => [
  ['eep_payer', seconds],
  ['eep_payer_sig', seconds],
]

describe('the payer cookies', () => {
  it.each([
    ['hour', WEEK],
    ['day', WEEK],
    ['once', LONGEST],
  ])(
    'sets cookies of a purchase per %s for the lifetime of the entitlement, between 7 and 400 days',
    async (per, seconds) => {
      const { shop, paid, jar } = await buy(per, `cookies-${per}`)
      expect(agesOf(paid)).toEqual(both(seconds))
      expect(agesOf(await read(shop, jar))).toEqual(both(seconds))
    },
  )

  it('sets cookies of a yearly purchase for the remaining time', async () => {
    const { shop, paid, jar } = await buy('year', 'cookies-year')
    const year = paid.cookies[0]?.maxAge ?? 0
    expect([365 * DAY, 366 * DAY]).toContain(Math.round(year / DAY) * DAY)
    const later = await inDays(100, () => read(shop, jar))
    expect(later.statusCode).toBe(200)
    expect(Math.abs((later.cookies[0]?.maxAge ?? 0) - (year - 100 * DAY))).toBeLessThan(60)
  })

  it('renews cookies on reads, so that returning readers keep access', async () => {
    const { shop, jar } = await buy('once', 'cookies-again')
    const renewed = await inDays(399, async () => jarOf(await read(shop, jar)))
    expect((await inDays(401, () => read(shop, jar))).statusCode).toBe(402)
    expect((await inDays(401, () => read(shop, renewed))).statusCode).toBe(200)
  })

  it('renews cookies on a 304 too, with private responses', async () => {
    const { shop, paid, jar } = await buy('once', 'cookies-304')
    const again = await read(shop, jar, { 'if-none-match': header(paid, 'etag') })
    expect([again.statusCode, agesOf(again)]).toEqual([304, both(LONGEST)])
    expect(header(again, 'cache-control')).toContain('private')
  })

  it('does not renew cookies when another right granted the read', async () => {
    const { shop, jar, wallet } = await buy('once', 'cookies-others')
    const { headers } = shop
    const owner = await read(shop, {}, headers)
    expect([owner.statusCode, owner.cookies]).toEqual([200, []])
    // The signature proves the payer of the headers; no cookie of that payer was presented.
    const named = { 'x-eep-payer-wallet': wallet, 'x-eep-payer-network': 'cash:test' }
    const byHeaders = await read(shop, { eep_payer_sig: jar.eep_payer_sig ?? '' }, named)
    expect([byHeaders.statusCode, byHeaders.cookies]).toEqual([200, []])
    const free = await test.app.inject({ url: shop.open, cookies: jar })
    expect([free.statusCode, free.cookies]).toEqual([200, []])
    const other = await openShop(test.app, 'cookies-elsewhere')
    const refused = await read(other, jar)
    expect([refused.statusCode, refused.cookies]).toEqual([402, []])
  })

  it('keep open what a browser bought before, when it buys again with another wallet', async () => {
    const bought = [await buy('once', 'cookies-first')]
    const jar = { ...bought[0]?.jar }
    for (const name of ['cookies-second', 'cookies-third']) {
      const next = await buy('once', name, jar)
      bought.push(next)
      Object.assign(jar, next.jar)
    }
    for (const { shop } of bought) expect((await read(shop, jar)).statusCode).toBe(200)
  })

  it('open nothing without the proofs of earlier payers, with forged ones, or with ones that have expired', async () => {
    const first = await buy('once', 'cookies-proven')
    const { jar } = await buy('once', 'cookies-proven-next', first.jar)
    const { eep_payers: earlier = '', ...present } = { ...first.jar, ...jar }
    const forged = earlier.replaceAll(/[\w-]{4}(?=~|$)/g, 'AAAA')
    expect((await read(first.shop, { ...present, eep_payers: earlier })).statusCode).toBe(200)
    expect((await read(first.shop, present)).statusCode).toBe(402)
    expect((await read(first.shop, { ...present, eep_payers: forged })).statusCode).toBe(402)
    expect((await inDays(401, () => read(first.shop, { ...present, eep_payers: earlier }))).statusCode).toBe(402)
  })

  it('renew the proofs of earlier payers on reads', async () => {
    const first = await buy('once', 'cookies-renewed')
    const jar = { ...first.jar, ...(await buy('once', 'cookies-renewed-next', first.jar)).jar }
    expect(jarOf(await read(first.shop, jar))).not.toHaveProperty('eep_payers')
    const later = { ...jar, ...(await inDays(399, async () => jarOf(await read(first.shop, jar)))) }
    expect((await inDays(401, () => read(first.shop, jar))).statusCode).toBe(402)
    expect((await inDays(401, () => read(first.shop, later))).statusCode).toBe(200)
  })

  it('keep the payers of the latest nine wallets of a browser', async () => {
    const jar: Jar = {}
    const bought: Awaited<ReturnType<typeof buy>>[] = []
    for (let more = 0; more < 10; more++) {
      const next = await buy('once', `cookies-many-${more}`, jar)
      bought.push(next)
      Object.assign(jar, next.jar)
    }
    expect(jar.eep_payers?.split('~')).toHaveLength(8)
    const answers = await Promise.all(bought.slice(0, 2).map(({ shop }) => read(shop, jar)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([402, 200])
  })

  it('signs no cookie for a payer with a forged or missing signature', async () => {
    const { shop, jar } = await buy('once', 'cookies-forged')
    for (const forged of [{}, { eep_payer_sig: `${jar.eep_payer_sig?.slice(0, -2)}xx` }]) {
      const refused = await read(shop, { eep_payer: jar.eep_payer ?? '', ...forged })
      expect([refused.statusCode, refused.cookies]).toEqual([402, []])
    }
  })
})

describe('the receipt of a guest', () => {
  it('is linked from the page that was bought, and opened with the cookies of the payment', async () => {
    const lookup = await createCashApp({ payments: { payerProof: 'lookup' } })
    const shop = await openShop(lookup.app, 'cookies-receipt')
    const offer = await client(lookup.app).get(shop.paid)
    const payment = lookup.cashWallets.answer(header(offer, 'payment-required'), { wallet: 'wallet:guest' })
    const paid = await client(lookup.app).get(shop.paid, { ...payment, accept: 'text/html' })
    const [link = ''] = /\/purchases\/rcpt_[\w-]+\/receipt\.pdf/.exec(paid.body) ?? []
    expect(paid.body).toContain(`href="${link}"`)
    // These are for records: they name wallets, and the commission.
    expect(paid.body).not.toContain('/eep/payment/receipts/')
    const { eep_payer: named = '', ...proof } = jarOf(paid)
    const get = (url: string, cookies: Jar) => lookup.app.inject({ url, cookies })
    expect((await get(link, { eep_payer: named, ...proof })).headers['content-type']).toBe('application/pdf')
    // A payer that is only looked up opens pages, and gets no proof by reading them.
    const looked = await get(shop.paid, { eep_payer: named })
    expect([looked.statusCode, looked.cookies.map(({ name }) => name)]).toEqual([200, ['eep_payer']])
    expect((await get(link, { eep_payer: named })).statusCode).toBe(401)
    await lookup.close()
  })
})
