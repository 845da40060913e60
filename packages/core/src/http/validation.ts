import type { FastifySchemaCompiler } from 'fastify'
import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import { z } from 'zod'
import { type EepError, validationFailed } from '../kernel/errors.ts'

/** One thing that is wrong with a request. */
export interface ValidationIssue {
  /** JSON Pointer (RFC 6901) into the part of the request named by `in`. */
  readonly path: string
  readonly code: string
  readonly message: string
}

const pointer = (path: readonly PropertyKey[]) =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

const issuesOf = (error: z.core.$ZodError): ValidationIssue[] =>
  error.issues.map(({ path, code, message }) => ({ path: pointer(path), code, message }))

/** The 400 of a value that does not fit its schema. */
export const invalidInput = (error: z.core.$ZodError, part: string): EepError => {
  const issues = issuesOf(error)
  const [first] = issues
  const where = first?.path ? `${part}${first.path}` : part
  return validationFailed({
    message: first ? `${where}: ${first.message}` : validationFailed.message,
    details: { in: part, issues },
  })
}

const PARTS: Readonly<Record<string, string>> = {
  body: 'body',
  querystring: 'query',
  params: 'path',
  headers: 'headers',
}

/** Checks the parts of a request with the zod schemas of its route. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart = 'body' }) =>
  (data) => {
    const result = schema.safeParse(data)
    if (result.success) return { value: result.data }
    return { error: invalidInput(result.error, PARTS[httpPart] ?? httpPart) }
  }

/** Writes an answer through its schema: what the document does not name does not leave the service. */
export const serializerCompiler: FastifySerializerCompiler<z.ZodType> =
  ({ schema }) =>
  (data) =>
    JSON.stringify(z.encode(schema, data))
