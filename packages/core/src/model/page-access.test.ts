import { describe, expect, it } from 'vitest'
import { accessTo } from './page-access.ts'

const payment = (amount: number) => ({ type: 'payment' as const, amount, currency: 'usd', per: 'day' as const })
const tier = (
  access: string[],
  ...requirements: (ReturnType<typeof payment> | { type: 'trust'; min_score: number })[]
) => ({
  access,
  requirements,
})
const gates = {
  default_tier: 'public',
  tiers: {
    public: tier(['*']),
    reader: tier(['content.notes.*'], payment(0.1)),
    patron: tier(['content.notes.*', 'content.essays.*'], payment(0.05)),
    friend: tier(['content.notes.*', 'content.letters.*'], { type: 'trust', min_score: 50 }, payment(0.01)),
  },
}

describe('accessTo', () => {
  it('returns that a page is free without gates, and where none covers it', () => {
    expect(accessTo(['notes', 'page'], undefined)).toEqual({ gated: false, price: null })
    expect(accessTo(['welcome'], gates)).toEqual({ gated: false, price: null })
  })

  it('names the least that opens a page by itself', () => {
    expect(accessTo(['notes', 'page'], gates)).toEqual({
      gated: true,
      price: { amount: '0.05', currency: 'usd', per: 'day' },
    })
  })

  it('compares no amounts of different currencies', () => {
    const inEuro = { ...payment(0.01), currency: 'eur' }
    const mixed = { ...gates, tiers: { ...gates.tiers, euro: { access: ['content.*'], requirements: [inEuro] } } }
    expect(accessTo(['notes', 'page'], mixed).price).toEqual({ amount: '0.05', currency: 'usd', per: 'day' })
  })

  it('names the price of an alternative, as the page offers it', () => {
    const either = { type: 'combined' as const, combine_mode: 'any' as const }
    const tiers = {
      ...gates.tiers,
      either: {
        access: ['content.maps.*'],
        requirements: [{ ...either, requirements: [payment(3), { type: 'trust' as const, min_score: 50 }] }],
      },
      both: {
        access: ['content.plans.*'],
        requirements: [
          {
            ...either,
            combine_mode: 'all' as const,
            requirements: [payment(3), { type: 'trust' as const, min_score: 50 }],
          },
        ],
      },
    }
    const price = { amount: '3', currency: 'usd', per: 'day' }
    expect(accessTo(['maps', 'first'], { ...gates, tiers })).toEqual({ gated: true, price })
    expect(accessTo(['plans', 'first'], { ...gates, tiers })).toEqual({ gated: true, price: null })
  })

  it('names no price where money alone does not open', () => {
    expect(accessTo(['letters', 'first'], gates)).toEqual({ gated: true, price: null })
  })
})
