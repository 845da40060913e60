import { isRecord } from '../../../../model/field-values.ts'

/** How a member of `type_data` is entered. */
export type FieldKind =
  | { readonly kind: 'line' | 'url' | 'moment' | 'area' | 'lineOrNumber'; readonly maxLength?: number | undefined }
  | { readonly kind: 'number' | 'truth' | 'list' | 'money' | 'parts' | 'json' }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
  | { readonly kind: 'numbers'; readonly names: readonly string[] }

/** A member of `type_data`, and how it is entered. */
export type TypeField = FieldKind & { readonly name: string }

/** Texts that may be longer than this are entered on several lines. */
const LONG = 500

/** Whether a pattern is that of a time: JSON Schema has no format for one that may lack its offset. */
function isOfMoments(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false
  const expression = new RegExp(pattern, 'u')
  return expression.test('2026-12-01T19:00') && !expression.test('19:00')
}

const ofString = ({ format, maxLength, pattern, enum: values }: Readonly<Record<string, unknown>>): FieldKind => {
  if (Array.isArray(values)) return { kind: 'choice', values: values.map(String) }
  const limit = typeof maxLength === 'number' ? maxLength : undefined
  if (format === 'date-time' || isOfMoments(pattern)) return { kind: 'moment' }
  if (format === 'uri') return { kind: 'url', maxLength: limit }
  // A text with a pattern, such as an address, has one line, however long it may be.
  const isLong = pattern === undefined && limit !== undefined && limit > LONG
  return { kind: isLong ? 'area' : 'line', maxLength: limit }
}

function ofObject({ properties, additionalProperties }: Readonly<Record<string, unknown>>): FieldKind {
  const members = isRecord(properties) ? Object.entries(properties) : []
  const names = members.map(([name]) => name)
  if (names.length === 2 && names.includes('amount') && names.includes('currency')) return { kind: 'money' }
  if (members.length > 0 && members.every(([, each]) => isRecord(each) && each.type === 'number')) {
    return { kind: 'numbers', names }
  }
  const isOfTexts = isRecord(additionalProperties) && additionalProperties.type === 'string'
  return { kind: members.length === 0 && isOfTexts ? 'parts' : 'json' }
}

/** Returns the kind of input for a value of a JSON Schema. Default: JSON as text. */
function kindOf(schema: unknown): FieldKind {
  if (!isRecord(schema)) return { kind: 'json' }
  if (Array.isArray(schema.anyOf)) {
    const types = schema.anyOf.map((each) => (isRecord(each) ? each.type : undefined))
    const isSimple = types.every((type) => type === 'string' || type === 'integer' || type === 'number')
    return isSimple ? { kind: 'lineOrNumber' } : { kind: 'json' }
  }
  switch (schema.type) {
    case 'string':
      return ofString(schema)
    case 'number':
    case 'integer':
      return { kind: 'number' }
    case 'boolean':
      return { kind: 'truth' }
    case 'array':
      return { kind: isRecord(schema.items) && schema.items.type === 'string' ? 'list' : 'json' }
    case 'object':
      return ofObject(schema)
    default:
      return { kind: 'json' }
  }
}

/** Returns the members of the JSON Schema of a type, in its order. */
export const fieldsOf = ({ properties }: { readonly properties?: unknown }): readonly TypeField[] =>
  Object.entries(isRecord(properties) ? properties : {}).map(([name, schema]) => ({ name, ...kindOf(schema) }))
