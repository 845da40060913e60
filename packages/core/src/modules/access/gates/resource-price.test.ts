import { describe, expect, it } from 'vitest'
import type { GateConfig } from '../../../model/gate-config.ts'
import { priceIn, withoutPrice, withPrice } from './resource-price.ts'

const PUBLIC = { requirements: [], access: ['*'] }
const OPEN: GateConfig = { default_tier: 'public', tiers: { public: PUBLIC } }
const PRICE = { amount: 5, currency: 'usd', per: 'once' } as const
const payment = { type: 'payment', ...PRICE } as const

describe('the price of a resource', () => {
  it('is a separate tier beside the others', () => {
    const config = withPrice(OPEN, 'content.notes.engines', { ...PRICE, label: 'Engines' })
    expect(config.tiers).toEqual({
      public: PUBLIC,
      price_content_notes_engines: { label: 'Engines', requirements: [payment], access: ['content.notes.engines'] },
    })
    const changed = withPrice(config, 'content.notes.engines', { ...PRICE, amount: 7 })
    expect(priceIn(changed, 'content.notes.engines')).toEqual({
      resource: 'content.notes.engines',
      tier: 'price_content_notes_engines',
      price: { ...PRICE, amount: 7, label: 'Engines' },
      otherTiers: [],
    })
    expect(withoutPrice(changed, 'content.notes.engines')).toEqual(OPEN)
  })

  it('changes the amount alone, and keeps the methods of the payment and other requirements of its tier', () => {
    const resource = 'content.notes.engines'
    const name = 'price_content_notes_engines'
    const agreement = {
      type: 'agreement' as const,
      document_hash: `sha256:${'a'.repeat(64)}`,
      document_url: 'https://seller.example/terms',
    }
    const requirements = [agreement, { ...payment, payment_methods: ['card'] }]
    const config = { ...OPEN, tiers: { ...OPEN.tiers, [name]: { requirements, access: [resource] } } } as GateConfig
    expect(withPrice(config, resource, { ...PRICE, amount: 9 }).tiers[name]?.requirements).toEqual([
      agreement,
      { ...payment, amount: 9, payment_methods: ['card'] },
    ])
  })

  it('has names that stay apart although names of tiers are short and have no dots', () => {
    const resources = ['content.notes.a', 'content.notes_a', `content.${'x'.repeat(60)}`, `content.${'x'.repeat(61)}`]
    const config = resources.reduce((gate, resource) => withPrice(gate, resource, PRICE), OPEN)
    expect(new Set(resources.map((resource) => priceIn(config, resource).tier)).size).toBe(4)
  })

  it('is refused where a tier of several resources covers it', () => {
    for (const access of [['content.*'], ['content.notes.engines', 'content.notes.looms']]) {
      const config = { ...OPEN, tiers: { ...OPEN.tiers, reader: { requirements: [payment], access } } }
      expect(() => withPrice(config, 'content.notes.engines', PRICE)).toThrow(
        expect.objectContaining({ code: 'tier_in_use', details: { tiers: ['reader'] } }),
      )
    }
  })

  it('leaves a tier of the same resource alone, and names it', () => {
    const followers = { requirements: [{ type: 'x-follower' as const }], access: ['content.notes.engines'] }
    const config = { ...OPEN, tiers: { ...OPEN.tiers, followers } }
    const priced = withPrice(config, 'content.notes.engines', PRICE)
    expect(priced.tiers.followers).toEqual(followers)
    expect(priceIn(priced, 'content.notes.engines').otherTiers).toEqual(['followers'])
    expect(withoutPrice(config, 'content.notes.engines')).toBeUndefined()
  })
})
