import { PLANS, type PlanTable } from '../../../model/plan.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import { workspaceStorageFull } from './errors.ts'

const MEGABYTE = 1_048_576

/** The limits of workspaces: those of the highest plan of their owners. */
export const createStorageLimits = (planLimits: PlanTable) => {
  async function limitsOf(tx: Stores<'workspaces'>, workspaceId: string) {
    const plans = await tx.workspaces.listOwnerPlans(workspaceId)
    const highest = PLANS.findLast((plan) => plans.includes(plan)) ?? 'community'
    return planLimits(highest)
  }

  return {
    limitsOf,

    /**
     * Measures a locked workspace before a write that may add to it. Call the returned function after the write.
     *
     * @throws `workspace_storage_full` from the returned function when the write added to more than the plan allows
     */
    async measure(tx: Stores<'workspaces'>, workspaceId: string): Promise<() => Promise<void>> {
      const { maxWorkspaceMb } = await limitsOf(tx, workspaceId)
      const before = await tx.workspaceDocuments.countBytes(workspaceId)
      return async () => {
        const after = await tx.workspaceDocuments.countBytes(workspaceId)
        // A full workspace, or one over its limit after a change of plan, accepts writes that do not need more bytes: moves,
        // and saves that replace a version of the same size or larger.
        if (after > maxWorkspaceMb * MEGABYTE && after > before) {
          throw workspaceStorageFull({ details: { max_workspace_mb: maxWorkspaceMb } })
        }
      }
    },
  }
}

export type StorageLimits = ReturnType<typeof createStorageLimits>
