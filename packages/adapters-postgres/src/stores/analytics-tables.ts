import type { AnalyticsUnit } from '@eep/core/ports'
import { type Kysely, type QueryCreator, type RawBuilder, sql } from 'kysely'
import type { Bigint } from '../columns.ts'
import type { Database } from '../database.ts'

/** A figure, without its time. */
interface FigureColumns {
  profile_id: Bigint
  metric: string
  key: string
  count: Bigint
}

/** The tables of this group. Only the stores of analytics use them, so they are declared here. */
export type AnalyticsTables = {
  analytics_minutes: FigureColumns & { minute: Date; rolled: Bigint }
  analytics_hours: FigureColumns & { hour: Date }
  analytics_days: FigureColumns & { day: Date }
  analytics_visitors: { profile_id: Bigint; hour: Date; visitor: string; minute: Date }
  analytics_salts: { day: string; salt: string }
  analytics_batches: { id: string; stored_at: Date }
  connections: { followee_profile_id: Bigint; created_at: Date }
}

/** A connection for the tables of analytics. */
export type AnalyticsDb = Kysely<Database & AnalyticsTables>

/** The units whose figures have a table. */
export type StoredUnit = Extract<AnalyticsUnit, 'minute' | 'hour' | 'day'>

/** The metric of visitors in `analytics_hours` and `analytics_days`. */
export const VISITORS = 'visitors'

/** The start of the unit of a time. */
export const startOf = (unit: AnalyticsUnit, column: string): RawBuilder<Date> =>
  sql<Date>`date_trunc(${sql.lit(unit)}, ${sql.ref(column)}, 'UTC')`

export const sum = (column: string) => sql<number>`sum(${sql.ref(column)})::bigint`

/** The table with the figures of a unit, and its column with the time. */
export const figureTable = (unit: StoredUnit) =>
  // The tables differ only in the name of this column, so queries of each are typed as those of `analytics_hours`.
  ({ table: `analytics_${unit}s`, time: unit }) as { readonly table: 'analytics_hours'; readonly time: 'hour' }

/**
 * Inserts the figures of a common table expression, with the columns `profile_id`, `at`, `metric`, `key` and `count`, as those
 * of a unit. The caller resolves conflicts.
 */
export function insertFigures(from: QueryCreator<Database & AnalyticsTables>, unit: StoredUnit, figures: string) {
  const { table, time } = figureTable(unit)
  return (
    from
      .insertInto(table)
      .columns(['profile_id', time, 'metric', 'key', 'count'])
      // In the order of the key, so that concurrent calls do not deadlock.
      .expression(sql`select profile_id, at, metric, key, count from ${sql.id(figures)} order by 1, 2, 3, 4`)
  )
}

/** Adds figures, see {@link insertFigures}, to those that a unit has. */
export function addFigures(from: QueryCreator<Database & AnalyticsTables>, unit: StoredUnit, figures: string) {
  const { table, time } = figureTable(unit)
  return insertFigures(from, unit, figures).onConflict((conflict) =>
    conflict
      .columns(['profile_id', time, 'metric', 'key'])
      .doUpdateSet({ count: sql<number>`${sql.ref(`${table}.count`)} + excluded.count` }),
  )
}

/** The columns of the primary key of the figures of a unit. */
export const figureKey = (unit: StoredUnit) => ['profile_id', unit, 'metric', 'key']
