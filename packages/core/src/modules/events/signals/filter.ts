import type { ErrorContext } from '../../../kernel/errors.ts'
import { validationFailed } from '../../../kernel/errors.ts'
import type { DescribedType } from '../../../runtime/events/signal-types.ts'
import type { SignalEvent } from './envelope.ts'

/** Represents the service itself in a set of profile ids. */
export const SERVICE_SOURCE = 0

/** The events that a client requests. */
export interface SignalFilter {
  /** The types, without the prefix of the service; undefined for all. */
  readonly types?: ReadonlySet<string> | undefined
  /** The ids of profiles; undefined for all. */
  readonly profileIds?: ReadonlySet<number> | undefined
}

export const MAX_PATTERNS = 50
const MAX_TEXT = 8_192

/** A problem with one member of a request. */
export interface FilterIssue {
  readonly path: string
  readonly code: string
  readonly message: string
}

/** @throws `validation_failed` with the issues, unless there are none */
export function requireNoIssues(issues: readonly FilterIssue[], context: ErrorContext = {}): void {
  if (issues.length > 0) throw validationFailed({ ...context, details: { issues } })
}

/** Splits a comma list; undefined when it is absent. */
export const splitList = (text: string | undefined): readonly string[] | undefined =>
  text === undefined ? undefined : text.split(',').map((each) => each.trim())

/** Whether an event matches the filter of a client. */
export const matches = ({ type, profileId }: Pick<SignalEvent, 'type' | 'profileId'>, filter: SignalFilter): boolean =>
  (filter.types === undefined || filter.types.has(type)) &&
  (filter.profileIds === undefined || filter.profileIds.has(profileId ?? SERVICE_SOURCE))

const PATTERN = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*(\.\*)?$/

type TypeNames = Pick<DescribedType, 'type' | 'fullType'>

/** Whether a pattern matches a type: the type itself, `content.*` or `*`, with or without the prefix of the service. */
export function matchesPattern(pattern: string, { type, fullType }: TypeNames): boolean {
  if (pattern === '*') return true
  if (!pattern.endsWith('.*')) return type === pattern || fullType === pattern
  const above = pattern.slice(0, -1)
  return `${type}.`.startsWith(above) || `${fullType}.`.startsWith(above)
}

/** Reads types and patterns. */
export function createTypePatterns(types: readonly DescribedType[]) {
  /** The types that a pattern matches; undefined when it is malformed. */
  function expand(pattern: string): readonly string[] | undefined {
    if (pattern !== '*' && !PATTERN.test(pattern)) return undefined
    return types.filter((each) => matchesPattern(pattern, each)).map(({ type }) => type)
  }

  /**
   * Returns the types that patterns match, and issues: too many patterns, malformed ones, and those that match no type.
   *
   * @param path - the place of the patterns in the request, as a JSON Pointer
   */
  return (patterns: readonly string[] | undefined, path: string) => {
    if (patterns === undefined) return { types: undefined, issues: [] }
    if (patterns.length > MAX_PATTERNS || patterns.join().length > MAX_TEXT) {
      return { types: undefined, issues: [tooMany(path, 'patterns')] }
    }
    const issues: FilterIssue[] = []
    const found = new Set<string>()
    for (const pattern of patterns) {
      const expanded = expand(pattern)
      if (expanded === undefined) {
        issues.push({ path, code: 'invalid_pattern', message: `Not an event type or pattern: ${shorten(pattern)}` })
      } else if (expanded.length === 0) {
        issues.push({ path, code: 'unknown_type', message: `No event type matches ${shorten(pattern)}` })
      }
      for (const type of expanded ?? []) found.add(type)
    }
    return { types: found.size === types.length ? undefined : found, issues }
  }
}

export const tooMany = (path: string, what: string): FilterIssue => ({
  path,
  code: 'too_big',
  message: `At most ${MAX_PATTERNS} ${what}`,
})

/** Shortens long values of a client for error messages. */
export const shorten = (text: string): string => {
  const quoted = JSON.stringify(text)
  return quoted.length > 80 ? `${quoted.slice(0, 80)}…` : quoted
}
