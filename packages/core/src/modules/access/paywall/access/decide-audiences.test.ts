import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AUDIENCES, type AudienceRequirement, isInAudience, UNVERIFIED } from '../../../../model/audience.ts'
import type { GateConfig, GateRequirement } from '../../../../model/gate-config.ts'
import { audienceOf } from '../../../../model/gate-rules.ts'
import { specificity } from '../../../../model/resource-pattern.ts'
import { tiersForUnproven } from '../../../../model/unproven-reader.ts'
import { type AccessDecision, decide, NO_RIGHTS, rulesFor, type VisitorRights } from './decide.ts'

const payment = (amount: number) => ({ type: 'payment', amount, currency: 'usdc', per: 'once' }) as const
const audience = (...any_of: string[]) => ({ type: 'x-audience' as const, any_of })
const trust = { type: 'trust', min_score: 10 } as const
const held = (resourcePattern: string, of: ReturnType<typeof audience> | null) => ({
  resourcePattern,
  validUntil: null,
  audience: of,
})
const gate = (tiers: GateConfig['tiers']): GateConfig => ({
  default_tier: 'public',
  tiers: { public: { requirements: [], access: ['content.*'] }, ...tiers },
})
const about = (config: GateConfig, resource: string, rights: Partial<VisitorRights> = {}) =>
  decide(rulesFor(config, resource), { ...NO_RIGHTS, ...rights })
const reader = (...names: string[]) => ({ audiences: new Set(names) })

const PRICED = gate({
  readers: { requirements: [audience('people')], access: ['content.*'] },
  crawlers: { requirements: [audience('verified_bots', 'unverified'), payment(0.01)], access: ['content.*'] },
})

describe('a tier for an audience', () => {
  it('opens for its audience, and sells to another', () => {
    expect(about(PRICED, 'content.a', reader('people'))).toMatchObject({ is: 'granted', open: false })
    expect(about(PRICED, 'content.a', reader('verified_bots'))).toMatchObject({ is: 'payment_required' })
    expect(about(PRICED, 'content.a')).toMatchObject({ is: 'payment_required', buyable: [{ name: 'crawlers' }] })
    expect(about(PRICED, 'content.a', reader('search_engines'))).toMatchObject({ is: 'denied' })
    expect(about(PRICED, 'content.a', reader())).toMatchObject({ is: 'denied' })
  })

  it('opens nothing for a reader in none_of', () => {
    const config = gate({
      bots: { requirements: [{ ...audience('verified_bots'), none_of: ['purpose:training'] }], access: ['content.*'] },
    })
    expect(about(config, 'content.a', reader('verified_bots', 'purpose:search'))).toMatchObject({ is: 'granted' })
    expect(about(config, 'content.a', reader('verified_bots', 'purpose:training'))).toMatchObject({ is: 'denied' })
  })

  it('never reaches past a closer tier, which sells a part', () => {
    const config = gate({ ...PRICED.tiers, report: { requirements: [payment(5)], access: ['content.report'] } })
    for (const who of [reader('people'), reader('verified_bots'), reader('unverified')]) {
      const decision = about(config, 'content.report', who)
      expect(decision).toMatchObject({ is: 'payment_required', buyable: [{ name: 'report' }] })
      expect(decision.is === 'payment_required' && decision.buyable).toHaveLength(1)
    }
    expect(about(config, 'content.other', reader('people'))).toMatchObject({ is: 'granted' })
    // The whole is not open while a part of it is sold.
    expect(about(config, 'content.*', reader('people'))).not.toMatchObject({ is: 'granted' })
  })

  it('has a separate key for each outcome, so that no cached offer crosses audiences', () => {
    const keys = [reader('people', 'browsers'), reader('verified_bots'), reader('search_engines')].map(
      (who) => about(PRICED, 'content.a', who).accessKey,
    )
    expect(new Set(keys).size).toBe(3)
  })

  it('is not opened by a session, and is in none', () => {
    const config = gate({ both: { requirements: [audience('people'), trust], access: ['content.a'] } })
    const met = new Map<GateRequirement, boolean>([[trust, true]])
    const granted = about(config, 'content.a', { ...reader('people'), met })
    expect(granted).toMatchObject({ is: 'granted', proven: undefined })
    const rules = rulesFor(config, 'content.a')
    expect(decide(rules, { ...NO_RIGHTS, met, sessionTiers: new Set(['both']) })).toMatchObject({ is: 'denied' })
  })

  it('is priced for a reader of whom nothing is known in documents for all readers', () => {
    expect(tiersForUnproven(PRICED, 'content.a').map(({ name }) => name)).toEqual(['crawlers'])
    const people = gate({
      people: { requirements: [audience('people', 'browsers'), payment(1)], access: ['content.*'] },
    })
    expect(tiersForUnproven(people, 'content.a')).toEqual([])
  })
})

describe('an entitlement that was bought in an audience', () => {
  const bots = audience('verified_bots', 'unverified')
  const config = gate({ ...PRICED.tiers, full: { requirements: [payment(5)], access: ['content.*'] } })
  const one = [held('content.*', bots)]

  it('counts only while the reader is in that audience', () => {
    expect(about(config, 'content.a', { ...reader('verified_bots'), entitlements: one })).toMatchObject({
      is: 'granted',
    })
    expect(about(config, 'content.a', { ...reader('people'), entitlements: [] })).toMatchObject({ is: 'granted' })
    const engine = about(config, 'content.a', { ...reader('search_engines'), entitlements: one })
    expect(engine).toMatchObject({ is: 'payment_required', buyable: [{ name: 'full' }] })
  })

  it('pays for no tier without an audience, and for none that is closer than what was bought', () => {
    const sold = gate({
      ...PRICED.tiers,
      report: { requirements: [payment(5)], access: ['content.report'] },
      botReport: { requirements: [bots, payment(2)], access: ['content.report'] },
    })
    const decision = about(sold, 'content.report', { ...reader('verified_bots'), entitlements: one })
    expect(decision).toMatchObject({ is: 'payment_required' })
    const exact = [held('content.report', bots)]
    expect(about(sold, 'content.report', { ...reader('verified_bots'), entitlements: exact })).toMatchObject({
      is: 'granted',
      tier: { name: 'botReport' },
    })
  })

  it('opens a sale of the same decision only where it counts', () => {
    for (const [who, opens] of [
      ['verified_bots', true],
      ['search_engines', false],
    ] as const) {
      const decision = about(config, 'content.a', reader(who))
      expect(decision.is === 'payment_required' && decision.opensWith(one)).toBe(opens)
      expect(decision.is === 'payment_required' && decision.opensWith([held('content.*', null)])).toBe(true)
    }
  })
})

const pattern = fc.constantFrom('*', 'content.*', 'content.a', 'content.a.*', 'content.a.b', 'content.b.*', 'content')
const access = fc.array(pattern, { minLength: 1, maxLength: 3 })
const names = fc.uniqueArray(fc.constantFrom(...AUDIENCES), { minLength: 1, maxLength: 3 })
const requirementOfAudience = fc.record({ type: fc.constant('x-audience' as const), any_of: names })
const price = fc.constantFrom(payment(1), payment(5))
const tier = fc.record({
  requirements: fc.oneof(
    price.map((one): GateRequirement[] => [one]),
    fc.constant<GateRequirement[]>([{ ...trust }]),
    fc.tuple(requirementOfAudience, price).map((all): GateRequirement[] => [...all]),
    requirementOfAudience.map((one): GateRequirement[] => [one]),
  ),
  access,
})
const anyGate = fc.record({ home: access, tiers: fc.array(tier, { maxLength: 4 }) }).map(
  ({ home, tiers }): GateConfig => ({
    default_tier: 'public',
    tiers: {
      public: { requirements: [], access: home },
      ...Object.fromEntries(tiers.map((each, at) => [`t${at}`, each])),
    },
  }),
)
const resource = fc.constantFrom('content', 'content.a', 'content.a.b', 'content.b.c', 'content.a.*', 'content.*')
const someAudiences = fc.subarray([...AUDIENCES]).map((all) => new Set<string>(all))
const RUNS = { numRuns: 3_000 }

/** The decisions about a resource with an entitlement that was bought in an audience, and without it. */
interface EntitlementCase {
  readonly named: AudienceRequirement
  readonly bought: string
  readonly asked: string
  readonly audiences: ReadonlySet<string>
  readonly withIt: AccessDecision
  readonly without: AccessDecision
}

function forAnyEntitlement(check: (found: EntitlementCase) => void): void {
  const property = fc.property(
    anyGate,
    requirementOfAudience,
    pattern,
    resource,
    someAudiences,
    (config, named, bought, asked, audiences) => {
      const rules = rulesFor(config, asked)
      const rights = { ...NO_RIGHTS, audiences }
      const withIt = decide(rules, { ...rights, entitlements: [{ ...held(bought, null), audience: named }] })
      check({ named, bought, asked, audiences, withIt, without: decide(rules, rights) })
    },
  )
  fc.assert(property, RUNS)
}

describe('gates of any tiers', () => {
  it('open nothing that a closer tier closes by an added tier for an audience', () => {
    fc.assert(
      fc.property(
        anyGate,
        fc.tuple(requirementOfAudience, fc.option(price)),
        access,
        resource,
        someAudiences,
        (config, [named, paid], patterns, asked, audiences) => {
          const added: GateConfig['tiers'][string] = { requirements: paid ? [named, paid] : [named], access: patterns }
          const withIt = { ...config, tiers: { ...config.tiers, added } }
          const rights = { ...NO_RIGHTS, audiences, entitlements: [] }
          const rules = rulesFor(withIt, asked)
          const own = rules.covering.find(({ name }) => name === 'added')
          const isCloserThere = rules.covering.some(({ name, score }) => name !== 'added' && score > (own?.score ?? 0))
          if (!own || !isCloserThere) return
          const [before, after] = [decide(rulesFor(config, asked), rights), decide(rules, rights)]
          if (after.is === 'granted') expect(before.is).toBe('granted')
          if (after.is === 'payment_required') expect(after.buyable.some(({ name }) => name === 'added')).toBe(false)
        },
      ),
      RUNS,
    )
  })

  it('open nothing by an entitlement of an audience for a reader outside of it', () => {
    forAnyEntitlement(({ named, audiences, withIt, without }) => {
      if (!isInAudience(named, audiences)) expect(withIt.is).toBe(without.is)
    })
  })

  it('open only tiers for audiences, no closer than what was bought, by an entitlement of an audience', () => {
    forAnyEntitlement(({ bought, asked, withIt, without }) => {
      if (withIt.is !== 'granted' || without.is === 'granted') return
      expect(withIt.tier && audienceOf(withIt.tier.tier)).toBeDefined()
      expect(withIt.tier?.score).toBeLessThanOrEqual(specificity(bought, asked))
    })
  })

  it('decide about a reader of whom nothing is known as unverified', () => {
    expect([...NO_RIGHTS.audiences]).toEqual([...UNVERIFIED])
  })
})
