import { z } from 'zod'
import { line } from '../kernel/text-fields.ts'
import { isQuota, type PlanLimit, type PlansChanges } from './plan.ts'

const MOST = 1_000_000_000

/** The changes that a host can make to the limits that modules declare. */
export function planChangesSchema(declared: ReadonlyMap<string, PlanLimit>): z.ZodType<PlansChanges> {
  const fieldsOf = (limits: readonly (readonly [string, PlanLimit])[]) =>
    Object.fromEntries(
      limits.map(([name, { min = 0, max = MOST }]) => [name, z.int().min(min).max(max).optional()] as const),
    )
  const all = [...declared]
  const quota = z.strictObject(fieldsOf(all.filter(([name]) => isQuota(name))))
  const tier = z.strictObject({
    ...fieldsOf(all.filter(([name]) => !isQuota(name))),
    name: line(64).optional(),
    limits: quota.optional(),
  })
  // The types of the limits come from the modules that declare them.
  return z.strictObject({ community: tier.optional(), pro: tier.optional(), team: tier.optional() }) as never
}
