import type { FastifySchemaCompiler } from 'fastify'
import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import { z } from 'zod'
import { type EepError, notFound, validationFailed } from '../kernel/errors.ts'

/** One problem of a request. */
export interface ValidationIssue {
  /** JSON Pointer (RFC 6901) into the part of the request named by `in`. */
  readonly path: string
  readonly code: string
  readonly message: string
}

/** The maximum number of issues in an error. */
const MAX_ISSUES = 20
/** Longer paths and messages are truncated, because member names can be as long as a body. */
const MAX_TEXT = 256

const shortened = (text: string) => (text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).toWellFormed()}…`)

/** A path as a JSON Pointer (RFC 6901), with segments truncated to 256 characters. */
export const pointer = (path: readonly PropertyKey[]): string =>
  shortened(path.map((part) => `/${shortened(String(part)).replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''))

/** Returns the issues of the only variant of a union that accepts the `type` of the value. */
function meantVariant(variants: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] | undefined {
  const meant = variants.filter((issues) => !issues.some(({ path }) => path.length === 1 && path[0] === 'type'))
  return meant.length === 1 ? meant[0] : undefined
}

const issuesOf = (issues: readonly z.core.$ZodIssue[], parent: readonly PropertyKey[] = []): ValidationIssue[] =>
  issues.slice(0, MAX_ISSUES).flatMap((issue) => {
    const path = [...parent, ...issue.path]
    const meant = issue.code === 'invalid_union' ? meantVariant(issue.errors) : undefined
    return meant
      ? issuesOf(meant, path)
      : [{ path: pointer(path), code: issue.code, message: shortened(issue.message) }]
  })

/** Creates the 400 for a value that does not match its schema. */
export const invalidInput = (error: z.core.$ZodError, part: string): EepError => {
  const issues = issuesOf(error.issues).slice(0, MAX_ISSUES)
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

/**
 * Validates the parts of a request with the zod schemas of its route. A numeric id in a path that is not written in decimal
 * digits cannot exist, so it is answered with 404 instead of a validation error.
 */
export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = ({ schema, httpPart = 'body' }) => {
  const ids = httpPart === 'params' ? numericParameters(schema) : []
  return (data) => {
    if (ids.some((name) => !DIGITS.test(data[name]))) return { error: notFound() }
    const result = schema.safeParse(data, { error: plainWords })
    if (result.success) return { value: result.data }
    if (result.error.issues.some(({ path: [name] }) => ids.includes(String(name)))) return { error: notFound() }
    return { error: invalidInput(result.error, PARTS[httpPart] ?? httpPart) }
  }
}

/** Serializes a response through its schema, so that properties which are not documented are never sent. */
export const serializerCompiler: FastifySerializerCompiler<z.ZodType> =
  ({ schema }) =>
  (data) =>
    JSON.stringify(z.encode(schema, data))
