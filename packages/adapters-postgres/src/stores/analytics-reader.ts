import type { AnalyticsPeriod, AnalyticsReader } from '@eep/core/ports'
import { sql } from 'kysely'
import { toDate } from '../rows.ts'
import { type AnalyticsDb, figureTable, type StoredUnit, startOf, sum, VISITORS } from './analytics-tables.ts'

/** Figures of profiles, for reading. */
export function analyticsReader(db: AnalyticsDb): AnalyticsReader {
  /** The figures that are stored by a unit. */
  const stored = (unit: StoredUnit, { profileId, from, to }: AnalyticsPeriod, metrics: readonly string[]) => {
    const { table, time } = figureTable(unit)
    return db
      .selectFrom(table)
      .select((row) => row.ref(time).as('at'))
      .where('profile_id', '=', profileId)
      .where(time, '>=', from)
      .where(time, '<', to)
      .where(sql<boolean>`metric = any(${`{${metrics.join()}}`}::text::text[])`)
  }

  /** The figures of a period, each once: minutes that are not rolled up, hours, and days that have no hours. */
  const figures = (period: AnalyticsPeriod, metrics: readonly string[]) =>
    stored('minute', period, metrics)
      .select(['metric', 'key', sql<number>`count - rolled`.as('count')])
      .where(sql<boolean>`rolled < count`)
      .unionAll(stored('hour', period, metrics).select(['metric', 'key', sql<number>`count`.as('count')]))
      .unionAll(stored('day', period, metrics).select(['metric', 'key', sql<number>`count`.as('count')]))

  return {
    async series({ unit, metrics, ...period }) {
      const rows =
        unit === 'minute'
          ? await stored('minute', period, metrics).select(['metric', 'key', 'count']).execute()
          : await db
              .selectFrom(figures(period, metrics).as('figure'))
              .select([startOf(unit, 'figure.at').as('at'), 'figure.metric', 'figure.key'])
              .select(sum('figure.count').as('count'))
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

    async visitors({ unit, ...period }) {
      const counted = unit === 'hour' || unit === 'minute' ? 'hour' : 'day'
      const { table, time } = figureTable(counted)
      const recent = db
        .selectFrom('analytics_visitors')
        .select([
          startOf(counted, 'analytics_visitors.hour').as('at'),
          sql<number>`count(distinct visitor)`.as('count'),
        ])
        .where('profile_id', '=', period.profileId)
        .where('hour', '>=', period.from)
        .where('hour', '<', period.to)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom(`${table} as counted`)
                .select('counted.profile_id')
                .whereRef('counted.profile_id', '=', 'analytics_visitors.profile_id')
                .where('counted.metric', '=', VISITORS)
                .where(`counted.${time}`, '=', startOf(counted, 'analytics_visitors.hour')),
            ),
          ),
        )
        .groupBy(sql`1`)
      const rolledUp = stored(counted, period, [VISITORS]).select(sql<number>`count`.as('count'))
      const rows = await db
        .selectFrom(rolledUp.unionAll(recent).as('figure'))
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

    async botSales({ profileId, from, to, limit }) {
      const rows = await db
        .selectFrom('payments')
        .select(['payer_bot', sql<number>`count(*)`.as('sales')])
        .where('profile_id', '=', profileId)
        .where('state', '=', 'settled')
        .where('created_at', '>=', from)
        .where('created_at', '<', to)
        .where('payer_bot', 'is not', null)
        .groupBy('payer_bot')
        .orderBy(sql`2`, 'desc')
        .orderBy('payer_bot')
        .limit(limit)
        .execute()
      return rows.flatMap(({ payer_bot: bot, sales }) => (bot === null ? [] : [{ bot, sales: Number(sales) }]))
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
  }
}
