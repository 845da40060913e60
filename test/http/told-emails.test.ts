import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, signUp } from '../support/accounts.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { browserOf } from '../support/console.ts'
import { createSandboxApp, openBrowser } from '../support/sandbox.ts'
import { openShop, type Shop } from '../support/shop.ts'

const MINUTE_MS = 60_000
const ADDRESS = 'ada.reads@mail.example'
const TICKED = { tell_seller_email: 'yes' }

let test: Awaited<ReturnType<typeof createSandboxApp>>
const time = createClock()
let shops = 0
beforeAll(async () => {
  test = await createSandboxApp({ clock: time.clock })
})
afterAll(() => test.close())

const newShop = () => openShop(test.app, `told-${++shops}`, { amount: 5, currency: 'eur' })

/** Pays for the gated page of a shop by card, with an email address. */
async function buy(shop: Shop, more: Readonly<Record<string, string>> = {}, headers = {}): Promise<void> {
  const browser = openBrowser(test.app, headers)
  const id = await browser.checkout(shop.paid, more)
  await browser.answer(id, 'pay', { email: ` ${ADDRESS.replace('mail', 'Mail')} ` })
  await browser.get(`/eep/payment/sandbox/checkout-human/${id}`)
}

const toldIn = async ({ get, profileId }: Shop): Promise<readonly (string | null)[]> =>
  (await get(`/eep/payment/sales?profile_id=${profileId}`))
    .json()
    .data.map((sale: { readonly buyer_email: string | null }) => sale.buyer_email)

describe('a buyer who pays on a page of a processor', () => {
  it('shares the email address with the seller by a box, which is not ticked in advance', async () => {
    const shop = await newShop()
    const { body } = await client(test.app).get(shop.paid, { accept: 'text/html' })
    expect(body).toMatch(
      /<input type="checkbox" id="[^"]+" name="tell_seller_email" value="yes"> Tell <bdi>told-1<\/bdi> the email/,
    )
    await buy(shop)
    expect(await toldIn(shop)).toEqual([null])
    // The list begins with the newest sale.
    await time.at(time.clock().getTime() + MINUTE_MS, () => buy(shop, TICKED))
    expect(await toldIn(shop)).toEqual([ADDRESS, null])
  })

  it('gets another checkout page after changing the choice', async () => {
    const [shop, browser] = [await newShop(), openBrowser(test.app)]
    const first = await browser.checkout(shop.paid)
    const second = await browser.checkout(shop.paid, TICKED)
    expect(second).not.toBe(first)
    expect(await browser.checkout(shop.paid, TICKED)).toBe(second)
    await browser.answer(second, 'pay', { email: ADDRESS })
    await browser.get(`/eep/payment/sandbox/checkout-human/${second}`)
    expect(await toldIn(shop)).toEqual([ADDRESS])
  })

  it('shares it through the API too', async () => {
    const [shop, api] = [await newShop(), client(test.app)]
    const opened = await api.post('/eep/payment/sandbox/checkout-human', {
      did: shop.did,
      resource: 'content.notes.engines',
      tell_seller_email: true,
    })
    expect(opened.statusCode, opened.body).toBe(200)
    const { checkout_id: id } = opened.json()
    await openBrowser(test.app).answer(id, 'pay', { email: ADDRESS })
    await api.get(`/eep/payment/sandbox/checkout-human/${id}`)
    expect(await toldIn(shop)).toEqual([ADDRESS])
  })

  it('is shown with the address on the sale, in the CSV file and on the screen, and nowhere else', async () => {
    const shop = await newShop()
    await buy(shop, TICKED)
    const csv = await shop.get(`/eep/payment/sales.csv?profile_id=${shop.profileId}`)
    expect(csv.body).toContain(`,${ADDRESS},`)
    const screen = await (await browserOf(test.app, shop)).open(`/manage/profiles/${shop.profileId}/sales`)
    expect(screen.body).toContain(`<a href="mailto:${ADDRESS}"><bdi>${ADDRESS}</bdi></a>`)
    const [sale] = (await shop.get(`/eep/payment/sales?profile_id=${shop.profileId}`)).json().data
    for (const url of [
      `/manage/customers?profile_id=${shop.profileId}`,
      `/eep/payment/receipts/${sale.receipt_id}`,
      '/notifications',
    ])
      expect((await shop.get(url)).body, url).not.toContain(ADDRESS)
  })

  it('takes the address back by deleting the account', async () => {
    const [shop, reader] = [await newShop(), await signUp(test.app)]
    await buy(shop, TICKED, reader.headers)
    expect(await toldIn(shop)).toEqual([ADDRESS])
    await time.daysAgo(31, () => reader.send('DELETE', '/auth/account', { password: PASSWORD }))
    await test.app.eep.purge()
    expect(await toldIn(shop)).toEqual([null])
  })
})
