import { cardRail } from '@eep/payments-card'
import { remoteFacilitator, x402Rail } from '@eep/payments-x402'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { downloaded, imported } from '../support/archives.ts'
import { client } from '../support/client.ts'

const card = cardRail({
  secretKey: 'sk_test_1',
  profileId: 'profile_1',
  secret: 'x'.repeat(32),
  currencies: ['usd', 'jpy'],
})
const tokens = x402Rail({
  network: 'base-sepolia',
  payTo: `0x${'1'.repeat(40)}`,
  facilitator: remoteFacilitator({ url: 'https://facilitator.example' }),
})

let cards: Awaited<ReturnType<typeof createTestApp>>
let both: Awaited<ReturnType<typeof createTestApp>>
let free: Awaited<ReturnType<typeof createTestApp>>

beforeAll(async () => {
  cards = await createTestApp({ payments: { rails: [card] } })
  both = await createTestApp({ payments: { rails: [tokens, card] } })
  free = await createTestApp()
})
afterAll(async () => {
  await Promise.all([cards, both, free].map((each) => each.close()))
})

const gateOf = (payment: object) => ({
  default_tier: 'public',
  tiers: {
    public: { requirements: [], access: ['profile.*'] },
    paid: { requirements: [{ type: 'payment', per: 'once', ...payment }], access: ['content.*'] },
  },
})

let sellers = 0
async function sellerAt({ app }: Awaited<ReturnType<typeof createTestApp>>) {
  const name = `payable-${++sellers}`
  const seller = await signUp(app, name)
  const url = `/eep/gates/did:web:profiles.example:u:${name}`
  return {
    put: (payment: object, more: object = {}) => seller.put(url, { ...gateOf(payment), ...more }),
    explained: async () => (await seller.get(`${url}/explain?resource=content.report`)).json().tiers[0].rails,
    /** The response of a check of proofs to a client without any. */
    unmet: async () =>
      (await client(app).post(`${url}/verify-proof`, { resource: 'content.report', proofs: [] })).json(),
    stored: async () => (await seller.get(url)).json(),
  }
}

const IN_USD = { minimum: '0.50', maximum: '999999.99', decimals: 2 }

describe('a price that no payment method takes', () => {
  it.each([
    ['in a currency that no rail sells', { amount: 5, currency: 'eur' }, 'currency', { currencies: ['usd', 'jpy'] }],
    [
      'only for methods that are not configured',
      { amount: 0.5, currency: 'usd', payment_methods: ['x402'] },
      'method',
      {},
    ],
    ['below the minimum of its currency', { amount: 0.3, currency: 'usd' }, 'below_minimum', IN_USD],
    ['with more decimals than its currency has', { amount: 1.005, currency: 'usd' }, 'decimals', IN_USD],
    [
      'with a fraction of a currency without one',
      { amount: 500.5, currency: 'jpy' },
      'decimals',
      { minimum: '50', maximum: '99999999', decimals: 0 },
    ],
  ])('is refused when it is %s, with the prices that are taken', async (_what, payment, code, limits) => {
    const { put, stored } = await sellerAt(cards)
    const before = await stored()
    const refused = await put(payment)
    expect([refused.statusCode, refused.json().error]).toEqual([
      422,
      expect.objectContaining({
        code: 'price_not_payable',
        details: {
          issues: [
            {
              path: '/tiers/paid/requirements/0',
              code,
              message: expect.any(String),
              rails: [{ rail: 'stripe-mpp', ok: false, reason: code, ...limits }],
            },
          ],
          rails: [{ rail: 'stripe-mpp', ok: false, reason: code, ...limits }],
        },
      }),
    ])
    expect(refused.json().error.message).toContain('usd (from 0.50, to 999999.99, 2 decimals)')
    expect(await stored()).toEqual(before)
  })

  it('is found in combined requirements', async () => {
    const { put } = await sellerAt(cards)
    const payment = { type: 'payment', amount: 0.1, currency: 'usd', per: 'once' }
    const inside = [{ type: 'trust', min_score: 1 }, payment]
    const refused = await put({ type: 'combined', combine_mode: 'all', requirements: inside, per: undefined })
    expect(refused.json().error.details.issues[0].path).toBe('/tiers/paid/requirements/0/requirements/1')
  })

  it('is saved with allow: "unpayable", which is not stored, and does not prevent later changes', async () => {
    const { put, stored } = await sellerAt(cards)
    const payment = { amount: 5, currency: 'eur' }
    expect((await put(payment, { allow: 'unpayable' })).statusCode).toBe(200)
    expect(await stored()).toEqual(gateOf(payment))
    expect((await put(payment, { fallback_behavior: 'restrict' })).statusCode).toBe(200)
    expect((await put({ amount: 6, currency: 'eur' })).statusCode).toBe(422)
  })

  it('is imported with an archive, and named in its result', async () => {
    const owner = await signUp(free.app, 'payable-exported')
    const gate = gateOf({ amount: 5, currency: 'eur' })
    expect((await owner.put('/eep/gates/did:web:profiles.example:u:payable-exported', gate)).statusCode).toBe(200)
    const archive = await downloaded(free.app, owner, { profile_id: owner.account.active_profile_id })
    const job = await imported(cards.app, await signUp(cards.app, 'payable-importer'), archive, { dry_run: 'true' })
    expect(job.result?.warnings).toEqual([{ code: 'price_not_payable', member: 'gates.json', item: 'paid' }])
  })

  it('refuses other values of allow', async () => {
    const { put } = await sellerAt(cards)
    expect((await put({ amount: 5, currency: 'usd' }, { allow: 'everything' })).statusCode).toBe(400)
  })
})

describe('a price that a payment method takes', () => {
  it.each([
    { amount: 0.01, currency: 'usd' },
    { amount: 0.000001, currency: 'usdc' },
    { amount: 500, currency: 'jpy' },
  ])('is saved when one of several takes it: $amount $currency', async (payment) => {
    const { put } = await sellerAt(both)
    expect((await put(payment)).statusCode).toBe(200)
  })

  it('is saved with a warning that names the methods that do not take it, and explained so', async () => {
    const { put, explained } = await sellerAt(both)
    const saved = await put({ amount: 0.01, currency: 'usd' })
    const rails = [
      { rail: 'x402', ok: true, minimum: '0.000001', decimals: 6 },
      { rail: 'stripe-mpp', ok: false, reason: 'below_minimum', ...IN_USD },
    ]
    expect(saved.json().warnings).toEqual([{ code: 'price_partly_payable', tier: 'paid', rails }])
    expect(await explained()).toEqual(rails)

    expect((await put({ amount: 500, currency: 'jpy' })).json().warnings).toContainEqual(
      expect.objectContaining({
        code: 'price_partly_payable',
        rails: [
          { rail: 'x402', ok: false, reason: 'currency', currencies: ['usd', 'usdc'] },
          expect.objectContaining({ rail: 'stripe-mpp', ok: true }),
        ],
      }),
    )
  })

  it('is saved without a warning when every method takes it, or the requirement excludes the others', async () => {
    const { put, explained } = await sellerAt(both)
    expect((await put({ amount: 0.5, currency: 'usd' })).json().warnings).toBeUndefined()
    expect((await put({ amount: 0.01, currency: 'usd', payment_methods: ['x402'] })).json().warnings).toBeUndefined()
    expect(await explained()).toEqual([
      { rail: 'x402', ok: true, minimum: '0.000001', decimals: 6 },
      { rail: 'stripe-mpp', ok: false, reason: 'method' },
    ])
  })

  it('is hinted at only while a method takes it', async () => {
    const { put, unmet } = await sellerAt(both)
    await put({ amount: 5, currency: 'eur' }, { allow: 'unpayable' })
    const hint = 'No payment method of this service takes this price now.'
    expect((await unmet()).unmet_requirements[0].resolution_hint).toBe(hint)
    await put({ amount: 5, currency: 'usd' })
    expect((await unmet()).unmet_requirements[0].resolution_hint).toBe('A payment of this amount opens it.')
  })

  it('must be taken by a method that the requirement allows', async () => {
    const { put } = await sellerAt(both)
    const price = { amount: 0.01, currency: 'usd' }
    expect((await put({ ...price, payment_methods: ['stripe-mpp'] })).json().error.details.issues[0].code).toBe(
      'below_minimum',
    )
    expect((await put({ ...price, x402: { enabled: false } })).statusCode).toBe(422)
    expect((await put({ ...price, x402: { enabled: true, network: 'base-sepolia' } })).statusCode).toBe(200)
  })

  it('is saved with a warning and allow: "unpayable" when it allows only methods that are not configured', async () => {
    const { put } = await sellerAt(cards)
    const saved = await put({ amount: 0.5, currency: 'usd', payment_methods: ['x402'] }, { allow: 'unpayable' })
    expect([saved.statusCode, saved.json().warnings]).toEqual([200, [{ code: 'no_payment_method', tier: 'paid' }]])
  })

  it('is every price at a service without payment methods', async () => {
    const { put } = await sellerAt(free)
    expect((await put({ amount: 500, currency: 'jpy' })).statusCode).toBe(200)
  })

  it('must name its currency in lower case', async () => {
    const { put } = await sellerAt(free)
    const refused = await put({ amount: 5, currency: 'USD' })
    expect([refused.statusCode, refused.json().error.message]).toEqual([400, expect.stringContaining('lower case')])
  })
})

describe('a route that is sold at a fixed price', () => {
  it('cannot be made for a price that no payment method takes', () => {
    const sold = (amount: number) => () =>
      cards.app.eep.requireAccess({
        profile: 1,
        resource: 'api.quotes',
        price: { amount, currency: 'usd', per: 'request' },
      })
    expect(sold(0.05)).toThrow(/"api.quotes" cannot be paid.*from 0.50/)
    expect(sold(0.5)).not.toThrow()
  })
})
