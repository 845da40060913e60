import assert from 'node:assert/strict'
import type { TierPricing } from '../../ports/storage/subscriptions.ts'
import { casesFor, present } from './bench.ts'

const AT = new Date(Date.UTC(2026, 0, 1))
const DEFAULTS: TierPricing = {
  tier: 'team',
  priceUsdMonthlyCents: 4_900,
  priceEurMonthlyCents: 4_500,
  priceUsdcYearlyCents: 49_000,
  trialDays: 14,
}

export const pricingCases = casesFor(['subscriptions'], (it, bench) => {
  const stored = async () => (await bench.read.pricing.list()).filter(({ tier }) => tier === DEFAULTS.tier)

  it('returns the price of a tier before and after an edit', async () => {
    const { before, after } = await bench.write((tx) => tx.pricing.edit(DEFAULTS, { trialDays: 3 }, AT))
    assert.deepEqual(after, { ...before, trialDays: 3 })
    assert.deepEqual(await stored(), [after])
    const others = { priceUsdMonthlyCents: 0, priceEurMonthlyCents: 1_000_000_000, priceUsdcYearlyCents: 1 }
    const next = await bench.write((tx) => tx.pricing.edit(DEFAULTS, others, AT))
    assert.deepEqual(next, { before: after, after: { ...after, ...others } })
    assert.deepEqual(await stored(), [next.after])
  })

  it('keeps both of two concurrent edits', async () => {
    await bench.write((tx) => tx.pricing.edit(DEFAULTS, { trialDays: 14, priceUsdMonthlyCents: 4_900 }, AT))
    const { others } = await bench.overlap(
      (tx) => tx.pricing.edit(DEFAULTS, { trialDays: 7 }, AT),
      [(tx) => tx.pricing.edit(DEFAULTS, { priceUsdMonthlyCents: 5_900 }, AT)],
    )
    assert.equal(present(others[0]).before.trialDays, 7)
    assert.deepEqual(await stored(), [present(others[0]).after])
  })
})
