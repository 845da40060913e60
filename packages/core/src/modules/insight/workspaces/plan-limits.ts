import type { DeclaredPlanLimits } from '../../../model/plan.ts'

/** The workspaces of an account. */
export const workspaceLimits = {
  maxWorkspaces: { community: 3, pro: 20, team: 100, max: 10_000 },
  maxWorkspaceDocuments: { community: 200, pro: 2_000, team: 10_000, max: 100_000 },
  maxWorkspaceMb: { community: 50, pro: 1_000, team: 10_000 },
} as const satisfies DeclaredPlanLimits
