import type { z } from 'zod'
import { type Shape, unknownOption } from './unknown-option.ts'

/**
 * Checks options and fills in their defaults.
 *
 * @param shape - the options by name, for suggestions when one is unknown
 * @param above - where the options are, for the messages: `['search']`
 * @throws TypeError that lists the path of each invalid option
 */
export function readShape<Schema extends z.ZodType>(
  schema: Schema,
  options: unknown,
  shape: Shape,
  above: readonly string[] = [],
): z.output<Schema> {
  const result = schema.safeParse(options)
  if (result.success) return result.data
  const lines = result.error.issues.flatMap(({ path, message, ...issue }) => {
    const full = [...above, ...path.map(String)]
    return issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => unknownOption([...full, key], shape, above))
      : `${full.join('.') || 'options'}: ${message}`
  })
  throw new TypeError(`The options of the service are not valid:\n${lines.map((line) => `  ${line}`).join('\n')}`)
}
