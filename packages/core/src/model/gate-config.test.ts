import { describe, expect, it } from 'vitest'
import { gateConfigPath, gateConfigSchema } from './gate-config.ts'

const payment = { type: 'payment', amount: 0.01, currency: 'usdc', per: 'day' }
const open = { requirements: [], access: ['profile.*'] }
const withTier = (tier: unknown) => ({ default_tier: 'public', tiers: { public: open, paid: tier } })
const paid = (requirement: unknown) => withTier({ requirements: [requirement], access: ['content.*'] })

const wide = (levels: number): unknown =>
  levels === 0
    ? { type: 'connection', relation: 'follower' }
    : { type: 'combined', combine_mode: 'all', requirements: Array.from({ length: 10 }, () => wide(levels - 1)) }

const accepted: readonly [string, unknown][] = [
  ['a payment', paid(payment)],
  [
    'every member of a payment',
    paid({ ...payment, payment_methods: ['x402'], x402: { enabled: true, network: 'base' } }),
  ],
  ['the smallest price', paid({ ...payment, amount: 0.000001 })],
  ['the largest price', paid({ ...payment, amount: 999_999.999999 })],
  [
    'a combination',
    paid({ type: 'combined', combine_mode: 'any', requirements: [payment, { type: 'trust', min_score: 5 }] }),
  ],
  ['as many requirements as tiers hold', paid(wide(2))],
  ['an extension', paid({ type: 'x-moon-phase', phase: 'full' })],
  ['the pattern of everything', withTier({ requirements: [payment], access: ['*'] })],
]

const nest = (levels: number): unknown =>
  levels === 0
    ? payment
    : { type: 'combined', combine_mode: 'all', requirements: [nest(levels - 1), { type: 'trust', min_score: 1 }] }

const refused: readonly [string, unknown, string][] = [
  ['more requirements than a visitor can be checked for', paid(wide(3)), 'tiers'],
  ['a default tier that does not exist', { default_tier: 'gone', tiers: { public: open } }, 'default_tier'],
  [
    'a default tier named like a property of Object.prototype',
    { default_tier: 'constructor', tiers: { public: open } },
    'default_tier',
  ],
  [
    'a default tier with requirements',
    { default_tier: 'public', tiers: { public: { ...open, requirements: [payment] } } },
    'tiers.public.requirements',
  ],
  ['no tiers', { default_tier: 'public', tiers: {} }, 'tiers'],
  ['an unknown member', { ...withTier(open), colour: 'red' }, ''],
  [
    'a pattern with a hyphen',
    withTier({ requirements: [payment], access: ['content.my-page'] }),
    'tiers.paid.access.0',
  ],
  ['a star in the middle', withTier({ requirements: [payment], access: ['content.*.page'] }), 'tiers.paid.access.0'],
  ['an empty access list', withTier({ requirements: [payment], access: [] }), 'tiers.paid.access'],
  ['a tier name in capitals', { default_tier: 'public', tiers: { public: open, Paid: open } }, 'tiers.Paid'],
  ['a price of nothing', paid({ ...payment, amount: 0 }), 'tiers.paid.requirements.0'],
  ['a negative price', paid({ ...payment, amount: -1 }), 'tiers.paid.requirements.0'],
  ['a price as text', paid({ ...payment, amount: '0.01' }), 'tiers.paid.requirements.0'],
  ['a price below a millionth', paid({ ...payment, amount: 0.0000001 }), 'tiers.paid.requirements.0'],
  ['a price far below a millionth', paid({ ...payment, amount: 1e-10 }), 'tiers.paid.requirements.0'],
  ['a price with more than six decimals', paid({ ...payment, amount: 1.0000000001 }), 'tiers.paid.requirements.0'],
  ['an unknown period', paid({ ...payment, per: 'decade' }), 'tiers.paid.requirements.0'],
  ['an unknown requirement', paid({ type: 'magic' }), 'tiers.paid.requirements.0'],
  [
    'two payments in one tier',
    withTier({ requirements: [payment, payment], access: ['content.*'] }),
    'tiers.paid.requirements',
  ],
  ['a combination nested too deeply', paid(nest(6)), 'tiers.paid.requirements'],
]

describe('the schema of a gate configuration', () => {
  it.each(accepted)('accepts %s', (_, config) => {
    expect(gateConfigSchema.safeParse(config).error).toBeUndefined()
  })

  it.each(refused)('rejects %s and reports its path', (_, config, path) => {
    const paths = gateConfigSchema.safeParse(config).error?.issues.map((issue) => issue.path.join('.'))
    expect(paths).toBeDefined()
    expect(paths?.some((each) => each.startsWith(path))).toBe(true)
  })
})

it('builds the path of a gate configuration, also for a DID with a port', () => {
  const did = 'did:web:127.0.0.1%3A3000:o:demo'
  expect(decodeURIComponent(gateConfigPath(did).slice('/eep/gates/'.length))).toBe(did)
  expect(gateConfigPath('did:web:profiles.example:u:ada')).toBe('/eep/gates/did:web:profiles.example:u:ada')
})
