import type { BilledSubscription, PlanChange } from '@eep/core/ports'
import type { Stripe } from 'stripe'

// A smaller plan begins with the next period. Stripe charges its price from then on, because the price of the subscription changes
// now, without a proration. Its metadata contain until when the larger plan is paid for.

type Subscription = Pick<Stripe.Subscription, 'metadata' | 'items'>

/** Stripe deletes a value that is empty. */
const NO_LATER_PLAN = { next_tier: '', next_price_cents: '', next_at: '' } as const

/** The metadata of a subscription whose plan changes now. */
export const planMetadata = ({ tier, priceCents }: PlanChange) => ({
  tier,
  price_at_creation_cents: `${priceCents}`,
  ...NO_LATER_PLAN,
})

/** The metadata of a subscription whose plan changes with the next period. */
export function laterPlanMetadata(standing: Subscription, { tier, priceCents }: PlanChange) {
  const current = currentPlan(standing)
  const end = Math.max(...standing.items.data.map((item) => item.current_period_end))
  if (!Number.isSafeInteger(end)) throw new Error('Stripe returned a subscription without a period')
  return {
    tier: current.tier,
    price_at_creation_cents: `${current.priceCents}`,
    next_tier: tier,
    next_price_cents: `${priceCents}`,
    next_at: `${end}`,
  }
}

/** Returns the plan that is paid for now, its price, and the plan of the next period. */
export function currentPlan({
  metadata,
  items,
}: Subscription): Pick<BilledSubscription, 'tier' | 'priceCents' | 'next'> {
  const charged = items.data.reduce((sum, { price, quantity = 1 }) => sum + (price.unit_amount ?? 0) * quantity, 0)
  const { tier = null, price_at_creation_cents: paid, next_tier: nextTier, next_at: nextAt } = metadata ?? {}
  if (!nextTier || !nextAt) return { tier, priceCents: charged }
  const hasBegun = items.data.some(({ current_period_start: start }) => start >= Number(nextAt))
  if (hasBegun) return { tier: nextTier, priceCents: charged }
  const paidCents = Number(paid)
  return {
    tier,
    priceCents: Number.isSafeInteger(paidCents) ? paidCents : charged,
    next: { tier: nextTier, priceCents: charged },
  }
}
