import type { AnalyticsStore } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { deleteSelected } from '../delete-selected.ts'
import { analyticsReader } from './analytics-reader.ts'
import { analyticsRollups } from './analytics-rollups.ts'
import { type AnalyticsDb, type AnalyticsTables, addFigures, figureKey, startOf } from './analytics-tables.ts'

/** Rows that are passed as one parameter. */
const records = <Columns>(rows: readonly Columns[], columns: string) =>
  sql<Columns>`json_to_recordset(${JSON.stringify(rows)}::text::json)`.as<'record'>(sql`record (${sql.raw(columns)})`)

export function analytics(database: Db): AnalyticsStore {
  const db: AnalyticsDb = database.withTables<AnalyticsTables>()
  return {
    ...analyticsReader(db),
    ...analyticsRollups(db),

    async addBatch({ id, at, counts, visitors }) {
      const batch = await db
        .insertInto('analytics_batches')
        .values({ id, stored_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .executeTakeFirst()
      if (!batch) return false
      if (counts.length > 0) {
        const rows = counts.map(({ profileId, ...count }) => ({ profile_id: profileId, ...count }))
        const columns = 'profile_id bigint, minute timestamptz, metric text, key text, count bigint'
        const counted = db.with('counted', (cte) =>
          cte
            .selectFrom(records(rows, columns))
            .innerJoin('profiles', 'profiles.id', 'record.profile_id')
            .select(['record.profile_id', 'record.minute as at', 'record.metric', 'record.key', 'record.count']),
        )
        await addFigures(counted, 'minute', 'counted').execute()
      }
      if (visitors.length > 0) {
        const rows = visitors.map(({ profileId, ...visitor }) => ({ profile_id: profileId, ...visitor }))
        await db
          .insertInto('analytics_visitors')
          .columns(['profile_id', 'hour', 'visitor', 'minute'])
          .expression(
            db
              .selectFrom(records(rows, 'profile_id bigint, visitor text, minute timestamptz'))
              .innerJoin('profiles', 'profiles.id', 'record.profile_id')
              .select(['record.profile_id', startOf('hour', 'record.minute').as('hour')])
              .select(['record.visitor', 'record.minute'])
              .orderBy('record.profile_id')
              .orderBy(sql`2`)
              .orderBy('record.visitor'),
          )
          .onConflict((conflict) =>
            conflict
              .columns(['profile_id', 'hour', 'visitor'])
              .doUpdateSet({ minute: sql<Date>`excluded.minute` })
              .where(sql<boolean>`analytics_visitors.minute < excluded.minute`),
          )
          .execute()
      }
      return true
    },

    async keepSalt(day, salt) {
      // An update instead of `do nothing` returns the salt that a concurrent call stored.
      const row = await db
        .insertInto('analytics_salts')
        .values({ day, salt })
        .onConflict((conflict) => conflict.column('day').doUpdateSet({ day }))
        .returning('salt')
        .executeTakeFirstOrThrow()
      return row.salt
    },

    async purge({ minutesBefore, saltsBefore, daysBefore }, limit) {
      const salts = await deleteSelected(database, 'analytics_salts', ['day'], (rows) =>
        rows.where('day', '<', saltsBefore).limit(limit),
      )
      const batches = await deleteSelected(database, 'analytics_batches', ['id'], (rows) =>
        rows.where('stored_at', '<', minutesBefore).orderBy('stored_at').limit(limit),
      )
      const minutes = await deleteSelected(database, 'analytics_minutes', figureKey('minute'), (rows) =>
        rows
          .where('minute', '<', minutesBefore)
          .where('rolled', '=', sql<number>`count`)
          .orderBy('minute')
          .limit(limit),
      )
      const days = await deleteSelected(database, 'analytics_days', figureKey('day'), (rows) =>
        rows.where('day', '<', daysBefore).orderBy('day').limit(limit),
      )
      return salts + batches + minutes + days
    },
  }
}
