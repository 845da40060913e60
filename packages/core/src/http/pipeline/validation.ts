import type { FastifySchemaCompiler } from 'fastify'
import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import { z } from 'zod'
import { type EepError, notFound } from '../../kernel/errors.ts'
import { invalidInput } from '../../kernel/invalid-input.ts'

const PARTS: Readonly<Record<string, string>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'headers',
}

/** Replaces messages of zod that are about JavaScript types. */
const plainWords: z.core.$ZodErrorMap = ({ code, expected, input }) => {
  if (code !== 'invalid_type') return undefined
  if (input === undefined) return `Missing; expected ${expected}`
  return Number.isNaN(input) ? 'Missing or not a number' : undefined
}

const DIGITS = /^\d+$/

const isNumber = (schema: z.core.$ZodType | undefined): boolean =>
  schema instanceof z.ZodNumber || (schema instanceof z.ZodPipe && isNumber(schema.in))

/** The path parameters that are numeric ids. */
const numericParameters = (schema: z.ZodType): readonly string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape).filter((name) => isNumber(schema.shape[name])) : []

/** What a validator returns: the parsed data, or why it is refused. */
export interface Validated {
  readonly value?: unknown
  readonly error?: EepError
}

/**
 * Validates a part of a request with the zod schema of its route. A numeric id in a path that is not written in decimal
 * digits cannot exist, so it gets 404 instead of a validation error.
 */
export function validatorOf(schema: z.ZodType, httpPart: string): (data: Record<string, string>) => Validated {
  const ids = httpPart === 'params' ? numericParameters(schema) : []
  return (data) => {
    if (ids.some((name) => !DIGITS.test(data[name] ?? ''))) return { error: notFound() }
    const result = schema.safeParse(data, { error: plainWords })
    if (result.success) return { value: result.data }
    if (result.error.issues.some(({ path: [name] }) => ids.includes(String(name)))) return { error: notFound() }
    return { error: invalidInput(result.error, PARTS[httpPart] ?? httpPart) }
  }
}

/** {@link validatorOf} for Fastify. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart = 'body' }) =>
  validatorOf(schema, httpPart)

/** Serializes a response through its schema, so that properties which are not documented are never sent. */
export const serializerCompiler: FastifySerializerCompiler<z.ZodType> =
  ({ schema }) =>
  (data) =>
    JSON.stringify(z.encode(schema, data))
