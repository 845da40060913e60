import type { AnalyticsStore } from '@eep/core/ports'
import { sql } from 'kysely'
import { deleteSelected } from '../delete-selected.ts'
import { type AnalyticsDb, addFigures, figureKey, insertFigures, startOf, sum, VISITORS } from './analytics-tables.ts'

/** Replaces figures of short units by those of longer ones. */
export const analyticsRollups = (
  db: AnalyticsDb,
): Pick<AnalyticsStore, 'rollUpMinutes' | 'rollUpVisitors' | 'rollUpHours'> => ({
  async rollUpMinutes(before, limit) {
    const rolling = db
      .with('due', (cte) =>
        cte
          .selectFrom('analytics_minutes')
          .select(['profile_id', 'minute', 'metric', 'key', sql<number>`count - rolled`.as('delta')])
          .where('minute', '<', before)
          .where('rolled', '<', sql<number>`count`)
          .orderBy('minute')
          .limit(limit)
          .forUpdate()
          .skipLocked(),
      )
      .with('marked', (cte) =>
        cte
          .updateTable('analytics_minutes')
          .from('due')
          .set({ rolled: sql<number>`analytics_minutes.rolled + due.delta` })
          .whereRef('analytics_minutes.profile_id', '=', 'due.profile_id')
          .whereRef('analytics_minutes.minute', '=', 'due.minute')
          .whereRef('analytics_minutes.metric', '=', 'due.metric')
          .whereRef('analytics_minutes.key', '=', 'due.key'),
      )
      .with('hours', (cte) =>
        cte
          .selectFrom('due')
          .select(['profile_id', startOf('hour', 'minute').as('at'), 'metric', 'key', sum('delta').as('count')])
          .groupBy(['profile_id', sql`2`, 'metric', 'key']),
      )
    const { numInsertedOrUpdatedRows } = await addFigures(rolling, 'hour', 'hours').executeTakeFirstOrThrow()
    return Number(numInsertedOrUpdatedRows ?? 0)
  },

  async rollUpVisitors(before, limit) {
    // One call at a time: two that delete the visitors of one day would each count a part of them.
    await sql`select pg_advisory_xact_lock(hashtext('analytics_visitors'))`.execute(db)
    const rolling = db
      .with('gone', (cte) =>
        cte
          .deleteFrom('analytics_visitors')
          .where('hour', '<', before)
          .where('profile_id', 'in', (due) =>
            due
              .selectFrom('analytics_visitors')
              .select('profile_id')
              .distinct()
              .where('hour', '<', before)
              .limit(limit),
          )
          .returning(['profile_id', 'hour', 'visitor']),
      )
      .with('hours', (cte) =>
        cte
          .selectFrom('gone')
          .select(['profile_id', 'hour as at', sql.lit(VISITORS).as('metric'), sql.lit('').as('key')])
          .select(sql<number>`count(*)`.as('count'))
          .groupBy(['profile_id', 'hour']),
      )
      .with('days', (cte) =>
        cte
          .selectFrom('gone')
          .select([
            'profile_id',
            startOf('day', 'hour').as('at'),
            sql.lit(VISITORS).as('metric'),
            sql.lit('').as('key'),
          ])
          .select(sql<number>`count(distinct visitor)`.as('count'))
          .groupBy(['profile_id', sql`2`]),
      )
      .with('stored_hours', (cte) => insertFigures(cte, 'hour', 'hours').onConflict((conflict) => conflict.doNothing()))
      // Whether a late visitor is one of those that were counted is unknown: their hashes are deleted.
      .with('stored_days', (cte) => insertFigures(cte, 'day', 'days').onConflict((conflict) => conflict.doNothing()))
    const { count } = await rolling
      .selectFrom('days')
      .select(sql<number>`count(*)`.as('count'))
      .executeTakeFirstOrThrow()
    return Number(count)
  },

  async rollUpHours(before, limit, { dropped, maxKeys, rest }) {
    // One call at a time: the keys with the highest counts are known only from all hours of a day.
    await sql`select pg_advisory_xact_lock(hashtext('analytics_days'))`.execute(db)
    const unwanted = [VISITORS, ...dropped]
    const deleted = await deleteSelected(db, 'analytics_hours', figureKey('hour'), (rows) =>
      rows.where('hour', '<', before).where('metric', 'in', unwanted).orderBy('hour').limit(limit),
    )
    const rolling = db
      .with('due', (cte) =>
        cte
          .selectFrom('analytics_hours')
          .select(['profile_id', 'metric', startOf('day', 'hour').as('day')])
          .distinct()
          .where('hour', '<', before)
          .where('metric', 'not in', unwanted)
          .limit(limit),
      )
      .with('gone', (cte) =>
        cte
          .deleteFrom('analytics_hours')
          .using('due')
          .whereRef('analytics_hours.profile_id', '=', 'due.profile_id')
          .whereRef('analytics_hours.metric', '=', 'due.metric')
          .whereRef('analytics_hours.hour', '>=', 'due.day')
          .where('analytics_hours.hour', '<', sql<Date>`due.day + interval '24 hours'`)
          .where('analytics_hours.hour', '<', before)
          .returning(['due.profile_id', 'due.day', 'due.metric', 'analytics_hours.key', 'analytics_hours.count']),
      )
      .with('ranked', (cte) =>
        cte
          .selectFrom('gone')
          .select(['profile_id', 'day', 'metric', 'key', sum('count').as('count')])
          .select(
            sql<number>`row_number() over (partition by profile_id, day, metric order by sum(count) desc, key)`.as(
              'rank',
            ),
          )
          .groupBy(['profile_id', 'day', 'metric', 'key']),
      )
      .with('days', (cte) =>
        cte
          .selectFrom('ranked')
          .select(['profile_id', 'day as at', 'metric'])
          .select(sql<string>`case when rank <= ${maxKeys}::int then key else ${rest}::text end`.as('key'))
          .select(sum('count').as('count'))
          .groupBy(['profile_id', 'day', 'metric', sql`4`]),
      )
    const { numInsertedOrUpdatedRows } = await addFigures(rolling, 'day', 'days').executeTakeFirstOrThrow()
    return deleted + Number(numInsertedOrUpdatedRows ?? 0)
  },
})
