import { type Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import type { SearchTables } from './statements.ts'

/** After this many changed documents, their statistics are looked at. */
const LOOKED_AT = 1_000
/** After this many, they are updated in any case. */
const UPDATED_AT = 10_000

/**
 * Keeps the statistics of the partitioned tables of an index. Autovacuum analyzes their parts, never the tables, and then the planner
 * expects millions of rows of a join with one.
 *
 * @param isOn - with `false`, nothing is analyzed
 */
export function createStatistics(
  db: Kysely<Database>,
  { schemaName, documents, words, passages }: SearchTables,
  isOn: boolean,
) {
  let [changed, looked] = [0, Number.NEGATIVE_INFINITY]

  /** Whether the table has grown or shrunk by a fifth since it was analyzed, or never was. */
  async function isOutdated(): Promise<boolean> {
    const { rows } = await sql<{ readonly is_outdated: boolean }>`
      select parent.reltuples < 0 or not sum(part.n_live_tup) between parent.reltuples * 0.8 and parent.reltuples * 1.2 as is_outdated
      from pg_catalog.pg_class parent
      join pg_catalog.pg_inherits on inhparent = parent.oid
      join pg_catalog.pg_stat_user_tables part on part.relid = inhrelid
      where parent.oid = to_regclass(format('%I.search_documents', ${schemaName}::text))
      group by parent.reltuples`.execute(db)
    return rows[0]?.is_outdated === true
  }

  /** Updates the statistics now. Tables that another process analyzes are skipped. */
  async function analyze(): Promise<void> {
    if (!isOn) return
    changed = 0
    looked = 0
    // An index without new statistics is slower at most, so after a failure documents are not indexed again.
    await sql`analyze (skip_locked) ${documents}, ${words}, ${passages}`.execute(db).catch(() => {})
  }

  return {
    analyze,
    /** Counts changed documents, and updates the statistics when it is time. */
    async changed(count: number): Promise<void> {
      if (!isOn) return
      changed += count
      if (changed - looked < LOOKED_AT) return
      looked = changed
      if (changed >= UPDATED_AT || (await isOutdated())) await analyze()
    },
  }
}
