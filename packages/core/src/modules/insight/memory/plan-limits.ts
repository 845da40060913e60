import type { DeclaredPlanLimits } from '../../../model/plan.ts'

/** The memory of an account. */
export const memoryLimits = {
  maxMemorySessions: { community: 20, pro: 500, team: 5_000 },
  maxMemoryMb: { community: 10, pro: 250, team: 2_500 },
} as const satisfies DeclaredPlanLimits
