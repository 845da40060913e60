import { statementsOf } from './statements.ts'

const isOneOf = (statement: string, words: readonly string[]) => words.includes(statement.toUpperCase())

/** The statements inside of a transaction that the SQL opens and commits itself; undefined when it opens none. */
export function transactionIn(sql: string): readonly string[] | undefined {
  if (!/^\s*begin\b/i.test(sql)) return undefined
  return statementsOf(sql).filter((statement) => !isOneOf(statement, ['BEGIN', 'COMMIT']))
}
