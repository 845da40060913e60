import { describe, expect, it } from 'vitest'
import type { GateConfig } from '../../../../model/gate-config.ts'
import { decide, NO_RIGHTS, rulesFor, type VisitorRights } from './decide.ts'

const payment = { type: 'payment', amount: 1, currency: 'usdc', per: 'day' } as const
const trust = { type: 'trust', min_score: 10 } as const
const config: GateConfig = {
  default_tier: 'public',
  tiers: {
    public: { requirements: [], access: ['content.*'] },
    reader: { requirements: [payment], access: ['content.sold'] },
    friend: { requirements: [trust], access: ['content.friends'] },
    both: { requirements: [trust, payment], access: ['content.both'] },
  },
}
const about = (resource: string, rights: Partial<VisitorRights> = {}) =>
  decide(rulesFor(config, resource), { ...NO_RIGHTS, ...rights })
const met = new Map([[trust, true]])
const entitlements = [{ resourcePattern: 'content.sold', validUntil: null, audience: null }]

describe('an access decision', () => {
  it('grants everybody what no tier guards', () => {
    expect(about('content.free')).toMatchObject({ is: 'granted', open: true })
  })

  it('requires a payment where only a payment is missing', () => {
    expect(about('content.sold')).toMatchObject({ is: 'payment_required', buyable: [{ name: 'reader' }] })
    expect(about('content.both', { met })).toMatchObject({ is: 'payment_required', buyable: [{ name: 'both' }] })
  })

  it('denies what a payment alone does not open', () => {
    expect(about('content.friends')).toMatchObject({ is: 'denied' })
    expect(about('content.both')).toMatchObject({ is: 'denied' })
  })

  it('grants a tier whose requirements are met, and whether the payer holds it', () => {
    const held = about('content.sold', { entitlements, ofPayer: entitlements })
    expect(held).toMatchObject({
      is: 'granted',
      open: false,
      tier: { name: 'reader' },
      payerHolds: true,
    })
    expect(about('content.friends', { met })).toMatchObject({ is: 'granted', proven: { name: 'friend' } })
  })

  it('does not name the payer for an entitlement of another holder', () => {
    expect(about('content.sold', { entitlements })).toMatchObject({ is: 'granted', payerHolds: false })
  })

  it('grants a tier of a session, and does not count the session as a proof', () => {
    const decision = about('content.friends', { sessionTiers: new Set(['friend']) })
    expect(decision).toMatchObject({ is: 'granted', tier: { name: 'friend' }, proven: undefined })
  })

  it('requires the payment of a tier that a session has, because a session proves no payment', () => {
    const sessionTiers = new Set(['both', 'reader'])
    expect(about('content.both', { sessionTiers })).toMatchObject({
      is: 'payment_required',
      buyable: [{ name: 'both' }],
    })
    expect(about('content.sold', { sessionTiers })).toMatchObject({ is: 'payment_required' })
  })

  it('does not grant a wildcard for a tier that covers a part of it', () => {
    expect(about('content.*', { met, entitlements })).not.toMatchObject({ is: 'granted' })
    expect(
      about('content.*', { entitlements: [{ resourcePattern: 'content.*', validUntil: null, audience: null }] }),
    ).not.toMatchObject({ is: 'granted' })
  })

  it('has one access key for visitors who meet the same requirements', () => {
    expect(about('content.both', { met }).accessKey).toBe(about('content.both', { met: new Map(met) }).accessKey)
    expect(about('content.both').accessKey).not.toBe(about('content.both', { met }).accessKey)
  })
})
