import { type SelectQueryBuilder, sql } from 'kysely'
import type { UntypedDb } from './untyped-db.ts'

// biome-ignore lint/suspicious/noExplicitAny: any table
type Rows = SelectQueryBuilder<any, any, any>

/**
 * The rows that a query selects, for `.where(column, '=', …)` of a statement that changes some of them. `in (select … limit n)` may be
 * evaluated again for each row, and then changes more rows than its limit.
 */
export const anyOfSelected = (selected: Rows) => sql<never>`any (array(${selected}))`

/**
 * Deletes the rows of a table that a query selects by their key, and returns their number. Rows that another transaction
 * has locked are skipped, so concurrent calls delete different rows and none of them waits.
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
