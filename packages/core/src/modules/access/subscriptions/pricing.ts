import type { Clock } from '../../../kernel/clock.ts'
import type { Caller } from '../../../model/caller.ts'
import { PLANS, type Plan } from '../../../model/plan.ts'
import type { PricingChanges, TierPricing } from '../../../ports/storage/subscriptions.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { lockAdministrator } from '../../../runtime/storage/lock-caller.ts'
import type { ReadCache } from '../../../runtime/storage/read-cache.ts'
import { pricingChanged } from './events.ts'

/** The default prices of plans. */
const DEFAULTS: Readonly<Record<Plan, TierPricing>> = {
  community: {
    tier: 'community',
    priceUsdMonthlyCents: 0,
    priceEurMonthlyCents: 0,
    priceUsdcYearlyCents: 0,
    trialDays: 0,
  },
  pro: {
    tier: 'pro',
    priceUsdMonthlyCents: 1_200,
    priceEurMonthlyCents: 1_100,
    priceUsdcYearlyCents: 12_000,
    trialDays: 14,
  },
  team: {
    tier: 'team',
    priceUsdMonthlyCents: 4_900,
    priceEurMonthlyCents: 4_500,
    priceUsdcYearlyCents: 49_000,
    trialDays: 14,
  },
}

/** The key of prices in the read cache. */
export const PRICING = 'pricing'

export interface PricingDeps extends GuardedStorage<'subscriptions'> {
  readonly clock: Clock
  readonly cache: ReadCache
}

/** Prices in the audit log, in the form that administrators edit. */
const recordOf = (one: TierPricing) => ({
  price_usd_monthly_cents: one.priceUsdMonthlyCents,
  price_eur_monthly_cents: one.priceEurMonthlyCents,
  price_usdc_yearly_cents: one.priceUsdcYearlyCents,
  trial_days: one.trialDays,
})

/** The prices of plans for new subscriptions. */
export function createPricing({ read, write, clock, cache }: PricingDeps) {
  async function all(): Promise<readonly TierPricing[]> {
    const decided = await read.pricing.list()
    return PLANS.map((tier) => decided.find((one) => one.tier === tier) ?? DEFAULTS[tier])
  }

  return {
    all,
    of: async (tier: Plan): Promise<TierPricing> => (await all()).find((one) => one.tier === tier) ?? DEFAULTS[tier],
    /** The prices of all plans, from the cache. */
    shown: async () => cache.get(PRICING, async () => ({ value: await all(), accountId: PRICING })),

    /**
     * Changes the given prices of a plan, and records the administrator.
     *
     * @throws `forbidden` when the caller has lost administrator rights, `unauthenticated` when the session has ended
     */
    edit: (tier: Plan, changes: PricingChanges, caller: Caller): Promise<TierPricing> =>
      write(async (tx, emit) => {
        const account = await lockAdministrator(tx, caller)
        const at = clock()
        const { before, after } = await tx.pricing.edit(DEFAULTS[tier], changes, at)
        await tx.audit?.append({
          actorAccountId: account.id,
          action: 'pricing.changed',
          target: `pricing/${tier}`,
          before: recordOf(before),
          after: recordOf(after),
          at,
        })
        emit(pricingChanged, { tier }, { accountId: account.id })
        return after
      }),
  }
}

/** The price of an offer, as deals and listings store it. */
export type Pricing = ReturnType<typeof createPricing>
