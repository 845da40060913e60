import { defineError, defineModule, type ResourceSource } from '@eep/core/module'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { createTestApp } from '../../support/app.ts'
import { createCardApp } from '../../support/cards.ts'
import { client } from '../../support/client.ts'
import { openShop, type Shop } from '../../support/shop.ts'

const quoteNotFound = defineError('quote_not_found', 404, 'Quote not found')

const quotesOfDay: ResourceSource = {
  prefix: 'quotes',
  nameOf: (path) => (path === '/daily-quotes' ? 'quotes.daily' : undefined),
  async describe(name, { profile }) {
    if (name !== 'quotes.daily') throw quoteNotFound()
    return { name, path: '/daily-quotes', description: `Daily quotes of ${profile.username}`, preview: null }
  },
}
const quotes = defineModule({ name: 'quotes', resources: () => [quotesOfDay] })

let test: Awaited<ReturnType<typeof createCardApp>>
let shop: Shop
beforeAll(async () => {
  test = await createCardApp({ modules: [quotes] })
  shop = await openShop(test.app, 'quote-seller', { amount: 5, currency: 'eur' })
  const gate = {
    default_tier: 'public',
    tiers: {
      public: { requirements: [], access: ['profile.*'] },
      reader: {
        requirements: [{ type: 'payment', amount: 5, currency: 'eur', per: 'once' }],
        access: ['quotes.daily'],
      },
    },
  }
  const saved = await shop.put(`/eep/gates/${shop.did.replaceAll('%', '%25')}`, gate)
  expect(saved.statusCode, saved.body).toBe(200)
})
afterAll(() => test.close())

const openCheckout = (resource: string, headers = {}) =>
  client(test.app).post('/eep/payment/stripe/checkout-human', { did: shop.did, resource }, headers)

it.each([
  ['name', 'quotes.daily'],
  ['path', '/daily-quotes'],
])("sells a resource of a host's module by card, by its %s, and lists it by its title", async (what, resource) => {
  const { headers } = await signUp(test.app, `quote-buyer-${what}`)
  const opened = await openCheckout(resource, headers)
  expect(opened.statusCode, opened.body).toBe(200)
  const { checkout_id: checkout } = opened.json()
  test.stripe.completeCheckout(checkout)
  const back = await client(test.app).get(`/eep/payment/stripe/checkout-human/${checkout}`)
  expect([back.statusCode, back.headers.location]).toEqual([303, 'https://profiles.example/daily-quotes'])
  const { data } = (await client(test.app).get('/eep/payment/receipts', headers)).json()
  expect(data).toEqual([expect.objectContaining({ resource: 'quotes.daily' })])
  const purchases = await client(test.app).get('/purchases', headers)
  expect(purchases.body).toContain('Daily quotes of quote-seller')
})

it("answers with the error of the host's module for a resource that does not exist, and sells nothing", async () => {
  const opened = await openCheckout('quotes.weekly')
  expect([opened.statusCode, opened.json().error.code]).toEqual([404, 'quote_not_found'])
})

it('answers page_not_found for names that no module knows', async () => {
  const opened = await openCheckout('riddles.daily')
  expect([opened.statusCode, opened.json().error.code]).toEqual([404, 'page_not_found'])
})

it('refuses two modules that describe resources with the same prefix, and names both', async () => {
  const more = defineModule({ name: 'quotes-more', resources: () => [{ ...quotesOfDay, prefix: 'quotes-more' }] })
  const twin = defineModule({ name: 'quotes', resources: () => [{ ...quotesOfDay, prefix: 'quotes-more' }] })
  await expect(createTestApp({ modules: [more, twin] })).rejects.toThrow(
    new TypeError(
      'The module "quotes" defines the prefix of resources "quotes-more", which the module "quotes-more" defines',
    ),
  )
})

it("refuses a prefix of a host's module that does not begin with the name of the module", async () => {
  const module = defineModule({ name: 'quotes', resources: () => [{ ...quotesOfDay, prefix: 'offers' }] })
  await expect(createTestApp({ modules: [module] })).rejects.toThrow(
    new TypeError('The prefix of resources "offers" of the module "quotes" must begin with "quotes"'),
  )
})
