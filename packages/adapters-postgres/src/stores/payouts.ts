import type { Payout, PayoutStore } from '@eep/core/ports'
import type { Db, Row } from '../database.ts'
import { isUuid, toDate } from '../rows.ts'
import { holdAccount } from './accounts.ts'

export function payouts(db: Db): PayoutStore {
  const disable = () => db.updateTable('payouts').set({ enabled: false }).where('enabled', '=', true)

  return {
    async get(id) {
      const row = await db.selectFrom('payouts').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toPayout(row)
    },

    async listOfAccount(accountId) {
      if (!isUuid(accountId)) return []
      const rows = await db
        .selectFrom('payouts')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('id')
        .execute()
      return rows.map(toPayout)
    },

    async addressesOf(accountId) {
      if (!isUuid(accountId)) return {}
      const rows = await db
        .selectFrom('payouts')
        .innerJoin('wallets', 'wallets.id', 'payouts.wallet_id')
        .select(['payouts.network', 'wallets.address'])
        .where('payouts.account_id', '=', accountId)
        .where('payouts.enabled', '=', true)
        .execute()
      return Object.fromEntries(rows.map(({ network, address }) => [network, address]))
    },

    async insert(payout) {
      if (payout.enabled) {
        // Concurrent additions would not see each other.
        await holdAccount(db, payout.accountId)
        await disable().where('account_id', '=', payout.accountId).where('network', '=', payout.network).execute()
      }
      const row = await db
        .insertInto('payouts')
        .values({
          account_id: payout.accountId,
          wallet_id: payout.walletId,
          network: payout.network,
          asset: payout.asset,
          enabled: payout.enabled,
          created_at: payout.createdAt,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toPayout(row)
    },

    async delete(id) {
      const { numDeletedRows } = await db.deleteFrom('payouts').where('id', '=', id).executeTakeFirst()
      return numDeletedRows > 0n
    },

    async disableOfWallet(walletId) {
      if (!isUuid(walletId)) return 0
      const { numUpdatedRows } = await disable().where('wallet_id', '=', walletId).executeTakeFirst()
      return Number(numUpdatedRows)
    },
  }
}

const toPayout = (row: Row<'payouts'>): Payout => ({
  id: Number(row.id),
  accountId: row.account_id,
  walletId: row.wallet_id,
  network: row.network,
  asset: row.asset,
  enabled: row.enabled,
  createdAt: toDate(row.created_at),
})
