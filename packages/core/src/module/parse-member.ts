import type { z } from 'zod'
import { invalidArchive } from '../ports/archive-format.ts'

/**
 * Checks the value of a member of an archive.
 *
 * @throws `invalid_archive` that names the member and the place in it
 */
export function parseMember<Schema extends z.ZodType>(path: string, schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw invalidMember(path, result.error)
}

/** The error for a member that does not match its schema. */
export function invalidMember(path: string, { issues }: z.ZodError) {
  const [first] = issues
  const place = first?.path.join('.')
  return invalidArchive({ message: `${path}${place ? `, ${place}` : ''}: ${first?.message ?? 'Invalid'}` })
}
