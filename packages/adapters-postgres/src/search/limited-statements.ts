import { searchTimeout } from '@eep/core/ports'
import type { Kysely, QueryResult, RawBuilder } from 'kysely'
import type { Database } from '../database.ts'

/** Runs a statement of a query. */
export type RunStatement = <Row>(statement: RawBuilder<Row>) => Promise<QueryResult<Row>>

/**
 * Returns a function that runs statements for a limited time each. The server ends one that takes longer, by a separate connection, so
 * that it no longer takes processor time.
 *
 * @param timeoutMs - Default: no limit
 * @throws `search_timeout`
 */
export function limitedStatements(db: Kysely<Database>, timeoutMs: number | undefined): RunStatement {
  if (timeoutMs === undefined) return (statement) => statement.execute(db)
  return async (statement) => {
    const signal = AbortSignal.timeout(timeoutMs)
    try {
      return await statement.execute(db, { signal, inflightQueryAbortStrategy: 'cancel query' })
    } catch (error) {
      if (!signal.aborted) throw error
      throw searchTimeout({ headers: { 'retry-after': '5' }, cause: error })
    }
  }
}
