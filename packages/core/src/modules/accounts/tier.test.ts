import { expect, it } from 'vitest'
import { createTierTable, TIERS } from './tier.ts'

const tierFacts = createTierTable()

it('gives a higher tier more requests for a smaller commission', () => {
  expect(TIERS.map((tier) => [tier, tierFacts(tier).apiRequestsPerMinute, tierFacts(tier).commissionBps])).toEqual([
    ['community', 60, 1_000],
    ['pro', 300, 500],
    ['team', 1_000, 200],
  ])
})

it('gives a higher tier more of everything', () => {
  const [community, pro, team] = TIERS.map((tier) => ({
    ...tierFacts(tier).limits,
    maxFileMb: tierFacts(tier).maxFileMb,
  }))
  for (const name of Object.keys(community ?? {}) as (keyof NonNullable<typeof community>)[]) {
    expect(pro?.[name], name).toBeGreaterThan(community?.[name] ?? 0)
    expect(team?.[name], name).toBeGreaterThan(pro?.[name] ?? 0)
  }
})

it('takes what a host decides otherwise and leaves the rest', () => {
  const changed = createTierTable({ pro: { commissionBps: 300, limits: { maxFiles: 5_000, maxStorageMb: undefined } } })
  expect(changed('pro')).toEqual({
    ...tierFacts('pro'),
    commissionBps: 300,
    limits: { ...tierFacts('pro').limits, maxFiles: 5_000 },
  })
  expect(changed('team')).toEqual(tierFacts('team'))
})
