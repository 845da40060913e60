import { type SelectQueryBuilder, sql } from 'kysely'
import type { UntypedDb } from './untyped-db.ts'

// biome-ignore lint/suspicious/noExplicitAny: tables by name, like those of `UntypedDb`
type Rows = SelectQueryBuilder<any, any, any>

/**
 * Deletes the rows of a table that a query selects by their key, and returns their number. Rows that another transaction
 * has locked are skipped, so concurrent calls delete different rows and none of them waits. The selection is evaluated once: one in the
 * condition may be evaluated for each row, and would then delete more rows than its limit.
 *
 * @param rows - limits and orders the rows
 */
export async function deleteSelected(
  db: UntypedDb,
  table: string,
  key: readonly string[],
  rows: (from: Rows) => Rows,
): Promise<number> {
  const selected = rows(db.selectFrom(table).select(key as string[]))
    .forUpdate()
    .skipLocked()
  const { numDeletedRows } = await db
    .with(
      (cte) => cte('selected').materialized(),
      () => selected,
    )
    .deleteFrom(table)
    .where(sql<boolean>`(${sql.join(key.map((column) => sql.ref(column)))}) in (select * from selected)`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
