import type { DeclaredPlanLimits } from '../../../model/plan.ts'

/** The webhooks of an account. */
export const webhookLimits = {
  maxWebhooks: { community: 50, pro: 50, team: 50, max: 100_000 },
} as const satisfies DeclaredPlanLimits
