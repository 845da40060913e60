import type { Wallet, WalletStore } from '@eep/core/ports'
import type { Db, Row } from '../database.ts'
import { isUuid, toDate } from '../rows.ts'

export function wallets(db: Db): WalletStore {
  return {
    async get(id) {
      if (!isUuid(id)) return undefined
      const row = await db.selectFrom('wallets').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toWallet(row)
    },

    async listOfAccount(accountId) {
      if (!isUuid(accountId)) return []
      const rows = await db
        .selectFrom('wallets')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('linked')
        .execute()
      return rows.map(toWallet)
    },

    async put(wallet) {
      const row = await db
        .insertInto('wallets')
        .values({
          id: wallet.id,
          account_id: wallet.accountId,
          address: wallet.address,
          chain_id: wallet.chainId,
          verified_at: wallet.verifiedAt,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['account_id', 'address', 'chain_id'])
            .doUpdateSet((row) => ({ verified_at: row.ref('excluded.verified_at') })),
        )
        .returningAll()
        .executeTakeFirstOrThrow()
      return toWallet(row)
    },

    async delete(id) {
      if (!isUuid(id)) return false
      await db.updateTable('payouts').set({ enabled: false }).where('wallet_id', '=', id).execute()
      const { numDeletedRows } = await db.deleteFrom('wallets').where('id', '=', id).executeTakeFirst()
      return numDeletedRows > 0n
    },

    async eraseAccount({ id }) {
      await db.deleteFrom('payouts').where('account_id', '=', id).execute()
      await db.deleteFrom('wallets').where('account_id', '=', id).execute()
    },
  }
}

const toWallet = (row: Row<'wallets'>): Wallet => ({
  id: row.id,
  accountId: row.account_id,
  address: row.address,
  chainId: Number(row.chain_id),
  verifiedAt: toDate(row.verified_at),
})
