import { searchTimeout } from '@eep/core/ports'
import { type Kysely, type QueryResult, type RawBuilder, sql } from 'kysely'
import type { Database } from '../database.ts'

/** Runs a statement of a query. */
export type RunStatement = <Row>(statement: RawBuilder<Row>) => Promise<QueryResult<Row>>

interface Limits {
  /** Default: no limit */
  readonly timeoutMs: number | undefined
  /** Whether the connections have `jit` off. Otherwise each statement runs in a transaction that turns it off. */
  readonly isJitOff: boolean
}

/**
 * Returns a function that runs statements for a limited time each. The server ends one that takes longer, by a separate connection, so
 * that it no longer takes processor time. No statement is compiled: that can take longer than the limit.
 *
 * @throws `search_timeout`
 */
export function limitedStatements(db: Kysely<Database>, { timeoutMs, isJitOff }: Limits): RunStatement {
  const run: <Row>(statement: RawBuilder<Row>, signal?: AbortSignal) => Promise<QueryResult<Row>> = (
    statement,
    signal,
  ) => {
    const options = signal && { signal, inflightQueryAbortStrategy: 'cancel query' as const }
    if (isJitOff) return statement.execute(db, options)
    return db.transaction().execute(async (tx) => {
      await sql`set local jit = off`.execute(tx)
      return statement.execute(tx, options)
    })
  }
  if (timeoutMs === undefined) return (statement) => run(statement)
  return async (statement) => {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      return await run(statement, signal)
    } catch (error) {
      if (!signal.aborted) throw error
      throw searchTimeout({ retryAfterMs: 5_000, cause: error })
    }
  }
}
