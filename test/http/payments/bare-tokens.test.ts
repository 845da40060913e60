import { afterAll, beforeAll, expect, it } from 'vitest'
import { createCardApp } from '../../support/cards.ts'
import { client } from '../../support/client.ts'
import { decodeHeader, openShop, type Shop, shopGate } from '../../support/shop.ts'

// A token without its challenge names no price, so a price that rose must be shown again before it is paid.

const MINUTE_MS = 60_000
let test: Awaited<ReturnType<typeof createCardApp>>
let now = new Date()

beforeAll(async () => {
  test = await createCardApp({ clock: () => now, gates: { maxVersions: 3 } }, { now: () => now })
})
afterAll(() => test.close())

/** Opens a shop whose price is older than any offer. */
async function oldShop(name: string, amount = 1): Promise<Shop> {
  const shop = await openShop(test.app, name, { amount, currency: 'usd' })
  wait(16)
  return shop
}

const wait = (minutes: number) => {
  now = new Date(now.getTime() + minutes * MINUTE_MS)
}

async function setPrice({ put, did }: Shop, amount: number, more: object = {}) {
  const answer = await put(`/eep/gates/${did.replaceAll('%', '%25')}`, shopGate({ amount, currency: 'usd', ...more }))
  expect(answer.statusCode, answer.body).toBe(200)
}

const pay = ({ paid }: Shop, token: string) => client(test.app).get(paid, { authorization: `Payment ${token}` })
const charges = () => test.stripe.charges().map(({ amount }) => Number(amount))

async function expectNewOffer(response: Awaited<ReturnType<typeof pay>>, atomic: string) {
  expect([response.statusCode, response.json().error.details?.reason]).toEqual([402, 'price_changed'])
  const { accepts } = decodeHeader(response, 'payment-required')
  expect(accepts).toEqual([expect.objectContaining({ amount: atomic })])
}

it('answers a bare token with the new offer while the price rose in the last 15 minutes, and does not spend it', async () => {
  const shop = await oldShop('riser')
  await setPrice(shop, 90)
  const { id } = test.stripe.grant({ maxAmount: 10_000 })
  await expectNewOffer(await pay(shop, id), '9000')
  expect(charges()).toEqual([])
  wait(16)
  expect((await pay(shop, id)).statusCode).toBe(200)
  expect(charges()).toEqual([9000])
})

it('takes a bare token immediately when the price fell or did not change', async () => {
  const shop = await oldShop('faller', 5)
  await setPrice(shop, 3)
  expect((await pay(shop, test.stripe.grant().id)).statusCode).toBe(200)
  expect(charges().at(-1)).toBe(300)
})

it('uses the lowest price of the last 15 minutes when an owner saves more often than versions are kept', async () => {
  const shop = await oldShop('saver')
  for (const amount of [90, 91, 92, 92, 92]) await setPrice(shop, amount)
  await expectNewOffer(await pay(shop, test.stripe.grant({ maxAmount: 10_000 }).id), '9200')
})

it('asks again when the same amount now pays for a shorter time', async () => {
  const shop = await oldShop('shortener')
  await setPrice(shop, 1, { per: 'hour' })
  await expectNewOffer(await pay(shop, test.stripe.grant().id), '100')
})

it('asks again when the tier was replaced by one with another name and a higher price', async () => {
  const shop = await oldShop('renamer')
  const { default_tier, tiers } = shopGate({ amount: 90, currency: 'usd' })
  const replaced = { default_tier, tiers: { public: tiers.public, member: tiers.reader } }
  expect((await shop.put(`/eep/gates/${shop.did.replaceAll('%', '%25')}`, replaced)).statusCode).toBe(200)
  await expectNewOffer(await pay(shop, test.stripe.grant({ maxAmount: 10_000 }).id), '9000')
})

it('refuses a bare token that is settled without the page in the same way', async () => {
  const shop = await oldShop('helper')
  await setPrice(shop, 90)
  const { id } = test.stripe.grant({ maxAmount: 10_000 })
  const body = { did: shop.did, resource: 'content.notes.engines', shared_payment_token: id }
  await expectNewOffer(await client(test.app).post('/eep/payment/stripe/mpp/settle', body), '9000')
})
