import type { DeclaredPlanLimits } from '../../../model/plan.ts'

/** The archives of an account. */
export const archiveLimits = {
  maxArchiveMembers: { community: 10_000, pro: 50_000, team: 100_000 },
} as const satisfies DeclaredPlanLimits
