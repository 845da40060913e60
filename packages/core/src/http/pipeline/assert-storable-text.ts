import { validationFailed } from '../../kernel/errors.ts'
import { pointer } from '../../kernel/invalid-input.ts'
import { isStorable, STORABLE } from '../../kernel/text-fields.ts'

const invalidText = (part: string, path: readonly PropertyKey[]) => {
  const at = pointer(path)
  return validationFailed({
    message: `${part}${at}: ${STORABLE}`,
    details: { in: part, issues: [{ path: at, code: 'custom', message: STORABLE }] },
  })
}

/**
 * Rejects strings and member names that PostgreSQL cannot store: those with NUL or unpaired surrogates.
 *
 * @throws `validation_failed` with the JSON Pointer of the first one
 */
export function assertStorableText(value: unknown, part: string, path: readonly PropertyKey[] = []): void {
  if (typeof value === 'string') {
    if (!isStorable(value)) throw invalidText(part, path)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (!isStorable(name)) throw invalidText(part, path)
      if (typeof member === 'string' && isStorable(member)) continue
      assertStorableText(member, part, [...path, name])
    }
  }
}
