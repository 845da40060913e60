import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { databaseNow } from '../rows.ts'
import { ENTITLEMENT_KEY } from './lock-entitlements.ts'

/**
 * Computes entitlements from their grants: open until the end that is reached from now without a gap, or closed when no
 * grant counts now. The caller has locked the rows of the entitlements by an earlier statement, so that this one sees the
 * grants of the transactions that held the locks before.
 */
export async function recompute(db: Db, ids: readonly (number | string)[]): Promise<void> {
  if (ids.length === 0) return
  const counted = db
    .selectFrom('entitlements as each')
    .innerJoin('grants', (join) =>
      ENTITLEMENT_KEY.reduce((on, column) => on.onRef(`grants.${column}`, '=', `each.${column}`), join)
        .on('grants.ended_at', 'is', null)
        .on('grants.suspended_at', 'is', null)
        .on(sql<boolean>`coalesce(grants.ends_at, 'infinity') > ${databaseNow}`),
    )
    .where('each.id', 'in', ids)
    .select([
      'each.id',
      'grants.id as grant_id',
      'grants.starts_at',
      sql<Date>`coalesce(grants.ends_at, 'infinity')`.as('ends_at'),
      sql<Date>`max(coalesce(grants.ends_at, 'infinity')) over (partition by each.id order by grants.starts_at, grants.id
        rows between unbounded preceding and 1 preceding)`.as('reached'),
    ])
  // A grant that starts later than the end reached so far, and all after it, belong to another period.
  const chained = db.selectFrom(counted.as('counted')).select([
    'counted.id',
    'counted.ends_at',
    sql<boolean>`bool_or(counted.starts_at > coalesce(counted.reached, ${databaseNow})) over (partition by counted.id
        order by counted.starts_at, counted.grant_id rows between unbounded preceding and current row)`.as('is_later'),
  ])
  const reached = db
    .selectFrom('entitlements as one')
    .leftJoin(chained.as('chained'), (join) =>
      join.onRef('chained.id', '=', 'one.id').on(sql<boolean>`not chained.is_later`),
    )
    .where('one.id', 'in', ids)
    .groupBy('one.id')
    .select(['one.id', sql<Date | null>`max(chained.ends_at)`.as('ends_at')])
  await db
    .updateTable('entitlements')
    .from(reached.as('reached'))
    .whereRef('entitlements.id', '=', 'reached.id')
    .set({
      is_open: sql<boolean>`reached.ends_at is not null`,
      valid_until: sql<Date | null>`nullif(reached.ends_at, 'infinity')`,
    })
    .execute()
}
