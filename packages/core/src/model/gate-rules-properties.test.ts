import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type GateConfig,
  type GateRequirement,
  gateConfigSchema,
  isCombined,
  type PlainRequirement,
} from './gate-config.ts'
import {
  buyableTiers,
  coveringTiers,
  heldTier,
  isOpen,
  nearestTier,
  unmetRequirements,
  wholeTiers,
} from './gate-rules.ts'
import { resourceName } from './resource-name.ts'
import { closestPattern, covers, specificity } from './resource-pattern.ts'

const HASH = `sha256:${'ab'.repeat(32)}`

/** One requirement of each type other than payment. */
const plain: readonly PlainRequirement[] = [
  { type: 'trust', min_score: 50 },
  { type: 'identity', method: 'did_verified' },
  { type: 'connection', relation: 'mutual' },
  { type: 'credential', credential_type: 'PressCard' },
  { type: 'capability', required_capabilities: ['cite'] },
  { type: 'allowlist', dids: ['did:key:z6Mk'] },
  { type: 'reciprocal', access_level: 'partner' },
  { type: 'data_request', requested_claims: [{ claim: 'mail', purpose: 'dpv:ServiceProvision', retention_days: 1 }] },
  { type: 'agreement', document_hash: HASH, document_url: 'https://id.example/terms' },
  { type: 'x-membership', name: 'club' },
]
const TYPES = [...plain.map(({ type }) => type), 'payment'] as const

const price = fc.integer({ min: 1, max: 99 }).map((amount) => ({
  type: 'payment' as const,
  amount,
  currency: 'usdc',
  per: 'day' as const,
}))
const leaf: fc.Arbitrary<GateRequirement> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...plain).map((one) => ({ ...one })) },
  { weight: 1, arbitrary: price },
)
const { requirement } = fc.letrec<{ requirement: GateRequirement }>((tie) => ({
  requirement: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.record({
      type: fc.constant('combined' as const),
      combine_mode: fc.constantFrom('all' as const, 'any' as const),
      requirements: fc.array(tie('requirement'), { minLength: 2, maxLength: 3 }),
    }),
  ),
}))

const word = fc.constantFrom('notes', 'a', 'b')
const path = fc.array(word, { maxLength: 2 }).map((parts) => ['content', ...parts].join('.'))
const pattern = fc.oneof(
  fc.constant('*'),
  path,
  path.map((root) => `${root}.*`),
)
const access = fc.array(pattern, { minLength: 1, maxLength: 3 })
const tier = fc.record({ requirements: fc.array(requirement, { minLength: 1, maxLength: 3 }), access })

/** A valid configuration. */
const config: fc.Arbitrary<GateConfig> = fc
  .record({ home: access, tiers: fc.array(tier, { minLength: 1, maxLength: 4 }) })
  .map(({ home, tiers }) => ({
    default_tier: 'public',
    tiers: {
      public: { requirements: [], access: home },
      ...Object.fromEntries(tiers.map((one, index) => [`t${index}`, one])),
    },
  }))
  .map((made) => gateConfigSchema.safeParse(made))
  .filter(({ success }) => success)
  .map(({ data }) => data as GateConfig)

const met = fc.subarray([...TYPES]).map((types) => new Set<string>(types))
const checkOf = (types: ReadonlySet<string>) => (one: GateRequirement) => types.has(one.type)

/** A second implementation of how EEP evaluates requirements. */
const truth = (one: GateRequirement, types: ReadonlySet<string>): boolean => {
  if (!isCombined(one)) return types.has(one.type)
  const inside = one.requirements.map((each) => truth(each, types))
  return one.combine_mode === 'all' ? !inside.includes(false) : inside.includes(true)
}

const mayRead = (gate: GateConfig, resource: string, types: ReadonlySet<string>): boolean => {
  const covering = coveringTiers(gate, resource)
  return isOpen(gate, resource, covering) || heldTier(covering, checkOf(types)) !== undefined
}

const RUNS = { numRuns: 400 }

describe('a gate of any requirements, one inside of the other', () => {
  it('covers every type of requirement in these tests', () => {
    const unknown = { public: { requirements: [{ type: 'passport' }], access: ['*'] } }
    const refused = gateConfigSchema.safeParse({ default_tier: 'public', tiers: unknown })
    const told = /one of (.*), or an extension/.exec(refused.error?.message ?? '')?.[1]?.split(', ')
    const ours = TYPES.filter((type) => !type.startsWith('x-'))
    expect(told?.sort()).toEqual([...ours, 'combined'].sort())
  })

  it('opens a tier exactly when all of its requirements are met', () => {
    fc.assert(
      fc.property(config, path, met, (gate, resource, types) => {
        const covering = coveringTiers(gate, resource)
        const satisfied = covering.filter(({ tier: one }) => one.requirements.every((each) => truth(each, types)))
        const held = heldTier(covering, checkOf(types))
        expect(held === undefined).toBe(satisfied.length === 0)
        if (held) expect(satisfied).toContain(held)
        if (satisfied.length === 0) expect(mayRead(gate, resource, types)).toBe(isOpen(gate, resource, covering))
      }),
      RUNS,
    )
  })

  it('never denies access to a visitor who meets additional requirements', () => {
    fc.assert(
      fc.property(config, path, met, met, (gate, resource, types, more) => {
        if (mayRead(gate, resource, types)) expect(mayRead(gate, resource, new Set([...types, ...more]))).toBe(true)
      }),
      RUNS,
    )
  })

  it('opens after payment, and offers nothing that would stay closed after payment', () => {
    fc.assert(
      fc.property(config, path, met, (gate, resource, types) => {
        const unpaid = new Set([...types].filter((type) => type !== 'payment'))
        const covering = coveringTiers(gate, resource)
        const buyable = buyableTiers(covering, checkOf(unpaid))
        for (const { payment, ...each } of buyable) {
          const paying = (one: GateRequirement, name: string) =>
            name === each.name ? one === payment || unpaid.has(one.type) : unpaid.has(one.type)
          expect(heldTier([each], paying)?.name).toBe(each.name)
          expect(covers(each.pattern, resource)).toBe(true)
        }
        const opens = !mayRead(gate, resource, unpaid) && mayRead(gate, resource, new Set([...unpaid, 'payment']))
        if (opens) expect(buyable.length).toBeGreaterThan(0)
      }),
      RUNS,
    )
  })

  it('lists exactly the missing requirements, which open the resource once they are met', () => {
    fc.assert(
      fc.property(config, path, met, (gate, resource, types) => {
        const check = checkOf(types)
        const covering = coveringTiers(gate, resource)
        for (const each of covering) {
          const unmet = unmetRequirements(each, check)
          for (const one of unmet) expect(truth(one, types)).toBe(false)
          const meeting = new Set([...types, ...unmet.flatMap(leavesOf).map(({ type }) => type)])
          expect(each.tier.requirements.every((one) => truth(one, meeting))).toBe(true)
        }
        expect(nearestTier(covering, check) === undefined).toBe(covering.length === 0)
      }),
      RUNS,
    )
  })

  const leavesOf = (one: GateRequirement): readonly GateRequirement[] =>
    isCombined(one) ? one.requirements.flatMap(leavesOf) : [one]
})

describe('pages by their slugs', () => {
  const slug = fc.stringMatching(/^[a-z0-9]{1,6}(-[a-z0-9]{1,6}){0,2}$/)
  const slugs = fc.array(slug, { minLength: 1, maxLength: 4 })
  const gateOf = (guarded: string): GateConfig =>
    gateConfigSchema.parse({
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['content.*'] },
        inner: { requirements: [plain[0]], access: [guarded] },
      },
    })
  const isClosed = (guarded: string, page: readonly string[]) =>
    !mayRead(gateOf(guarded), resourceName('content', page), new Set())

  it('have names that patterns can be written for, however they are spelled', () => {
    fc.assert(
      fc.property(slugs, (page) => {
        const name = resourceName('content', page)
        expect(isClosed(name, page)).toBe(true)
        expect(isClosed(`${name}.*`, page)).toBe(true)
      }),
      RUNS,
    )
  })

  it('are guarded with what is below them, and nothing beside them is', () => {
    fc.assert(
      fc.property(slugs, slugs, slug, (folder, below, other) => {
        const guarded = `${resourceName('content', folder)}.*`
        expect(isClosed(guarded, [...folder, ...below])).toBe(true)
        const beside = [...folder.slice(0, -1), `${folder.at(-1)}-${other}`]
        expect(isClosed(guarded, beside)).toBe(false)
        expect(isClosed(guarded, [...beside, ...below])).toBe(false)
      }),
      RUNS,
    )
  })

  it('are guarded one by one, also when they look alike', () => {
    fc.assert(
      fc.property(slugs, slugs, (one, other) => {
        const isOther = one.join('/') !== other.join('/')
        expect(isClosed(resourceName('content', one), other)).toBe(!isOther)
      }),
      RUNS,
    )
    expect(isClosed('content.n2026_plan', ['2026-plan'])).toBe(true)
    expect(isClosed('content.n2026_plan', ['n2026-plan'])).toBe(false)
  })
})

describe('the closest pattern', () => {
  it('is one of those with the highest specificity', () => {
    fc.assert(
      fc.property(access, path, (patterns, resource) => {
        const best = Math.max(...patterns.map((one) => specificity(one, resource)))
        const closest = closestPattern(patterns, resource)
        expect(closest === undefined ? -1 : specificity(closest, resource)).toBe(best)
      }),
      RUNS,
    )
  })
})

describe('a wildcard', () => {
  const wildcard = fc.oneof(
    fc.constant('*'),
    path.map((root) => `${root}.*`),
  )

  it('is granted only where everything that it covers may be read', () => {
    fc.assert(
      fc.property(config, wildcard, path, met, (gate, all, resource, types) => {
        const covering = coveringTiers(gate, all)
        const isGranted =
          isOpen(gate, all, covering) || heldTier(wholeTiers(covering, all), checkOf(types)) !== undefined
        fc.pre(isGranted && covers(all, resource))
        expect(mayRead(gate, resource, types)).toBe(true)
      }),
      RUNS,
    )
  })
})
