import { expect, it } from 'vitest'
import { askedText } from './asked-text.ts'
import type { GateTier } from './gate-config.ts'

const payment = (amount: number, currency = 'usd') => ({
  type: 'payment' as const,
  amount,
  currency,
  per: 'month' as const,
})
const FOLLOWERS = { type: 'connection' as const, relation: 'follower' as const }
const TRUSTED = { type: 'trust' as const, min_score: 50 }

/** A gate whose tiers each open everything for one requirement; everything else is open. */
const gatesOf = (...requirements: GateTier['requirements']) => ({
  default_tier: 'public',
  tiers: Object.fromEntries([
    ['public', { access: ['profile.*'], requirements: [] }],
    ...requirements.map((one, index) => [`tier${index}`, { access: ['content.*'], requirements: [one] }]),
  ]),
})

it.each<[string, GateTier['requirements'], string]>([
  ['the price of the only offer', [payment(5)], '$5.00 for one month'],
  ['the same price once, when two tiers have it', [payment(5), payment(5)], '$5.00 for one month'],
  ['the lowest of several prices in one currency', [payment(5), payment(2)], 'from $2.00 for one month'],
  ['the number of offers in several currencies', [payment(5), payment(0.1, 'usdc'), payment(4)], '3 offers'],
  ['that followers read it', [FOLLOWERS], 'Followers'],
  ['that it is limited, when there are other conditions', [FOLLOWERS, TRUSTED], 'limited access'],
  ['the price, when followers read it too', [FOLLOWERS, payment(5)], '$5.00 for one month'],
])('writes %s', (_what, requirements, text) => {
  const asked = askedText({ language: 'en' }, 'content.notes.page', gatesOf(...requirements))
  expect(asked?.replaceAll(/[\u2068\u2069]/g, '')).toBe(text)
})

it('writes nothing for what everyone may read', () => {
  expect(askedText({ language: 'en' }, 'content.notes.page', undefined)).toBeUndefined()
  expect(askedText({ language: 'en' }, 'profile.bio', gatesOf(payment(5)))).toBeUndefined()
})
