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
const PRESENT = [
  ['eep_payer', WEEK],
  ['__Host-eep_payer_sig', WEEK],
]
const ALL = [...PRESENT, ['__Host-eep_purchases', LONGEST]]
/** The cookies that a browser still sends after eight days. */
const afterAWeek = ({ '__Host-eep_purchases': purchases = '' }: Jar): Jar => ({ '__Host-eep_purchases': purchases })

describe('the payer cookies', () => {
  it('sets the payer cookie with the attributes of the interface', async () => {
    const local = await createCashApp({ publicUrl: 'http://localhost:3000' })
    const shop = await openShop(local.app, 'cookies-literal')
    const offer = await client(local.app).get(shop.paid)
    const payment = local.cashWallets.answer(header(offer, 'payment-required'), { wallet: 'wallet:literal' })
    const paid = await client(local.app).get(shop.paid, payment)
    const [literal] = [paid.headers['set-cookie'] ?? []].flat()
    expect(literal).toBe('eep_payer=wallet:literal|cash:test; HttpOnly; SameSite=Lax; Max-Age=604800; Path=/')
    await local.close()
  })

  it.each(['hour', 'day', 'year', 'once'])(
    'sets a payer cookie of seven days and a cookie of purchases of 400 days for a purchase per %s',
    async (per) => {
      const { shop, paid, jar } = await buy(per, `cookies-${per}`)
      expect(agesOf(paid)).toEqual(ALL)
      expect(jar['__Host-eep_purchases']).toMatch(new RegExp(`^${jar.eep_payer?.replace('|', '\\|')}\\|[\\d.\\w-]+$`))
      expect(agesOf(await read(shop, jar))).toEqual(PRESENT)
    },
  )

  it('opens after the payer cookie has expired what lasts longer, by the cookie of purchases', async () => {
    const { shop, jar } = await buy('once', 'cookies-weeks')
    await inDays(8, async () => {
      expect((await read(shop, { ...jar, '__Host-eep_purchases': '' })).statusCode).toBe(402)
      expect((await read(shop, afterAWeek(jar))).statusCode).toBe(200)
    })
  })

  it('renews the cookie of purchases on reads, so that returning readers keep access', async () => {
    const { shop, jar } = await buy('once', 'cookies-again')
    const late = await inDays(399, () => read(shop, afterAWeek(jar)))
    expect(agesOf(late)).toEqual([['__Host-eep_purchases', LONGEST]])
    expect((await inDays(401, () => read(shop, afterAWeek(jar)))).statusCode).toBe(402)
    expect((await inDays(401, () => read(shop, jarOf(late)))).statusCode).toBe(200)
  })

  it('adds a proven payer to the cookie of purchases on reads when it is missing there', async () => {
    const { shop, jar } = await buy('once', 'cookies-missing')
    const { eep_payer: payer = '', '__Host-eep_payer_sig': proof = '' } = jar
    expect(agesOf(await read(shop, { eep_payer: payer, '__Host-eep_payer_sig': proof }))).toEqual(ALL)
  })

  it('renews cookies on a 304 too, with private responses', async () => {
    const { shop, paid, jar } = await buy('once', 'cookies-304')
    const again = await read(shop, jar, { 'if-none-match': header(paid, 'etag') })
    expect([again.statusCode, agesOf(again)]).toEqual([304, PRESENT])
    expect(header(again, 'cache-control')).toContain('private')
  })

  it('does not renew cookies when another right granted the read', async () => {
    const { shop, jar, wallet } = await buy('once', 'cookies-others')
    const { headers } = shop
    const owner = await read(shop, {}, headers)
    expect([owner.statusCode, owner.cookies]).toEqual([200, []])
    // The signature proves the payer of the headers; no cookie of that payer was presented.
    const named = { 'x-eep-payer-wallet': wallet, 'x-eep-payer-network': 'cash:test' }
    const byHeaders = await read(shop, { '__Host-eep_payer_sig': jar['__Host-eep_payer_sig'] ?? '' }, named)
    expect([byHeaders.statusCode, byHeaders.cookies]).toEqual([200, []])
    const free = await test.app.inject({ url: shop.open, cookies: jar })
    expect([free.statusCode, free.cookies]).toEqual([200, []])
    const other = await openShop(test.app, 'cookies-elsewhere')
    const refused = await read(other, jar)
    expect([refused.statusCode, refused.cookies]).toEqual([402, []])
  })

  it('keeps open what a browser bought before, when it buys again with another wallet', async () => {
    const bought = [await buy('once', 'cookies-first')]
    const jar = { ...bought[0]?.jar }
    for (const name of ['cookies-second', 'cookies-third']) {
      const next = await buy('once', name, jar)
      bought.push(next)
      Object.assign(jar, next.jar)
    }
    for (const { shop } of bought) expect((await read(shop, jar)).statusCode).toBe(200)
  })

  it('opens nothing without the cookie of purchases, with forged proofs, or with proofs that have expired', async () => {
    const first = await buy('once', 'cookies-proven')
    const { jar } = await buy('once', 'cookies-proven-next', first.jar)
    const { '__Host-eep_purchases': purchases = '', ...present } = jar
    const forged = purchases.replaceAll(/[\w-]{4}(?=~|$)/g, 'AAAA')
    expect((await read(first.shop, { ...present, '__Host-eep_purchases': purchases })).statusCode).toBe(200)
    expect((await read(first.shop, present)).statusCode).toBe(402)
    expect((await read(first.shop, { ...present, '__Host-eep_purchases': forged })).statusCode).toBe(402)
    expect(
      (await inDays(401, () => read(first.shop, { ...present, '__Host-eep_purchases': purchases }))).statusCode,
    ).toBe(402)
  })

  it('keeps the payers of the latest five wallets of a browser', async () => {
    const jar: Jar = {}
    const bought: Awaited<ReturnType<typeof buy>>[] = []
    for (let more = 0; more < 6; more++) {
      const next = await buy('once', `cookies-many-${more}`, jar)
      bought.push(next)
      Object.assign(jar, next.jar)
    }
    expect(jar['__Host-eep_purchases']?.split('~')).toHaveLength(5)
    const answers = await Promise.all(bought.slice(0, 2).map(({ shop }) => read(shop, jar)))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([402, 200])
  })

  it('signs no cookie for a payer with a forged or missing signature', async () => {
    const { shop, jar } = await buy('once', 'cookies-forged')
    for (const forged of [{}, { '__Host-eep_payer_sig': `${jar['__Host-eep_payer_sig']?.slice(0, -2)}xx` }]) {
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
    const { '__Host-eep_purchases': purchases = '' } = proof
    expect((await get(link, { '__Host-eep_purchases': purchases })).headers['content-type']).toBe('application/pdf')
    // A payer that is only looked up opens pages, and gets no proof by reading them.
    const looked = await get(shop.paid, { eep_payer: named })
    expect([looked.statusCode, looked.cookies.map(({ name }) => name)]).toEqual([200, ['eep_payer']])
    expect((await get(link, { eep_payer: named })).statusCode).toBe(401)
    await lookup.close()
  })
})
