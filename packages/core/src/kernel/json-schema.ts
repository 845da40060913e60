import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'

type JsonSchema = Record<string, unknown>

// Cached, because routes share schemas and each listener has its own document.
const jsonSchemas = { input: new WeakMap<z.ZodType, JsonSchema>(), output: new WeakMap<z.ZodType, JsonSchema>() }

const isJsonSchema = (schema: unknown): schema is JsonSchema =>
  typeof schema === 'object' && schema !== null && ('type' in schema || 'properties' in schema || '$schema' in schema)

/** Describes a value of a query that is ignored when it is not valid: the limits become examples. */
function acceptAll(schema: z.core.JSONSchema.BaseSchema): void {
  const { enum: values, description } = schema
  for (const key of Object.keys(schema)) delete schema[key]
  Object.assign(schema, { type: 'string' }, values && { examples: values }, description && { description })
}

/** Removes what zod adds and the rest of the schema contains already, which is a fifth of the OpenAPI document. */
function shorten(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format === 'date-time' || schema.format === 'uuid') delete schema.pattern
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  if (isDeepStrictEqual(schema.propertyNames, { type: 'string' })) delete schema.propertyNames
}

/** Returns the JSON Schema of a zod schema, and a JSON Schema as it is; an empty schema for anything else. */
export function jsonSchema(schema: unknown, io: 'input' | 'output' = 'output'): JsonSchema {
  if (!(schema instanceof z.ZodType)) return isJsonSchema(schema) ? schema : {}
  const known = jsonSchemas[io].get(schema)
  if (known) return known
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema: made }) => {
      if (io === 'input' && zodSchema._zod.def.type === 'catch') acceptAll(made)
      shorten(made)
    },
  })
  jsonSchemas[io].set(schema, rest)
  return rest
}
