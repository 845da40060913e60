import type { DeclaredPlanLimits } from '../../../model/plan.ts'

/** The uploads of an account. */
export const fileLimits = {
  maxFileMb: { community: 5, pro: 25, team: 100, min: 1 },
  maxFiles: { community: 50, pro: 1_000, team: 10_000 },
  maxBatchFiles: { community: 5, pro: 20, team: 50, min: 1, max: 1_000 },
  maxBatchSizeMb: { community: 20, pro: 200, team: 1_000, min: 1 },
  maxAudioUploadMb: { community: 25, pro: 100, team: 250, min: 1 },
  maxVideoUploadMb: { community: 50, pro: 500, team: 1_024, min: 1 },
} as const satisfies DeclaredPlanLimits
