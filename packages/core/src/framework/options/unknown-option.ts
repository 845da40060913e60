import { distance } from 'fastest-levenshtein'
import type { z } from 'zod'

export type Shape = Readonly<Record<string, z.core.SomeType>>

/**
 * A schema, with its definition, for the script that writes the reference.
 *
 * @internal
 */
export type Schema = z.core.$ZodTypes

/**
 * A schema of numbers, with its limits, for the script that writes the reference.
 *
 * @internal
 */
export type NumberSchema = z.ZodNumber

/** The keys of a group of options; empty when the schema is not a group. */
function shapeOf(schema: z.core.SomeType): Shape {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'object') return def.shape
  return 'innerType' in def ? shapeOf(def.innerType) : {}
}

const pathsOf = (shape: Shape, prefix = ''): readonly string[] =>
  Object.entries(shape).flatMap(([key, schema]) => [prefix + key, ...pathsOf(shapeOf(schema), `${prefix}${key}.`)])

const lastName = (path: string) => path.slice(path.lastIndexOf('.') + 1)

/**
 * Returns a message that suggests the intended option: the one of that name in another group, or the one with the most
 * similar name.
 *
 * @param path - the path of the unknown option
 * @param shape - the options that there are
 * @param above - the path of these options
 */
export function unknownOption(path: readonly string[], shape: Shape, above: readonly string[]): string {
  const key = path.at(-1) ?? ''
  const written = path.join('.')
  const known = pathsOf(shape, above.map((key) => `${key}.`).join(''))

  const farthest = Math.max(2, Math.floor(key.length / 3))
  const [nearest] = known
    .map((one) => ({ one, away: distance(key.toLowerCase(), lastName(one).toLowerCase()) }))
    .filter(({ away }) => away <= farthest)
    .sort((left, right) => left.away - right.away)
  return `${written}: Unknown option${nearest ? `; did you mean "${nearest.one}"?` : ''}`
}
