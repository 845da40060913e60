import type { AnalyticsPeriod, AnalyticsStore, AnalyticsUnit } from '@eep/core/ports'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Bigint } from '../columns.ts'
import type { Database, Db } from '../database.ts'
import { toDate } from '../rows.ts'

/** A figure, without its time. */
interface FigureColumns {
  profile_id: Bigint
  metric: string
  key: string
  count: Bigint
}

/** The tables of this group. Only this file uses them, so they are declared here. */
type AnalyticsTables = {
  analytics_minutes: FigureColumns & { minute: Date; rolled: Bigint }
  analytics_hours: FigureColumns & { hour: Date }
  analytics_days: FigureColumns & { day: Date }
  analytics_visitors: { profile_id: Bigint; hour: Date; visitor: string; minute: Date }
  analytics_salts: { day: string; salt: string }
  analytics_batches: { id: string; stored_at: Date }
  connections: { followee_profile_id: Bigint; created_at: Date }
}

type AnalyticsDb = Kysely<Database & AnalyticsTables>

/** The metric of visitors in `analytics_hours` and `analytics_days`. */
const VISITORS = 'visitors'

/** The start of the unit of a time. */
const startOf = (unit: AnalyticsUnit, column: string): RawBuilder<Date> =>
  sql<Date>`date_trunc(${sql.lit(unit)}, ${sql.ref(column)}, 'UTC')`

const sum = (column: string) => sql<number>`sum(${sql.ref(column)})::bigint`

/** Rows that are passed as one parameter. */
const records = <Columns>(rows: readonly Columns[], columns: string) =>
  sql<Columns>`json_to_recordset(${JSON.stringify(rows)}::text::json)`.as<'record'>(sql`record (${sql.raw(columns)})`)

export function analytics(database: Db): AnalyticsStore {
  const db: AnalyticsDb = database.withTables<AnalyticsTables>()

  /** The figures of a period, each once: minutes that are not rolled up, hours, and days that have no hours. */
  const figures = ({ profileId, from, to }: AnalyticsPeriod, metrics: readonly string[]) => {
    const isWanted = sql<boolean>`metric = any(${`{${metrics.join()}}`}::text::text[])`
    const minutes = db
      .selectFrom('analytics_minutes')
      .select(['minute as at', 'metric', 'key', sql<number>`count - rolled`.as('count')])
      .where('profile_id', '=', profileId)
      .where('minute', '>=', from)
      .where('minute', '<', to)
      .where('rolled', '<', sql<number>`count`)
      .where(isWanted)
    const hours = db
      .selectFrom('analytics_hours')
      .select(['hour as at', 'metric', 'key', sql<number>`count`.as('count')])
      .where('profile_id', '=', profileId)
      .where('hour', '>=', from)
      .where('hour', '<', to)
      .where(isWanted)
    const days = db
      .selectFrom('analytics_days')
      .select(['day as at', 'metric', 'key', sql<number>`count`.as('count')])
      .where('profile_id', '=', profileId)
      .where('day', '>=', from)
      .where('day', '<', to)
      .where(isWanted)
    return minutes.unionAll(hours).unionAll(days)
  }

  return {
    async series({ unit, metrics, ...period }) {
      const rows =
        unit === 'minute'
          ? await db
              .selectFrom('analytics_minutes')
              .select(['minute as at', 'metric', 'key', 'count'])
              .where('profile_id', '=', period.profileId)
              .where('minute', '>=', period.from)
              .where('minute', '<', period.to)
              .where('metric', 'in', metrics)
              .execute()
          : await db
              .selectFrom(figures(period, metrics).as('figure'))
              .select([
                startOf(unit, 'figure.at').as('at'),
                'figure.metric',
                'figure.key',
                sum('figure.count').as('count'),
              ])
              .groupBy([sql`1`, 'figure.metric', 'figure.key'])
              .execute()
      return rows.map(({ at, metric, key, count }) => ({ at: toDate(at), metric, key, count: Number(count) }))
    },

    async top({ metric, limit, ...period }) {
      const rows = await db
        .selectFrom(figures(period, [metric]).as('figure'))
        .select(['figure.key', sum('figure.count').as('count')])
        .groupBy('figure.key')
        .orderBy(sum('figure.count'), 'desc')
        .orderBy('figure.key')
        .limit(limit)
        .execute()
      return rows.map(({ key, count }) => ({ key, count: Number(count) }))
    },

    async visitors({ profileId, from, to, unit }) {
      const isHourly = unit === 'hour' || unit === 'minute'
      const stored = isHourly
        ? db
            .selectFrom('analytics_hours')
            .select(['hour as at', sql<number>`count`.as('count')])
            .where('profile_id', '=', profileId)
            .where('metric', '=', VISITORS)
            .where('hour', '>=', from)
            .where('hour', '<', to)
        : db
            .selectFrom('analytics_days')
            .select(['day as at', sql<number>`count`.as('count')])
            .where('profile_id', '=', profileId)
            .where('metric', '=', VISITORS)
            .where('day', '>=', from)
            .where('day', '<', to)
      const recent = db
        .selectFrom('analytics_visitors')
        .select([startOf(isHourly ? 'hour' : 'day', 'hour').as('at'), sql<number>`count(distinct visitor)`.as('count')])
        .where('profile_id', '=', profileId)
        .where('hour', '>=', from)
        .where('hour', '<', to)
        .groupBy(sql`1`)
      const rows = await db
        .selectFrom(stored.unionAll(recent).as('figure'))
        .select([startOf(unit, 'figure.at').as('at'), sum('figure.count').as('count')])
        .groupBy(sql`1`)
        .execute()
      return rows.map(({ at, count }) => ({ at: toDate(at), count: Number(count) }))
    },

    async countVisitors({ profileId, since }) {
      const { count } = await db
        .selectFrom('analytics_visitors')
        .select(sql<number>`count(distinct visitor)`.as('count'))
        .where('profile_id', '=', profileId)
        .where('minute', '>=', since)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async sales({ profileId, from, to, unit }) {
      const rows = await db
        .selectFrom('receipts')
        .select([
          startOf(unit, 'issued_at').as('at'),
          'rail',
          'settlement_network as network',
          'amount_asset as asset',
          'amount_currency as currency',
          sql<number>`count(*)`.as('sales'),
          sql<string>`sum(amount_atomic::numeric)::text`.as('gross'),
        ])
        .where('profile_id', '=', profileId)
        .where('issued_at', '>=', from)
        .where('issued_at', '<', to)
        .groupBy([sql`1`, 'rail', 'settlement_network', 'amount_asset', 'amount_currency'])
        .orderBy(sql`1`)
        .orderBy('rail')
        .orderBy('settlement_network')
        .orderBy('amount_asset')
        .orderBy('amount_currency')
        .execute()
      return rows.map(({ at, sales, ...row }) => ({ ...row, at: toDate(at), sales: Number(sales) }))
    },

    async agentSales({ profileId, from, to, limit }) {
      const rows = await db
        .selectFrom('receipts')
        .select(['payer_did', sql<number>`count(*)`.as('sales')])
        .where('profile_id', '=', profileId)
        .where('issued_at', '>=', from)
        .where('issued_at', '<', to)
        .where('payer_did', 'is not', null)
        .groupBy('payer_did')
        .orderBy(sql`2`, 'desc')
        .orderBy('payer_did')
        .limit(limit)
        .execute()
      return rows.flatMap(({ payer_did: agentDid, sales }) =>
        agentDid === null ? [] : [{ agentDid, sales: Number(sales) }],
      )
    },

    async followers({ profileId, from, to, unit }) {
      const followers = db.selectFrom('connections').where('followee_profile_id', '=', profileId)
      const { total } = await followers.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
      const gained = await followers
        .select([startOf(unit, 'created_at').as('at'), sql<number>`count(*)`.as('count')])
        .where('created_at', '>=', from)
        .where('created_at', '<', to)
        .groupBy(sql`1`)
        .execute()
      return {
        total: Number(total),
        gained: gained.map(({ at, count }) => ({ at: toDate(at), count: Number(count) })),
      }
    },

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
        await db
          .insertInto('analytics_minutes')
          .columns(['profile_id', 'minute', 'metric', 'key', 'count'])
          .expression(
            db
              .selectFrom(records(rows, columns))
              .innerJoin('profiles', 'profiles.id', 'record.profile_id')
              .select(['record.profile_id', 'record.minute', 'record.metric', 'record.key', 'record.count'])
              // In the order of the key, so that instances do not wait for each other in a circle.
              .orderBy('record.profile_id')
              .orderBy('record.minute')
              .orderBy('record.metric')
              .orderBy('record.key'),
          )
          .onConflict((conflict) =>
            conflict
              .columns(['profile_id', 'minute', 'metric', 'key'])
              .doUpdateSet({ count: sql<number>`analytics_minutes.count + excluded.count` }),
          )
          .execute()
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

    async rollUpMinutes(before, limit) {
      const { numInsertedOrUpdatedRows } = await db
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
        .insertInto('analytics_hours')
        .columns(['profile_id', 'hour', 'metric', 'key', 'count'])
        .expression((from) =>
          from
            .selectFrom('due')
            .select(['due.profile_id', startOf('hour', 'due.minute').as('hour'), 'due.metric', 'due.key'])
            .select(sum('due.delta').as('count'))
            .groupBy(['due.profile_id', sql`2`, 'due.metric', 'due.key'])
            .orderBy('due.profile_id')
            .orderBy(sql`2`)
            .orderBy('due.metric')
            .orderBy('due.key'),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['profile_id', 'hour', 'metric', 'key'])
            .doUpdateSet({ count: sql<number>`analytics_hours.count + excluded.count` }),
        )
        .executeTakeFirstOrThrow()
      return Number(numInsertedOrUpdatedRows ?? 0)
    },

    async rollUpVisitors(before, limit) {
      // One call at a time: two that delete the visitors of one day would each count a part of them.
      await sql`select pg_advisory_xact_lock(hashtext('analytics_visitors'))`.execute(db)
      const { numInsertedOrUpdatedRows } = await db
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
            .insertInto('analytics_hours')
            .columns(['profile_id', 'hour', 'metric', 'key', 'count'])
            .expression((from) =>
              from
                .selectFrom('gone')
                .select(['profile_id', 'hour', sql.lit(VISITORS).as('metric'), sql.lit('').as('key')])
                .select(sql<number>`count(*)`.as('count'))
                .groupBy(['profile_id', 'hour'])
                .orderBy('profile_id')
                .orderBy('hour'),
            )
            .onConflict((conflict) =>
              conflict
                .columns(['profile_id', 'hour', 'metric', 'key'])
                .doUpdateSet({ count: sql<number>`analytics_hours.count + excluded.count` }),
            ),
        )
        .insertInto('analytics_days')
        .columns(['profile_id', 'day', 'metric', 'key', 'count'])
        .expression((from) =>
          from
            .selectFrom('gone')
            .select(['profile_id', startOf('day', 'hour').as('day')])
            .select([sql.lit(VISITORS).as('metric'), sql.lit('').as('key')])
            .select(sql<number>`count(distinct visitor)`.as('count'))
            .groupBy(['profile_id', sql`2`])
            .orderBy('profile_id')
            .orderBy(sql`2`),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['profile_id', 'day', 'metric', 'key'])
            .doUpdateSet({ count: sql<number>`analytics_days.count + excluded.count` }),
        )
        .executeTakeFirstOrThrow()
      return Number(numInsertedOrUpdatedRows ?? 0)
    },

    async rollUpHours(before, limit, { dropped, maxKeys, rest }) {
      // One call at a time: the keys with the highest counts are known only from all hours of a day.
      await sql`select pg_advisory_xact_lock(hashtext('analytics_days'))`.execute(db)
      const unwanted = [VISITORS, ...dropped]
      await db.deleteFrom('analytics_hours').where('hour', '<', before).where('metric', 'in', unwanted).execute()
      const { numInsertedOrUpdatedRows } = await db
        .with('due', (cte) =>
          cte
            .selectFrom('analytics_hours')
            .select(['profile_id', 'metric', startOf('day', 'hour').as('day')])
            .distinct()
            .where('hour', '<', before)
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
        .insertInto('analytics_days')
        .columns(['profile_id', 'day', 'metric', 'key', 'count'])
        .expression((from) =>
          from
            .selectFrom('ranked')
            .select(['profile_id', 'day', 'metric'])
            .select(sql<string>`case when rank <= ${maxKeys}::int then key else ${rest}::text end`.as('key'))
            .select(sum('count').as('count'))
            .groupBy(['profile_id', 'day', 'metric', sql`4`])
            .orderBy('profile_id')
            .orderBy('day')
            .orderBy('metric')
            .orderBy(sql`4`),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['profile_id', 'day', 'metric', 'key'])
            .doUpdateSet({ count: sql<number>`analytics_days.count + excluded.count` }),
        )
        .executeTakeFirstOrThrow()
      return Number(numInsertedOrUpdatedRows ?? 0)
    },

    async purge({ minutesBefore, saltsBefore }) {
      await db.deleteFrom('analytics_salts').where('day', '<', saltsBefore).execute()
      await db.deleteFrom('analytics_batches').where('stored_at', '<', minutesBefore).execute()
      await db
        .deleteFrom('analytics_minutes')
        .where('minute', '<', minutesBefore)
        .where('rolled', '=', sql<number>`count`)
        .execute()
    },
  }
}
