import { expect, it } from 'vitest'
import { TIERS, tierFacts } from './tier.ts'

it('gives a higher tier more requests for a smaller commission', () => {
  expect(TIERS.map((tier) => [tier, tierFacts(tier).apiRequestsPerMinute, tierFacts(tier).commissionBps])).toEqual([
    ['community', 60, 1_000],
    ['pro', 300, 500],
    ['team', 1_000, 200],
  ])
})
