import { sql } from 'kysely'
import type { UntypedDb } from '../untyped-db.ts'

const EVERY_MS = 3_600_000

/**
 * Updates the statistics of the partitioned tables of the queue now and each hour. Every finished job is a join with one, and autovacuum
 * analyzes their partitions only. It needs the owner of the tables; for other roles nothing happens.
 */
export function keepStatistics(db: UntypedDb, schema: string) {
  const tables = sql.join(['job', 'queue_stats'].map((name) => sql.table(`${schema}.${name}`)))
  // The queue without new statistics is slower at most.
  const analyze = () => sql`analyze (skip_locked) ${tables}`.execute(db).catch(() => {})
  let current = analyze()
  const timer = setInterval(() => {
    current = analyze()
  }, EVERY_MS).unref()
  return {
    /** Waits for the present update; none follows. */
    async stop(): Promise<void> {
      clearInterval(timer)
      await current
    },
  }
}
