import { z } from 'zod'
import type { ProfileType } from '../profile-type.ts'
import { checkJson } from '../profile-values.ts'

const optionOf = (type: ProfileType) => `profiles.typeData.${type}`

/** The members a host adds, all optional, because profiles were made without them. */
function membersOf(type: ProfileType, base: z.ZodObject, extension: z.core.$ZodObject): z.ZodRawShape {
  const members = Object.entries(extension._zod.def.shape)
  const taken = members.map(([name]) => name).filter((name) => Object.hasOwn(base.shape, name))
  if (taken.length > 0) throw new TypeError(`${optionOf(type)}: ${taken.join(', ')} is there already`)
  return Object.fromEntries(members.map(([name, schema]) => [name, z.optional(schema)]))
}

/**
 * A schema of `type_data` with what a host adds to it: the rules that are there stay, and what it does not name is
 * refused as before. Whatever the host allows, it is JSON that can be stored.
 *
 * @throws TypeError when a member is there already, or could not be published as JSON Schema
 */
export function extended(type: ProfileType, base: z.ZodObject, extension: z.core.$ZodObject): z.ZodType<object> {
  const whole = base.safeExtend(membersOf(type, base, extension)).superRefine(checkJson)
  try {
    z.toJSONSchema(whole, { io: 'input' })
  } catch (error) {
    throw new TypeError(`${optionOf(type)} cannot be written as JSON Schema: ${String(error)}`)
  }
  return whole
}
