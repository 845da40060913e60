import type { DeclaredPlanLimits } from '../../../model/plan.ts'

/** The transcripts of an account. */
export const mediaLimits = {
  transcriptionMinutesPerMonth: { community: 30, pro: 300, team: 1_500 },
  maxMediaDurationMinutesPerFile: { community: 15, pro: 60, team: 180 },
} as const satisfies DeclaredPlanLimits
