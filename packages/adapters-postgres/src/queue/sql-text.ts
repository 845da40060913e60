import { statementsOf } from './statements.ts'

const isOneOf = (statement: string, words: readonly string[]) => words.includes(statement.toUpperCase())

/** Returns the statements of a transaction that the SQL opens and commits. Undefined when it opens none. */
export function transactionIn(sql: string): readonly string[] | undefined {
  if (!/^\s*begin\b/i.test(sql)) return undefined
  return statementsOf(sql).filter((statement) => !isOneOf(statement, ['BEGIN', 'COMMIT']))
}
