import type { ValuesOf, VariableTable } from './variable.ts'

/** The variables that a rule judges. */
export interface Reading<Table extends VariableTable = VariableTable> {
  /** Those that are set and valid. */
  readonly values: ValuesOf<Table>
  readonly production: boolean
  /** Whether a variable is set, also when its value is invalid. */
  has(name: keyof Table & string): boolean
  /** `NAME is missing: why (help)`. */
  missing(name: keyof Table & string, why: string): string
}

/** A problem, and when it exists. */
export interface Rule<Table extends VariableTable = VariableTable> {
  when(reading: Reading<Table>): boolean
  /** A sentence that begins with the variable and names a fix. */
  problem(reading: Reading<Table>): string
}

/**
 * A variable that has no effect without another one.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * needs('TAPES_KEY', 'TAPES_URL')
 */
export const needs = (name: string, needed: string): Rule => ({
  when: ({ has }) => has(name) && !has(needed),
  problem: ({ missing }) => missing(needed, `${name} is set but has no effect alone`),
})

/**
 * Variables of which each has no effect without the others: a problem for each that is missing.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * belongTogether('TAPES_USER', 'TAPES_PASSWORD')
 */
export const belongTogether = (...names: readonly string[]): readonly Rule[] =>
  names.map((name) => ({
    when: ({ has }) => !has(name) && names.some(has),
    problem: ({ has, missing }) => missing(name, `${names.find(has)} is set but has no effect alone`),
  }))

/**
 * Two ways to the same thing, of which one is enough.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * excludeEachOther('TAPES_URL', 'TAPES_SOCKET')
 */
export const excludeEachOther = (first: string, second: string): Rule => ({
  when: ({ has }) => has(first) && has(second),
  problem: () => `${first} and ${second} are both set; keep one of the two`,
})
