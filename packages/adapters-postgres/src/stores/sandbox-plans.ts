import type { SandboxPlan, SandboxPlanStore } from '@eep/core/ports'
import type { Selectable } from 'kysely'
import type { Db } from '../database.ts'
import { isText, json, toDate } from '../rows.ts'
import { type SandboxTables, sandboxDb } from './sandbox-tables.ts'

const toPlan = (row: Selectable<SandboxTables['sandbox_plans']>): SandboxPlan => ({
  id: row.id,
  accountId: row.account_id,
  attempt: row.attempt,
  subscriptionId: row.subscription_id,
  version: row.version,
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
        .values({ id, account_id: accountId, attempt, version: 1, details: json(details), created_at: createdAt })
        .onConflict((conflict) => conflict.column('attempt').doUpdateSet({ attempt }))
        .returningAll()
        .executeTakeFirstOrThrow()
      return toPlan(row)
    },

    async update({ id, version, subscriptionId, details }) {
      const row = await db
        .updateTable('sandbox_plans')
        .set({ subscription_id: subscriptionId, details: json(details), version: version + 1 })
        .where('id', '=', id)
        .where('version', '=', version)
        .returningAll()
        .executeTakeFirst()
      return row && toPlan(row)
    },
  }
}
