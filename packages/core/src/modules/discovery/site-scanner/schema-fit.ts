import { isRecord } from './site.ts'

/** Nesting of a schema of another site. Deeper parts are not checked. */
const MAX_DEPTH = 12
const MAX_ENTRIES = 200

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  object: isRecord,
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
}

const hasType = (value: unknown, type: unknown): boolean =>
  [type].flat().some((one) => typeof one !== 'string' || !Object.hasOwn(TYPES, one) || TYPES[one]?.(value))

/**
 * Returns the path of the first part of a value that its JSON Schema refuses; undefined when there is none. Only the keywords type, const,
 * enum, required, properties and additionalProperties are read: patterns and references of another site are never followed.
 */
export function misfitOf(value: unknown, schema: unknown, path = 'info', depth = 0): string | undefined {
  if (depth > MAX_DEPTH || !isRecord(schema)) return undefined
  if (schema.type !== undefined && !hasType(value, schema.type)) return path
  if ('const' in schema && typeof schema.const !== 'object' && value !== schema.const) return path
  if (Array.isArray(schema.enum) && !schema.enum.includes(value)) return path
  if (!isRecord(value)) return undefined
  const required = Array.isArray(schema.required) ? schema.required.slice(0, MAX_ENTRIES) : []
  const missing = required.find((name) => typeof name === 'string' && !Object.hasOwn(value, name))
  if (missing !== undefined) return `${path}.${missing}`
  const properties = isRecord(schema.properties) ? schema.properties : {}
  for (const [name, part] of Object.entries(value).slice(0, MAX_ENTRIES)) {
    if (!Object.hasOwn(properties, name)) {
      if (schema.additionalProperties === false) return `${path}.${name}`
      continue
    }
    const misfit = misfitOf(part, properties[name], `${path}.${name}`, depth + 1)
    if (misfit !== undefined) return misfit
  }
  return undefined
}
