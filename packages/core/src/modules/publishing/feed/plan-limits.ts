import type { DeclaredPlanLimits } from '../../../model/plan.ts'

/** The posts of an account. */
export const feedLimits = {
  maxPosts: { community: 10_000, pro: 50_000, team: 200_000 },
} as const satisfies DeclaredPlanLimits
