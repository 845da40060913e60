import type { z } from 'zod'
import { type EepError, validationFailed } from './errors.ts'

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
