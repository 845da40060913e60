import type { SandboxPlan, SandboxPlanStore } from '@eep/core/ports'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../database.ts'
import { deleteSelected } from '../delete-selected.ts'
import { databaseNow, isText, json, toDate } from '../rows.ts'
import { entitlementsOfGrants, lockEntitlements } from './lock-entitlements.ts'
import { recompute } from './recompute-entitlements.ts'
import { type SandboxDb, type SandboxTables, sandboxDb } from './sandbox-tables.ts'
import { isLive } from './subscription-rows.ts'

/** How many entitlements one statement computes. */
const ENTITLEMENTS_AT_ONCE = 1_000

const toPlan = (row: Selectable<SandboxTables['sandbox_plans']>): SandboxPlan => ({
  id: row.id,
  accountId: row.account_id,
  attempt: row.attempt,
  subscriptionId: row.subscription_id,
  version: row.version,
  aheadMs: Number(row.ahead_ms),
  details: row.details,
  createdAt: toDate(row.created_at),
})

export function sandboxPlans(database: Db): SandboxPlanStore {
  const db = sandboxDb(database)
  const getBy = async (column: 'id' | 'attempt' | 'subscription_id', value: string) => {
    if (!isText(value)) return undefined
    const row = await db.selectFrom('sandbox_plans').selectAll().where(column, '=', value).executeTakeFirst()
    return row && toPlan(row)
  }

  return {
    get: (id) => getBy('id', id),

    getBySubscription: (subscriptionId) => getBy('subscription_id', subscriptionId),

    async list(limit) {
      const rows = await db.selectFrom('sandbox_plans').selectAll().orderBy('created_at', 'desc').limit(limit).execute()
      return rows.map(toPlan)
    },

    async insert({ id, accountId, attempt, details, createdAt }) {
      // An update without a change, so that the row of the same attempt is returned, whichever transaction made it.
      const row = await db
        .insertInto('sandbox_plans')
        .values({
          id,
          account_id: accountId,
          attempt,
          version: 1,
          ahead_ms: 0,
          details: json(details),
          created_at: createdAt,
        })
        .onConflict((conflict) => conflict.column('attempt').doUpdateSet({ attempt }))
        .returningAll()
        .executeTakeFirstOrThrow()
      return toPlan(row)
    },

    async update({ id, version, subscriptionId, aheadMs, details }) {
      const row = await db
        .updateTable('sandbox_plans')
        .set({ subscription_id: subscriptionId, ahead_ms: aheadMs, details: json(details), version: version + 1 })
        .where('id', '=', id)
        .where('version', '=', version)
        .returningAll()
        .executeTakeFirst()
      return row && toPlan(row)
    },

    async moveClock(byMs) {
      await db
        .updateTable('sandbox_plans')
        .set({ ahead_ms: sql<number>`ahead_ms + ${byMs}::bigint`, version: sql<number>`version + 1` })
        .execute()
      await moveSubscriptions(db, byMs)
      return moveAccess(db, byMs)
    },

    deleteUnbought: (before, limit) =>
      deleteSelected(database, 'sandbox_plans', ['id'], (rows) =>
        rows.where('subscription_id', 'is', null).where('created_at', '<', before).orderBy('created_at').limit(limit),
      ),
  }
}

/** A time in a column, so much earlier. */
const earlier = <Time extends Date | null>(column: string, byMs: number) =>
  sql<Time>`${sql.ref(column)} - ${byMs}::double precision * interval '1 millisecond'`

/** Longer than the time between any two ends of a subscription. */
const AWAY_MS = 1_000 * 365 * 86_400_000

async function moveSubscriptions(db: SandboxDb, byMs: number): Promise<void> {
  const moved = await db
    .updateTable('subscriptions')
    .set({
      trial_end: earlier<Date | null>('trial_end', byMs),
      current_period_end: earlier<Date | null>('current_period_end', byMs),
      created_at: earlier<Date>('created_at', byMs),
    })
    .where(isLive)
    .returning('id')
    .execute()
  const ids = moved.map(({ id }) => id)
  // In two steps, because a row could be moved onto one that was not moved yet. Reminders belong to an end and are not sent twice.
  for (const step of [byMs + AWAY_MS, -AWAY_MS]) {
    if (ids.length === 0) break
    await db
      .updateTable('subscription_reminders')
      .set({ ends_at: earlier<Date>('ends_at', step) })
      .where('subscription_id', 'in', ids)
      .execute()
  }
  await db
    .updateTable('paid_years')
    .set({ starts_at: earlier<Date | null>('starts_at', byMs), ends_at: earlier<Date | null>('ends_at', byMs) })
    .where('ends_at', '>', databaseNow)
    .execute()
}

/** Moves the times of grants that are not over. Returns the profiles whose access they change. */
async function moveAccess(db: SandboxDb, byMs: number): Promise<readonly number[]> {
  const isRunning = sql<boolean>`grants.ended_at is null
    and (grants.ends_at > ${databaseNow} or grants.starts_at > ${databaseNow})`
  const locked = await lockEntitlements(db, entitlementsOfGrants(db).where(isRunning)).execute()
  if (locked.length === 0) return []
  await db
    .updateTable('grants')
    .set({
      starts_at: earlier<Date>('starts_at', byMs),
      ends_at: earlier<Date | null>('ends_at', byMs),
      suspended_at: earlier<Date | null>('suspended_at', byMs),
    })
    .where(isRunning)
    .execute()
  for (let at = 0; at < locked.length; at += ENTITLEMENTS_AT_ONCE) {
    await recompute(
      db,
      locked.slice(at, at + ENTITLEMENTS_AT_ONCE).map(({ id }) => id),
    )
  }
  return [...new Set(locked.map((row) => Number(row.profile_id)))]
}
