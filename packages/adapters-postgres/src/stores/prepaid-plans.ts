import type { PrepaidPlan, PrepaidPlanStore } from '@eep/core/ports'
import type { Db, Row } from '../database.ts'
import { isText, isUuid, keepAccount, toDate } from '../rows.ts'
import { remindersOf, storeReminder } from './subscription-reminders.ts'
import { isLive } from './subscription-rows.ts'

export function prepaidPlans(db: Db): PrepaidPlanStore {
  return {
    async get(challengeId) {
      if (!isText(challengeId)) return undefined
      const row = await db
        .selectFrom('paid_years')
        .selectAll()
        .where('challenge_id', '=', challengeId)
        .executeTakeFirst()
      return row && toPrepaidPlan(row)
    },

    async getWaiting(accountId) {
      if (!isUuid(accountId)) return undefined
      const row = await db
        .selectFrom('paid_years')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('starts_at', 'is', null)
        .orderBy('paid_at')
        .orderBy('challenge_id')
        .limit(1)
        .executeTakeFirst()
      return row && toPrepaidPlan(row)
    },

    async listStalled(limit) {
      const rows = await db
        .selectFrom('paid_years')
        .select('account_id')
        .distinct()
        .where('starts_at', 'is', null)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('subscriptions')
                .select('subscriptions.id')
                .whereRef('subscriptions.account_id', '=', 'paid_years.account_id')
                .where(isLive),
            ),
          ),
        )
        .limit(limit)
        .execute()
      return rows.map((row) => row.account_id)
    },

    async listToRemind({ from, to, days, limit }) {
      const rows = await db
        .selectFrom('subscriptions')
        .select(['id', 'account_id', 'tier', 'current_period_end'])
        .where('processor', '=', 'usdc')
        .where('status', '=', 'active')
        .where('cancel_at_period_end', '=', false)
        .where('current_period_end', '>', from)
        .where('current_period_end', '<=', to)
        .where((query) => query.not(query.exists(remindersOf(query, 'current_period_end').where('days', '<=', days))))
        .orderBy('current_period_end')
        .limit(limit)
        .execute()
      return rows.flatMap(({ id, account_id: accountId, tier, current_period_end: end }) =>
        end === null ? [] : [{ subscriptionId: id, accountId, tier, endsAt: toDate(end) }],
      )
    },

    async add({ challengeId, receiptId, accountId, tier, priceCents, paidAt, term }) {
      if (!isText(challengeId, receiptId) || !(await keepAccount(db, accountId))) return undefined
      const row = await db
        .insertInto('paid_years')
        .values({
          challenge_id: challengeId,
          receipt_id: receiptId,
          account_id: accountId,
          tier,
          price_cents: priceCents,
          paid_at: paidAt,
          starts_at: term?.startsAt ?? null,
          ends_at: term?.endsAt ?? null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst()
      return row && toPrepaidPlan(row)
    },

    async begin(challengeId, { startsAt, endsAt }) {
      if (!isText(challengeId)) return undefined
      const row = await db
        .updateTable('paid_years')
        .set({ starts_at: startsAt, ends_at: endsAt })
        .where('challenge_id', '=', challengeId)
        .where('starts_at', 'is', null)
        .returningAll()
        .executeTakeFirst()
      return row && toPrepaidPlan(row)
    },

    async claimReminder({ subscriptionId, endsAt }, days) {
      if (!isUuid(subscriptionId)) return false
      const subscription = await db
        .selectFrom('subscriptions')
        .select('id')
        .where('id', '=', subscriptionId)
        .where('current_period_end', '=', endsAt)
        .where('status', '=', 'active')
        .where('cancel_at_period_end', '=', false)
        .forKeyShare()
        .executeTakeFirst()
      return subscription !== undefined && storeReminder(db, subscriptionId, endsAt, days)
    },
  }
}

const toPrepaidPlan = (row: Row<'paid_years'>): PrepaidPlan => ({
  challengeId: row.challenge_id,
  receiptId: row.receipt_id,
  accountId: row.account_id,
  tier: row.tier,
  priceCents: row.price_cents,
  paidAt: toDate(row.paid_at),
  term:
    row.starts_at === null || row.ends_at === null
      ? null
      : { startsAt: toDate(row.starts_at), endsAt: toDate(row.ends_at) },
})
