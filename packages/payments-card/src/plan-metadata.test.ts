import { describe, expect, it } from 'vitest'
import { currentPlan, laterPlanMetadata } from './plan-metadata.ts'

type Standing = Parameters<typeof currentPlan>[0]

/** A subscription with one price. Of the many members of Stripe's type it has only those that plans are read from. */
const standing = (metadata: Record<string, string>, { amount = 1_200, start = 100, end = 200 } = {}): Standing =>
  ({
    metadata,
    items: {
      data: [{ quantity: 1, price: { unit_amount: amount }, current_period_start: start, current_period_end: end }],
    },
  }) as unknown as Standing

const later = {
  tier: 'team',
  price_at_creation_cents: '4900',
  next_tier: 'pro',
  next_price_cents: '1200',
  next_at: '200',
}

describe('the plan of a subscription', () => {
  it('is that of its metadata, at the price that Stripe charges', () => {
    expect(currentPlan(standing({ tier: 'pro', price_at_creation_cents: '800' }))).toEqual({
      tier: 'pro',
      priceCents: 1_200,
    })
    expect(currentPlan(standing({}))).toEqual({ tier: null, priceCents: 1_200 })
  })

  it('stays until the period of the later one begins', () => {
    expect(currentPlan(standing(later))).toEqual({
      tier: 'team',
      priceCents: 4_900,
      next: { tier: 'pro', priceCents: 1_200 },
    })
    expect(currentPlan(standing(later, { start: 200, end: 300 }))).toEqual({ tier: 'pro', priceCents: 1_200 })
  })

  it('names the plan that is paid for when another one is chosen for later', () => {
    const plan = { tier: 'pro', priceCents: 800, title: 'Pro', when: 'at_period_end' } as const
    expect(laterPlanMetadata(standing({ tier: 'team' }, { amount: 4_900 }), plan)).toEqual({
      tier: 'team',
      price_at_creation_cents: '4900',
      next_tier: 'pro',
      next_price_cents: '800',
      next_at: '200',
    })
  })
})
