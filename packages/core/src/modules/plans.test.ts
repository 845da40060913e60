import { expect, it } from 'vitest'
import { BASE_PLAN_LIMITS, createPlanLimits, joinPlanLimits, PLANS } from '../model/plan.ts'
import { everyModule } from '../testing/every-module.ts'

const declared = joinPlanLimits(everyModule)
const planLimits = createPlanLimits(declared)

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
  const changed = createPlanLimits(declared, {
    pro: { commissionBps: 300, limits: { maxFiles: 5_000, maxStorageMb: undefined } },
  })
  expect(changed('pro')).toEqual({
    ...planLimits('pro'),
    commissionBps: 300,
    limits: { ...planLimits('pro').limits, maxFiles: 5_000 },
  })
  expect(changed('team')).toEqual(planLimits('team'))
})

it('keeps every member without the features, with 0 for theirs', () => {
  const base = createPlanLimits(joinPlanLimits([]), { community: { maxPosts: 5 } })('community')
  expect(Object.keys(base)).toEqual(Object.keys(planLimits('community')))
  expect(Object.keys(base.limits)).toEqual(Object.keys(planLimits('community').limits))
  expect([base.maxPosts, base.maxWorkspaces, base.limits.maxFiles]).toEqual([0, 0, 0])
  expect([base.apiRequestsPerMinute, base.maxFollows, base.limits.maxStorageMb]).toEqual([60, 5_000, 250])
})

it('keeps in the base only limits of modules that exist', () => {
  const names: readonly string[] = everyModule.map(({ name }) => name)
  expect(Object.keys(BASE_PLAN_LIMITS).filter((name) => !names.includes(name))).toEqual([])
})
