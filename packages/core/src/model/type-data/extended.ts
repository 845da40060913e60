import { z } from 'zod'
import type { ProfileType } from '../profile-type.ts'
import { checkJson } from '../profile-values.ts'

const optionOf = (type: ProfileType) => `profiles.typeData.${type}`

/** The members that a host adds, made optional because existing profiles lack them. */
function membersOf(type: ProfileType, base: z.ZodObject, extension: z.core.$ZodObject): z.ZodRawShape {
  const members = Object.entries(extension._zod.def.shape)
  const taken = members.map(([name]) => name).filter((name) => Object.hasOwn(base.shape, name))
  if (taken.length > 0) throw new TypeError(`${optionOf(type)}: ${taken.join(', ')} already exists`)
  return Object.fromEntries(members.map(([name, schema]) => [name, z.optional(schema)]))
}

/**
 * Extends a schema of `type_data` by members of the host. Existing rules still apply, unknown members are still rejected,
 * and all values must be JSON that can be stored.
 *
 * @throws TypeError when a member already exists, or cannot be expressed as JSON Schema
 */
export function extended(type: ProfileType, base: z.ZodObject, extension: z.core.$ZodObject): z.ZodType<object> {
  const whole = base.safeExtend(membersOf(type, base, extension)).superRefine(checkJson)
  try {
    z.toJSONSchema(whole, { io: 'input' })
  } catch (error) {
    throw new TypeError(`${optionOf(type)} cannot be expressed as JSON Schema: ${String(error)}`)
  }
  return whole
}
