import type { McpObject } from '../../../../ports/mcp-toolkit.ts'

/** The name of a property of JSON Schema whose value is a map of schemas. */
const MAPS = ['properties', '$defs', 'patternProperties'] as const
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const
/** What the type of a value implies less than: they make lists of tools long, and models do not need them. */
const LEFT_OUT = new Set([
  '$schema',
  'id',
  'description',
  'examples',
  'default',
  'format',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'propertyNames',
  'title',
  'additionalProperties',
])
/** Objects below this depth are described as any object. */
const MAX_DEPTH = 4

export const isObject = (value: unknown): value is McpObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const entriesOf = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : [])

/**
 * Shortens the schema of a result: it keeps the names and types of members, and describes what is nested deeply as any object. What
 * fits the schema fits the short one.
 */
export function shortSchema(schema: McpObject, definitions = schema.$defs, depth = 0): McpObject {
  const { $ref: reference } = schema
  if (typeof reference === 'string') {
    const name = reference.split('/').at(-1) ?? ''
    const target = isObject(definitions) ? definitions[name] : undefined
    return isObject(target) && depth < MAX_DEPTH ? shortSchema(target, definitions, depth) : {}
  }
  if (depth >= MAX_DEPTH) return typeof schema.type === 'string' ? { type: schema.type } : {}
  const short: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(schema)) {
    if (LEFT_OUT.has(name) || name === '$defs' || name === 'not') continue
    if ((MAPS as readonly string[]).includes(name)) {
      short[name] = Object.fromEntries(
        entriesOf(value).map(([key, each]) => [key, isObject(each) ? shortSchema(each, definitions, depth + 1) : each]),
      )
    } else if ((LISTS as readonly string[]).includes(name) && Array.isArray(value)) {
      // Short schemas may overlap.
      short[name === 'oneOf' ? 'anyOf' : name] = value.map((each: unknown) =>
        isObject(each) ? shortSchema(each, definitions, depth + 1) : each,
      )
    } else if (name === 'items' && isObject(value)) short[name] = shortSchema(value, definitions, depth + 1)
    else short[name] = value
  }
  return short
}

/** A short schema that takes whatever one of several takes: their values, or their type. */
export function commonSchema(schemas: readonly unknown[]): unknown {
  const [first] = schemas
  const distinct = new Map(schemas.map((schema) => [JSON.stringify(schema), schema]))
  if (distinct.size <= 1) return first
  const all = [...distinct.values()].filter(isObject)
  const types = new Set(all.map(({ type }) => type))
  const [type] = types
  const values = all.map((schema) => schema.const)
  if (!values.includes(undefined)) return { ...(types.size === 1 && { type }), enum: values }
  return types.size === 1 && typeof type === 'string' ? { type } : { anyOf: all }
}
