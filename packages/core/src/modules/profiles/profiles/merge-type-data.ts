import { z } from 'zod'
import { invalidInput } from '../../../kernel/invalid-input.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { parseStored } from '../../../kernel/parse-stored.ts'

/** Members of `type_data` to change; null removes one. */
export type TypeDataChanges = Readonly<Record<string, unknown>>

/**
 * Merges changes into the `type_data` of a profile. A given member replaces the whole stored one, null removes it, and
 * the others are kept. The result is checked as a whole, because members may depend on each other.
 * Names in the stored ones are cleaned, not refused.
 *
 * @throws `validation_failed`
 */
export function mergeTypeData(schema: z.ZodType<object>, stored: JsonObject, changes: TypeDataChanges): JsonObject {
  const named = Object.entries(changes)
  const kept = Object.entries(stored).filter(([name]) => !Object.hasOwn(changes, name))
  const merged = Object.fromEntries([...kept, ...named.filter(([, value]) => value !== null)])
  const isGiven = ([, name]: readonly PropertyKey[]) => name !== undefined && Object.hasOwn(changes, name)
  const result = parseStored(z.object({ type_data: schema }), { type_data: merged }, isGiven)
  if (!result.success) throw invalidInput(result.error, 'body')
  return result.data.type_data as JsonObject
}
