import { type BilledSubscription, billingDeclined, cardDigest, type PlanChange } from '@eep/core/ports'
import { Stripe } from 'stripe'
import type { BillingContext } from './billing-checkout.ts'
import { isRefused } from './billing-error.ts'
import { ENDED, find, settled, unlessEnded } from './billing-subscription.ts'
import { currentPlan, laterPlanMetadata, planMetadata } from './plan-metadata.ts'

type Subscription = Stripe.Subscription
type Update = Stripe.SubscriptionUpdateParams

/** Names the product of a plan, which has one id for each title: prices of changed plans need an existing product. */
async function productOf({ stripe, productName }: BillingContext, title: string): Promise<string> {
  const name = [productName, title].filter(Boolean).join(' ').slice(0, 250)
  const id = `eep_plan_${cardDigest(name)}`
  try {
    await stripe.products.create({ id, name })
  } catch (error) {
    if (!(isRefused(error) && error.code === 'resource_already_exists')) throw error
  }
  return id
}

async function itemsOf(
  context: BillingContext,
  { items, currency }: Subscription,
  { title, priceCents }: PlanChange,
): Promise<NonNullable<Update['items']>> {
  const [item, ...others] = items.data
  if (item === undefined || others.length > 0) throw new Error('The subscription has not exactly one price')
  const product = await productOf(context, title)
  const price_data = { currency, product, recurring: { interval: 'month' as const }, unit_amount: priceCents }
  return [{ id: item.id, price_data }]
}

/** The update of a subscription for another plan. Undefined when it has the plan. */
async function updateFor(
  context: BillingContext,
  standing: Subscription,
  plan: PlanChange,
): Promise<Update | undefined> {
  const { tier, next } = currentPlan(standing)
  const { priceCents, when } = plan
  if (when === 'at_period_end') {
    if (next?.tier === plan.tier && next.priceCents === priceCents) return undefined
    const items = await itemsOf(context, standing, plan)
    return { items, proration_behavior: 'none', metadata: laterPlanMetadata(standing, plan) }
  }
  if (tier === plan.tier && !next) return undefined
  const items = await itemsOf(context, standing, plan)
  const metadata = planMetadata(plan)
  // The current plan is paid for already, so to keep it costs nothing.
  if (tier === plan.tier) return { items, proration_behavior: 'none', metadata }
  return { items, metadata, proration_behavior: 'always_invoice', payment_behavior: 'error_if_incomplete' }
}

/**
 * Changes the plan of a subscription in one call, so that Stripe takes the difference or changes nothing.
 *
 * @throws `plan_payment_declined`
 */
export async function changePlan(
  context: BillingContext,
  id: string,
  plan: PlanChange,
): Promise<BilledSubscription | undefined> {
  const standing = await find(context, id)
  if (!standing || ENDED.has(standing.status)) return standing && settled(context, standing)
  const update = await updateFor(context, standing, plan)
  if (!update) return settled(context, standing)
  try {
    const updated = await unlessEnded(context, id, () => context.stripe.subscriptions.update(id, update))
    return updated && settled(context, updated)
  } catch (error) {
    if (error instanceof Stripe.errors.StripeCardError) throw billingDeclined({ cause: error })
    throw error
  }
}

/** Continues a subscription that was cancelled at the end of its period. */
export async function resumePlan(context: BillingContext, id: string): Promise<BilledSubscription | undefined> {
  const standing = await find(context, id)
  if (!standing || ENDED.has(standing.status)) return standing && settled(context, standing)
  const { cancel_at_period_end: endsWithPeriod, cancel_at: endsAt } = standing
  if (!endsWithPeriod && endsAt === null) return settled(context, standing)
  const update: Update = endsWithPeriod ? { cancel_at_period_end: false } : { cancel_at: '' }
  const updated = await unlessEnded(context, id, () => context.stripe.subscriptions.update(id, update))
  return updated && settled(context, updated)
}
