import type { DeclaredPlanLimits } from '../../../model/plan.ts'

/** The event streams of an account. */
export const signalLimits = {
  concurrentStreams: { community: 5, pro: 20, team: 20, max: 1_000 },
} as const satisfies DeclaredPlanLimits
