import { describe, expect, it } from 'vitest'
import { listedPricingSchema, pricingSchema } from './pricing.ts'

const usd = { currency: 'usd' }

describe('a price', () => {
  it.each([
    { model: 'fixed', ...usd, amount: 0 },
    { model: 'per_request', ...usd, amount: 0.001 },
    { model: 'subscription', ...usd, amount: 9, period: 'month' },
    { model: 'metered', ...usd, unit: 'page', rate: 0.01, minimum_charge: 1, maximum_charge: 1 },
    {
      model: 'tiered_volume',
      ...usd,
      tiers: [
        { up_to: 10, rate: 1 },
        { up_to: 'infinity', rate: 0.5 },
      ],
    },
    { model: 'x-barter_2', ...usd },
  ])('is accepted: %j', (pricing) => {
    expect(pricingSchema.safeParse(pricing).error?.issues).toBeUndefined()
  })

  it.each([
    ['', { model: 'fixed' }],
    ['model', { model: 'gift', ...usd }],
    ['model', { model: 'x-', ...usd }],
    ['currency', { model: 'fixed', currency: 'usdc' }],
    ['amount', { model: 'fixed', ...usd, amount: -1 }],
    ['period', { model: 'subscription', ...usd, amount: 9 }],
    ['unit', { model: 'metered', ...usd, rate: 1 }],
    ['rate', { model: 'metered', ...usd, unit: 'page' }],
    ['tiers', { model: 'tiered_volume', ...usd }],
    ['tiers', { model: 'tiered_volume', ...usd, tiers: [] }],
    ['maximum_charge', { model: 'fixed', ...usd, minimum_charge: 2, maximum_charge: 1 }],
    ['', { model: 'fixed', ...usd, colour: 'red' }],
  ])('is rejected for its %s: %j', (member, pricing) => {
    const paths = pricingSchema.safeParse(pricing).error?.issues.map(({ path }) => path[0] ?? '')
    expect(paths?.[0]).toBe(member === '' && !('currency' in pricing) ? 'currency' : member)
  })

  it('is free in a listing and not in an offer', () => {
    expect(listedPricingSchema.safeParse({ model: 'free', ...usd }).success).toBe(true)
    expect(pricingSchema.safeParse({ model: 'free', ...usd }).success).toBe(false)
  })
})
