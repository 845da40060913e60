import { z } from 'zod'

type JsonSchema = Record<string, unknown>

// Cached, because routes share schemas and each listener has its own document.
const jsonSchemas = { input: new WeakMap<z.ZodType, JsonSchema>(), output: new WeakMap<z.ZodType, JsonSchema>() }

const isJsonSchema = (schema: unknown): schema is JsonSchema =>
  typeof schema === 'object' && schema !== null && ('type' in schema || 'properties' in schema || '$schema' in schema)

/** Returns the JSON Schema of a zod schema, and a JSON Schema as it is; an empty schema for anything else. */
export function jsonSchema(schema: unknown, io: 'input' | 'output' = 'output'): JsonSchema {
  if (!(schema instanceof z.ZodType)) return isJsonSchema(schema) ? schema : {}
  const known = jsonSchemas[io].get(schema)
  if (known) return known
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  jsonSchemas[io].set(schema, rest)
  return rest
}
