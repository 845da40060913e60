import type { PricingStore, TierPricing } from '@eep/core/ports'
import type { Db, Row } from '../database.ts'

export function pricing(db: Db): PricingStore {
  return {
    async list() {
      return (await db.selectFrom('tier_pricing').selectAll().orderBy('tier').execute()).map(toPricing)
    },

    async edit(defaults, changes, at) {
      const { tier } = defaults
      await db
        .insertInto('tier_pricing')
        .values({ ...toRow(defaults), updated_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      // A second call waits here, and changes the result of the first.
      const before = await db
        .selectFrom('tier_pricing')
        .selectAll()
        .where('tier', '=', tier)
        .forUpdate()
        .executeTakeFirstOrThrow()
      const after: TierPricing = { ...toPricing(before), ...named(changes) }
      await db
        .updateTable('tier_pricing')
        .set({ ...toRow(after), updated_at: at })
        .where('tier', '=', tier)
        .execute()
      return { before: toPricing(before), after }
    },
  }
}

const named = <Changes extends object>(changes: Changes) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))

const toRow = (one: TierPricing) => ({
  tier: one.tier,
  price_usd_monthly_cents: one.priceUsdMonthlyCents,
  price_eur_monthly_cents: one.priceEurMonthlyCents,
  price_usdc_yearly_cents: one.priceUsdcYearlyCents,
  trial_days: one.trialDays,
})

const toPricing = (row: Row<'tier_pricing'>): TierPricing => ({
  tier: row.tier,
  priceUsdMonthlyCents: row.price_usd_monthly_cents,
  priceEurMonthlyCents: row.price_eur_monthly_cents,
  priceUsdcYearlyCents: row.price_usdc_yearly_cents,
  trialDays: row.trial_days,
})
