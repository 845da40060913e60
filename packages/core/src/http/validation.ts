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

/** Of the variants of a union, the only one that takes the `type` of the value: what is wrong is wrong with that one. */
function meantVariant(variants: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] | undefined {
  const meant = variants.filter((issues) => !issues.some(({ path }) => path.length === 1 && path[0] === 'type'))
  return meant.length === 1 ? meant[0] : undefined
}

const issuesOf = (issues: readonly z.core.$ZodIssue[], parent: readonly PropertyKey[] = []): ValidationIssue[] =>
  issues.flatMap((issue) => {
    const path = [...parent, ...issue.path]
    const meant = issue.code === 'invalid_union' ? meantVariant(issue.errors) : undefined
    return meant ? issuesOf(meant, path) : [{ path: pointer(path), code: issue.code, message: issue.message }]
  })

/** The 400 of a value that does not fit its schema. */
export const invalidInput = (error: z.core.$ZodError, part: string): EepError => {
  const issues = issuesOf(error.issues)
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

/** Says in the words of who sends a request what zod says in the words of JavaScript. */
const plainWords: z.core.$ZodErrorMap = ({ code, expected, input }) => {
  if (code !== 'invalid_type') return undefined
  if (input === undefined) return `Missing; expected ${expected}`
  return Number.isNaN(input) ? 'Missing or not a number' : undefined
}

/** Checks the parts of a request with the zod schemas of its route. */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> =
  ({ schema, httpPart = 'body' }) =>
  (data) => {
    const result = schema.safeParse(data, { error: plainWords })
    if (result.success) return { value: result.data }
    return { error: invalidInput(result.error, PARTS[httpPart] ?? httpPart) }
  }

/** Writes an answer through its schema: what the document does not name does not leave the service. */
export const serializerCompiler: FastifySerializerCompiler<z.ZodType> =
  ({ schema }) =>
  (data) =>
    JSON.stringify(z.encode(schema, data))
