import { describe, expect, it } from 'vitest'
import type { GateConfig } from '../../../model/gate-config.ts'
import { audienceWarnings } from './audience-warnings.ts'

const payment = (amount: number) => ({ type: 'payment', amount, currency: 'usdc', per: 'day' }) as const
const audience = (...any_of: string[]) => ({ type: 'x-audience' as const, any_of })
const warn = (tiers: GateConfig['tiers'], isProvable: (audience: string) => boolean = () => true) =>
  audienceWarnings(
    { default_tier: 'public', tiers: { public: { requirements: [], access: ['content.*'] }, ...tiers } },
    isProvable,
  )

describe('warnings about audiences', () => {
  it('state that a browser is only declared', () => {
    const access = ['content.*']
    expect(warn({ free: { requirements: [audience('people', 'browsers')], access } })).toEqual([
      { code: 'audience_declared', tier: 'free' },
    ])
    expect(warn({ paid: { requirements: [audience('browsers'), payment(1)], access } })).toEqual([])
    expect(warn({ free: { requirements: [audience('people')], access } })).toEqual([])
  })

  it('state that a program pays less without its signature', () => {
    const access = ['content.*']
    const bots = { requirements: [audience('verified_bots'), payment(2)], access }
    const evadable = [{ code: 'audience_evadable', tier: 'bots' }]
    expect(warn({ bots, others: { requirements: [audience('unverified'), payment(1)], access } })).toEqual(evadable)
    expect(warn({ bots, others: { requirements: [audience('unverified')], access } })).toEqual(evadable)
    expect(warn({ bots, others: { requirements: [audience('unverified'), payment(2)], access } })).toEqual([])
    const all = { requirements: [audience('verified_bots', 'unverified'), payment(2)], access }
    expect(warn({ all })).toEqual([])
  })

  it('name closer tiers, which keep an audience from a part', () => {
    const people = { requirements: [audience('people')], access: ['content.*'] }
    const sold = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`r${at}`, { requirements: [payment(1)], access: [`content.r${at}`] }]),
    )
    expect(warn({ people, ...sold })).toEqual([
      { code: 'audience_shadowed', tier: 'people', tiers: Object.keys(sold).slice(0, 10) },
    ])
  })

  it('name tiers that sell what an audience opens', () => {
    const people = { requirements: [audience('people')], access: ['content.a'] }
    const full = { requirements: [payment(5)], access: ['content.a'] }
    expect(warn({ people, full })).toEqual([{ code: 'audience_opens_sold', tier: 'people', tiers: ['full'] }])
    const apart = { requirements: [audience('people'), payment(1)], access: ['content.a'] }
    expect(warn({ apart, full })).toEqual([])
  })

  it('name the audiences that nothing proves, each once', () => {
    const one = { type: 'x-audience' as const, any_of: ['people', 'verified_bots'], none_of: ['purpose:training'] }
    const paid = { requirements: [one, payment(1)], access: ['content.*'] }
    expect(warn({ paid }, (audience) => audience === 'people')).toEqual([
      { code: 'audience_unprovable', tier: 'paid', audiences: ['verified_bots', 'purpose:training'] },
    ])
    expect(warn({ paid })).toEqual([])
  })
})
