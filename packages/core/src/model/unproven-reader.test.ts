import { describe, expect, it } from 'vitest'
import type { GateConfig } from './gate-config.ts'
import { tiersForUnproven } from './unproven-reader.ts'

const pay = (amount: number, currency = 'usd') => ({ type: 'payment', amount, currency, per: 'once' }) as const
const config: GateConfig = {
  default_tier: 'public',
  tiers: {
    public: { requirements: [], access: ['content.*'] },
    dear: { requirements: [pay(5)], access: ['content.sold'] },
    cheap: { requirements: [pay(2)], access: ['content.sold'] },
    friends: { requirements: [{ type: 'trust', min_score: 10 }, pay(1)], access: ['content.sold', 'content.friends'] },
  },
}
const namesOf = (resource: string) => tiersForUnproven(config, resource).map(({ name }) => name)

describe('the tiers for a reader who has proven nothing', () => {
  it('are those that a payment alone opens, the lowest price first', () => {
    expect(namesOf('content.sold')).toEqual(['cheap', 'dear'])
  })

  it('are none for an open resource, and for one that needs a proof as well', () => {
    expect(namesOf('content.free')).toEqual([])
    expect(namesOf('content.friends')).toEqual([])
  })
})
