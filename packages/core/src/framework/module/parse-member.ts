import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { parseStored } from '../../kernel/parse-stored.ts'
import { invalidArchive } from '../../ports/archive-format.ts'

/**
 * Checks the value of a member of an archive. Its names are cleaned, not refused.
 *
 * @throws `invalid_archive` that names the member and the place in it
 */
export function parseMember<Schema extends z.ZodType>(path: string, schema: Schema, value: unknown): z.output<Schema> {
  const result = parseStored(schema, value)
  if (result.success) return result.data
  throw invalidMember(path, result.error)
}

/** The error for a member that does not match its schema. */
export function invalidMember(path: string, { issues }: z.ZodError) {
  const [first] = issues
  const place = first?.path.join('.')
  return invalidArchive({ message: `${path}${place ? `, ${place}` : ''}: ${first?.message ?? 'Invalid'}` })
}

const ITEMS_AT_ONCE = 200

/**
 * Checks a member that is a list. Other work of the process runs between its items, because a list may have many thousands.
 *
 * @param max - the maximum number of items
 * @throws `invalid_archive` that names the member and the place in it
 */
export async function parseList<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  value: unknown,
  max: number,
): Promise<z.output<Schema>[]> {
  const items = parseMember(path, z.array(z.unknown()).max(max), value)
  const parsed: z.output<Schema>[] = []
  for (const [index, item] of items.entries()) {
    if (index % ITEMS_AT_ONCE === 0) await setImmediate()
    const result = parseStored(schema, item)
    if (!result.success) {
      throw invalidMember(
        path,
        new z.ZodError(result.error.issues.map((issue) => ({ ...issue, path: [index, ...issue.path] }))),
      )
    }
    parsed.push(result.data)
  }
  return parsed
}
