import type { SubscriptionStore } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { databaseNow, fromNow, isUuid } from '../rows.ts'
import { holdAccount } from './accounts.ts'

/** Leases of the subscriptions of accounts. */
export function subscriptionLeases(db: Db): Pick<SubscriptionStore, 'takeLease' | 'keepLease' | 'endLease'> {
  return {
    async takeLease(accountId, holder, leaseMs) {
      if (!isUuid(accountId)) return false
      const row = await db
        .insertInto('subscription_leases')
        .columns(['account_id', 'holder', 'lease_until'])
        .expression((build) =>
          build
            .selectFrom('accounts')
            .select(['id', sql<string>`${holder}::uuid`.as('holder'), fromNow(leaseMs).as('lease_until')])
            .where('id', '=', accountId)
            // Waits for a concurrent removal of the account, which then does not exist.
            .forKeyShare(),
        )
        .onConflict((conflict) =>
          conflict
            .column('account_id')
            .doUpdateSet((excluded) => ({
              holder: excluded.ref('excluded.holder'),
              lease_until: excluded.ref('excluded.lease_until'),
            }))
            .where('subscription_leases.lease_until', '<=', databaseNow),
        )
        .returning('account_id')
        .executeTakeFirst()
      return row !== undefined
    },

    async keepLease(accountId, holder) {
      if (!isUuid(accountId)) return false
      // Lock the account first, as its removal does.
      await holdAccount(db, accountId)
      const row = await db
        .selectFrom('subscription_leases')
        .select('account_id')
        .where('account_id', '=', accountId)
        .where('holder', '=', holder)
        .forUpdate()
        .executeTakeFirst()
      return row !== undefined
    },

    async endLease(accountId, holder) {
      if (!isUuid(accountId)) return
      await db
        .deleteFrom('subscription_leases')
        .where('account_id', '=', accountId)
        .where('holder', '=', holder)
        .execute()
    },
  }
}
