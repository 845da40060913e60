import { PLANS, type Plan, type PlanTable } from '../../../model/plan.ts'
import { isLive } from '../../../model/subscription-status.ts'
import type { Subscription } from '../../../ports/storage/subscriptions.ts'
import type { Lease } from './account-lease.ts'
import type { BillingContext } from './billing-context.ts'
import {
  billingUnsupported,
  noSubscription,
  planCancelled,
  planNotForSale,
  planNotPaid,
  planPriceChanged,
} from './errors.ts'
import type { Pricing } from './pricing.ts'

export interface PlanChangeDeps extends BillingContext {
  readonly pricing: Pick<Pricing, 'of'>
  readonly planLimits: PlanTable
}

/** A change of a subscription: another plan, or whether it ends with its period. */
export type SubscriptionChange =
  | {
      readonly tier: 'pro' | 'team'
      /** The price a month that the account agreed to, in cents. Default: the present one. */
      readonly agreedCents?: number | undefined
      readonly cancelAtPeriodEnd?: undefined
    }
  | { readonly tier?: undefined; readonly cancelAtPeriodEnd: boolean }

const isLarger = (tier: Plan, than: Plan): boolean => PLANS.indexOf(tier) > PLANS.indexOf(than)

/** Changes running subscriptions at the processor. Changes of one account run one after another, each on the state that the last one left. */
export function createPlanChanges({ billing, leases, sync, pricing, planLimits }: PlanChangeDeps) {
  async function priceOf(tier: Plan, { currency }: Subscription): Promise<number> {
    const { priceUsdMonthlyCents: usd, priceEurMonthlyCents: eur } = await pricing.of(tier)
    const cents = currency === 'usd' ? usd : currency === 'eur' ? eur : 0
    if (cents === 0) throw planNotForSale()
    return cents
  }

  async function changeTier(
    lease: Lease,
    live: Subscription,
    { tier, agreedCents }: { readonly tier: Plan; readonly agreedCents?: number | undefined },
  ): Promise<Subscription> {
    if (!billing.change) throw billingUnsupported()
    if (tier === (live.nextTier ?? live.tier)) return live
    if (live.cancelAtPeriodEnd) throw planCancelled()
    if (live.status !== 'active' && live.status !== 'trialing') throw planNotPaid()
    // The plan that is paid for keeps its price.
    const priceCents = tier === live.tier ? live.priceAtCreationCents : await priceOf(tier, live)
    if (agreedCents !== undefined && agreedCents !== priceCents) throw planPriceChanged()
    const when = isLarger(live.tier, tier) ? 'at_period_end' : 'now'
    const { name: title } = planLimits(tier)
    const billed = await billing.change(live.processorSubscriptionId, { tier, priceCents, title, when })
    return sync.keep(lease, billed, live)
  }

  async function setEnd(lease: Lease, live: Subscription, cancelAtPeriodEnd: boolean): Promise<Subscription> {
    if (live.cancelAtPeriodEnd === cancelAtPeriodEnd) return live
    if (cancelAtPeriodEnd) return sync.cancel(lease, live, 'at_period_end')
    if (!billing.resume) throw billingUnsupported()
    return sync.keep(lease, await billing.resume(live.processorSubscriptionId), live)
  }

  return {
    /**
     * Changes the subscription of an account.
     *
     * @throws `no_subscription`, `billing_unsupported`, `plan_cancelled`, `plan_not_paid`, `plan_not_for_sale`,
     * `plan_price_changed`, `plan_payment_declined`, `subscription_busy`, `billing_failed`
     */
    change({ accountId, processorSubscriptionId }: Subscription, change: SubscriptionChange): Promise<Subscription> {
      return leases.during(accountId, async (lease) => {
        const live = await sync.look(lease, processorSubscriptionId)
        if (!live || !isLive(live)) throw noSubscription()
        return change.tier === undefined
          ? setEnd(lease, live, change.cancelAtPeriodEnd)
          : changeTier(lease, live, change)
      })
    },
  }
}
