import {
  createPlanLimits,
  joinPlanLimits,
  type LimitingModule,
  type PlansChanges,
  type PlanTable,
} from '../../model/plan.ts'
import { planChangesSchema } from '../../model/plan-changes.ts'

/**
 * Returns the limits of plans: those that modules declare, with the changes of the host. Those of modules that are off are 0,
 * and may be changed nevertheless.
 *
 * @throws TypeError that lists each change that is wrong
 */
export function readPlanLimits(
  changes: PlansChanges,
  { known, on }: { readonly known: readonly LimitingModule[]; readonly on: readonly LimitingModule[] },
): PlanTable {
  const result = planChangesSchema(joinPlanLimits(known)).safeParse(changes)
  if (result.success) return createPlanLimits(joinPlanLimits(on), result.data)
  const lines = result.error.issues.flatMap((issue) => {
    const path = ['limits.plans', ...issue.path].join('.')
    return issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `${path}.${key}: No module has this limit`)
      : `${path}: ${issue.message}`
  })
  throw new TypeError(`The options of the service are not valid:\n${lines.map((line) => `  ${line}`).join('\n')}`)
}
