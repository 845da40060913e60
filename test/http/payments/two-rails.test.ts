import { type FakeStripe, startFakeStripe } from '@eep/payments-card/testing'
import { evmWallets, type Facilitator, x402Rail } from '@eep/payments-x402'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp } from '../../support/app.ts'
import { cardRailOn, challengeIn } from '../../support/cards.ts'
import { client } from '../../support/client.ts'
import { decodeHeader, header, openShop, type Shop } from '../../support/shop.ts'

/** Offers are made without calls to the facilitator. */
const unusedFacilitator: Facilitator = {
  verify: () => Promise.reject(new Error('not asked')),
  settle: () => Promise.reject(new Error('not asked')),
  getSupported: () => Promise.reject(new Error('not asked')),
}
const payTo = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

let stripe: FakeStripe
let test: Awaited<ReturnType<typeof createTestApp>>
let shop: Shop

beforeAll(async () => {
  stripe = await startFakeStripe()
  const also = ['base', 'eip155:137', 'eip155:42161'].map((network) => ({ network, payTo }))
  const stablecoins = x402Rail({
    network: 'base-sepolia',
    payTo,
    facilitator: unusedFacilitator,
    also,
  })
  test = await createTestApp({
    // The offers of real networks are looked at beside those of a test key, and none is paid.
    payments: { rails: [{ ...stablecoins, moneyKind: 'test' }, cardRailOn(stripe)] },
    auth: { walletVerifier: evmWallets({ chains: [{ chainId: 84_532 }, { chainId: 8_453 }] }) },
  })
  shop = await openShop(test.app, 'both', { amount: 1, currency: 'usd' })
})
afterAll(async () => {
  await test.close()
  await stripe.stop()
})

interface Entry {
  readonly scheme: string
  readonly network: string
}

const ask = (headers: Record<string, string> = {}, url = shop.paid) => client(test.app).get(url, headers)
const acceptsOf = async (headers: Record<string, string> = {}, url = shop.paid): Promise<Entry[]> =>
  decodeHeader(await ask(headers, url), 'payment-required').accepts
const schemesOf = async (capabilities: string) => [
  ...new Set((await acceptsOf({ 'x-eep-agent-capabilities': capabilities })).map(({ scheme }) => scheme)),
]

describe('two rails in one 402', () => {
  it.each([
    ['stripe-mpp', ['stripe-mpp', 'exact']],
    ['stripe-mpp, x402', ['stripe-mpp', 'exact']],
    ['x402,stripe-mpp', ['exact', 'stripe-mpp']],
    ['x402', ['exact', 'stripe-mpp']],
    ['lightning , stripe-mpp,,x402, stripe-mpp', ['stripe-mpp', 'exact']],
    ['', ['exact', 'stripe-mpp']],
    ['<script>', ['exact', 'stripe-mpp']],
  ])('puts what the agent prefers first and leaves none out: %j', async (capabilities, schemes) => {
    expect(await schemesOf(capabilities)).toEqual(schemes)
  })

  it('fits the header that proxies pass on, whatever is sold: one entry of each rail stays, the first of it', async () => {
    const answer = await ask()
    expect(header(answer, 'payment-required').length).toBeLessThanOrEqual(6_000)
    const accepts: Entry[] = decodeHeader(answer, 'payment-required').accepts
    expect(accepts.map(({ scheme }) => scheme)).toEqual(expect.arrayContaining(['exact', 'stripe-mpp']))
    expect(accepts.map(({ network }) => network).slice(0, 3)).toEqual(['eip155:84532', 'eip155:8453', 'eip155:137'])
    expect(answer.json().decoded_payment_required.accepts).toEqual(accepts)

    const tier = (amount: number) => ({
      requirements: [{ type: 'payment', amount, currency: 'usd', per: 'day' }],
      access: ['content.notes.*'],
    })
    const tiers = { public: { requirements: [], access: ['profile.*'] }, low: tier(1), middle: tier(2), high: tier(3) }
    const many = await openShop(test.app, 'many')
    await many.put(`/eep/gates/${many.did.replaceAll('%', '%25')}`, { default_tier: 'public', tiers })
    for (const preferred of ['x402', 'stripe-mpp']) {
      const refused = await ask({ 'x-eep-agent-capabilities': preferred }, many.paid)
      expect(header(refused, 'payment-required').length).toBeLessThanOrEqual(6_000)
      const schemes = decodeHeader(refused, 'payment-required').accepts.map(({ scheme }: Entry) => scheme)
      expect(new Set(schemes)).toEqual(new Set(['exact', 'stripe-mpp']))
    }
  })

  it('asks for cards only those who take them, and is still paid in tokens', async () => {
    const without = await ask({ 'accept-payment': 'stripe/charge;q=0' })
    expect(challengeIn(without)).toBeUndefined()
    expect(without.headers['payment-required']).toBeDefined()
    expect(challengeIn(await ask({ 'accept-payment': 'stripe/charge;q=0.5' }))).toMatchObject({ method: 'stripe' })
    expect(challengeIn(await ask())).toMatchObject({ method: 'stripe' })
  })

  it('offers what the seller names: one rail, or one network', async () => {
    const sold = async (name: string, more: object) => {
      const one = await openShop(test.app, name)
      const requirement = { type: 'payment', amount: 1, currency: 'usd', per: 'day', ...more }
      const tiers = {
        public: { requirements: [], access: ['profile.*'] },
        reader: { requirements: [requirement], access: ['content.notes.*'] },
      }
      const put = await one.put(`/eep/gates/${one.did.replaceAll('%', '%25')}`, { default_tier: 'public', tiers })
      expect(put.statusCode).toBe(200)
      return (await acceptsOf({}, one.paid)).map(({ network }) => network)
    }
    expect(await sold('cards-only', { payment_methods: ['stripe-mpp'] })).toEqual(['stripe:test'])
    expect(
      await sold('polygon-only', { x402: { enabled: true, network: 'eip155:137' }, payment_methods: ['x402'] }),
    ).toEqual(['eip155:137'])
  })
})
