import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type GateConfig, gateConfigSchema } from './gate-config.ts'
import { buyableTiers, coveringTiers, heldTier, isOpen, opensSame } from './gate-rules.ts'
import { resourceName } from './resource-name.ts'
import { covers, specificity } from './resource-pattern.ts'

const payment = { type: 'payment', amount: 1, currency: 'usdc', per: 'day' } as const

function config(home: string[], gated: Record<string, string[]>, free: Record<string, string[]> = {}): GateConfig {
  const paid = Object.entries(gated).map(([name, access]) => [name, { requirements: [payment], access }])
  const more = Object.entries(free).map(([name, access]) => [name, { requirements: [], access }])
  return gateConfigSchema.parse({
    default_tier: 'public',
    tiers: { public: { requirements: [], access: home }, ...Object.fromEntries([...paid, ...more]) },
  })
}

const mayRead = (gate: GateConfig, resource: string, paid = false): boolean => {
  const covering = coveringTiers(gate, resource)
  return isOpen(gate, resource, covering) || heldTier(covering, () => paid) !== undefined
}

describe('the parity cases of EEP v0.1', () => {
  const blog = config(['content.*', 'profile.*'], { paid: ['content.premium.*'] })

  it('closes a resource that a paid tier covers more specifically than the default tier', () => {
    expect(mayRead(blog, 'content.premium.x')).toBe(false)
  })
  it('leaves a resource open that only the default tier covers', () => {
    expect(mayRead(blog, 'content.blog.y')).toBe(true)
  })
  it('leaves a resource open that no paid tier covers', () => {
    expect(mayRead(blog, 'profile.bio')).toBe(true)
  })
  it('closes a resource that both cover equally', () => {
    expect(mayRead(config(['content.*'], { paid: ['content.*'] }), 'content.x')).toBe(false)
  })
  it('leaves a resource open that the default tier covers more specifically', () => {
    const docs = config(['content.premium.docs.*'], { paid: ['content.*'] })
    expect(mayRead(docs, 'content.premium.docs.readme')).toBe(true)
  })
  it('closes a resource that no tier covers', () => {
    expect(mayRead(config(['profile.*'], {}), 'content.premium.x')).toBe(false)
  })
  it('lets gates elsewhere be', () => {
    expect(mayRead(config(['content.*'], { paid: ['video.*'] }), 'content.x')).toBe(true)
  })
  it('does not treat a second tier without requirements as a gate', () => {
    expect(mayRead(config(['content.*'], {}, { also: ['content.premium.*'] }), 'content.premium.x')).toBe(true)
  })
  it('covers no tier for a request without a resource', () => {
    // No gate can cover a request without a resource.
    expect(coveringTiers(blog, '')).toEqual([])
    expect(gateConfigSchema.parse(blog).tiers[blog.default_tier]?.requirements).toEqual([])
  })
})

it('opens to visitors who meet a covering tier', () => {
  const blog = config(['content.*'], { paid: ['content.premium.*'] })
  expect(mayRead(blog, 'content.premium.x', true)).toBe(true)
})

describe('buying', () => {
  it('offers the most specific tier first, then the cheapest', () => {
    const gate = gateConfigSchema.parse({
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['profile.*'] },
        all: { requirements: [{ ...payment, amount: 9 }], access: ['*'] },
        dear: { requirements: [{ ...payment, amount: 3 }], access: ['content.notes.*'] },
        cheap: { requirements: [{ ...payment, amount: 2 }], access: ['content.notes.*'] },
      },
    })
    const names = buyableTiers(coveringTiers(gate, 'content.notes.a'), () => false).map(({ name }) => name)
    expect(names).toEqual(['cheap', 'dear', 'all'])
  })

  it('offers nothing that would stay closed after payment', () => {
    const gate = gateConfigSchema.parse({
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['profile.*'] },
        club: { requirements: [payment, { type: 'trust', min_score: 50 }], access: ['content.*'] },
      },
    })
    expect(buyableTiers(coveringTiers(gate, 'content.a'), () => false)).toEqual([])
  })
})

describe('patterns', () => {
  it('name a page by its path, hyphens and leading digits mapped', () => {
    expect(resourceName('content', ['notes', 'my-page', '2026-plan'])).toBe('content.notes.my_page.n2026_plan')
  })

  const segment = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/)
  const name = fc.array(segment, { minLength: 1, maxLength: 6 })

  it('cover a name and all below it, and nothing that only begins alike', () => {
    fc.assert(
      fc.property(name, name, segment, (root, rest, other) => {
        const base = root.join('.')
        expect(covers(`${base}.*`, base)).toBe(true)
        expect(covers(`${base}.*`, [...root, ...rest].join('.'))).toBe(true)
        expect(covers(`${base}.*`, `${base}${other}`)).toBe(false)
        expect(covers(base, `${base}.${other}`)).toBe(false)
      }),
    )
  })

  it('fit more closely the longer they are, and an exact one most', () => {
    fc.assert(
      fc.property(name, segment, (root, leaf) => {
        const resource = [...root, leaf].join('.')
        const wide = specificity('*', resource)
        const near = specificity(`${root.join('.')}.*`, resource)
        expect(wide).toBe(0)
        expect(near).toBeGreaterThan(wide)
        expect(specificity(resource, resource)).toBeGreaterThan(near)
        expect(specificity(`${resource}.${leaf}`, resource)).toBe(-1)
      }),
    )
  })
})

describe('any configuration', () => {
  const segment = fc.constantFrom('content', 'notes', 'a', 'b')
  const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'))
  const pattern = fc.oneof(
    fc.constant('*'),
    path,
    path.map((root) => `${root}.*`),
  )
  const access = fc.array(pattern, { minLength: 1, maxLength: 4 })

  it('never opens to anonymous visitors what a paid tier covers at least as closely as the default tier', () => {
    fc.assert(
      fc.property(access, access, path, (home, paid, resource) => {
        const closest = (list: string[]) => Math.max(...list.map((each) => specificity(each, resource)))
        const gate = config(home, { paid })
        if (closest(paid) >= 0 && closest(paid) >= closest(home)) expect(mayRead(gate, resource)).toBe(false)
        else expect(mayRead(gate, resource)).toBe(closest(home) >= 0)
      }),
    )
  })

  it('always opens to a payer what the paid tier covers', () => {
    fc.assert(
      fc.property(access, access, path, (home, paid, resource) => {
        if (paid.some((each) => covers(each, resource)))
          expect(mayRead(config(home, { paid }), resource, true)).toBe(true)
      }),
    )
  })
})

describe('whether two configurations open the same resources', () => {
  const before = config(['content.*'], { paid: ['content.a', 'content.b'] })

  it('does not depend on prices, names and the order of patterns', () => {
    const price = gateConfigSchema.parse({
      ...before,
      tiers: {
        ...before.tiers,
        paid: { requirements: [{ ...payment, amount: 9 }], access: ['content.b', 'content.a'] },
      },
    })
    expect(opensSame(before, price)).toBe(true)
    expect(opensSame(before, config(['content.*'], { one: ['content.a'], other: ['content.b'] }))).toBe(true)
  })
  it.each([
    ['a pattern of a tier with requirements', config(['content.*'], { paid: ['content.a'] })],
    ['a pattern of the default tier', config(['content.*', 'files.*'], { paid: ['content.a', 'content.b'] })],
    ['the requirements of a tier', config(['content.*'], {}, { paid: ['content.a', 'content.b'] })],
  ])('depends on %s', (_, after) => {
    expect(opensSame(before, after)).toBe(false)
  })
})
