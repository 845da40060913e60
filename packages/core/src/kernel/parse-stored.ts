import type { z } from 'zod'
import { cleanedName, NAMEABLE } from './text-fields.ts'

type Path = readonly PropertyKey[]

/** The paths of names that were refused for characters which {@link cleanedName} removes. */
function pathsOf(issues: readonly z.core.$ZodIssue[], at: Path = []): readonly Path[] {
  return issues.flatMap((issue) => {
    const path = [...at, ...issue.path]
    if (issue.code === 'invalid_union') return issue.errors.flatMap((error) => pathsOf(error, path))
    return issue.code === 'custom' && issue.params === NAMEABLE.params ? [path] : []
  })
}

/** Cleans the names at the paths of a value in one walk. */
function withCleanedNames(value: unknown, paths: readonly Path[]): unknown {
  if (typeof value === 'string') return cleanedName(value)
  if (typeof value !== 'object' || value === null) return value
  const below = Map.groupBy(paths, ([member]) => member)
  const cleaned = (item: unknown, member: PropertyKey) => {
    const inside = below.get(member)
    return inside
      ? withCleanedNames(
          item,
          inside.map(([, ...rest]) => rest),
        )
      : item
  }
  if (Array.isArray(value)) return value.map(cleaned)
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, cleaned(item, name)]))
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
  return paths.length === 0 ? result : schema.safeParse(withCleanedNames(value, paths))
}
