import type { z } from 'zod'
import { cleanedName, NAMEABLE } from './text-fields.ts'

type Path = readonly PropertyKey[]

/** The paths of names that were refused for characters which {@link cleanedName} removes. */
function pathsOf(issues: readonly z.core.$ZodIssue[], at: Path = []): readonly Path[] {
  return issues.flatMap((issue) => {
    const path = [...at, ...issue.path]
    if (issue.code === 'invalid_union') return issue.errors.flatMap((each) => pathsOf(each, path))
    return issue.code === 'custom' && issue.params === NAMEABLE.params ? [path] : []
  })
}

function withCleanedName(value: unknown, [member, ...below]: Path): unknown {
  if (member === undefined) return typeof value === 'string' ? cleanedName(value) : value
  if (Array.isArray(value)) return value.map((item, at) => (at === member ? withCleanedName(item, below) : item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, name === member ? withCleanedName(item, below) : item]),
  )
}

/**
 * Checks a value that was stored or exported before, by the schema of requests. Its names are cleaned where a request would be
 * refused, unless `isGiven` returns true for their path.
 */
export function parseStored<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  isGiven: (path: Path) => boolean = () => false,
): z.ZodSafeParseResult<z.output<Schema>> {
  const result = schema.safeParse(value)
  if (result.success) return result
  const paths = pathsOf(result.error.issues).filter((path) => !isGiven(path))
  return paths.length === 0 ? result : schema.safeParse(paths.reduce<unknown>(withCleanedName, value))
}
