import { expect, it } from 'vitest'
import { createPlanLimits, PLANS } from './plan.ts'

const planLimits = createPlanLimits()

it('gives a higher tier more requests for a smaller commission', () => {
  expect(PLANS.map((tier) => [tier, planLimits(tier).apiRequestsPerMinute, planLimits(tier).commissionBps])).toEqual([
    ['community', 60, 1_000],
    ['pro', 300, 500],
    ['team', 1_000, 200],
  ])
})

it('gives a higher tier more of everything', () => {
  const [community, pro, team] = PLANS.map((tier) => ({
    ...planLimits(tier).limits,
    maxFileMb: planLimits(tier).maxFileMb,
  }))
  for (const name of Object.keys(community ?? {}) as (keyof NonNullable<typeof community>)[]) {
    expect(pro?.[name], name).toBeGreaterThan(community?.[name] ?? 0)
    expect(team?.[name], name).toBeGreaterThan(pro?.[name] ?? 0)
  }
})

it('applies the changes of a host and keeps the other defaults', () => {
  const changed = createPlanLimits({
    pro: { commissionBps: 300, limits: { maxFiles: 5_000, maxStorageMb: undefined } },
  })
  expect(changed('pro')).toEqual({
    ...planLimits('pro'),
    commissionBps: 300,
    limits: { ...planLimits('pro').limits, maxFiles: 5_000 },
  })
  expect(changed('team')).toEqual(planLimits('team'))
})
