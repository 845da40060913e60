import type { SandboxTransfer, SandboxWallet, SandboxWalletStore } from '@eep/core/ports'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../database.ts'
import { deleteSelected } from '../delete-selected.ts'
import { isText, toDate } from '../rows.ts'
import { type SandboxTables, sandboxDb } from './sandbox-tables.ts'

const toWallet = (row: Selectable<SandboxTables['sandbox_wallets']>): SandboxWallet => ({
  address: row.address,
  atomic: BigInt(row.atomic),
  createdAt: toDate(row.created_at),
})

const toTransfer = (row: Selectable<SandboxTables['sandbox_transfers']>): SandboxTransfer => ({
  from: row.from_address,
  to: row.to_address,
  nonce: row.nonce,
  atomic: BigInt(row.atomic),
  transaction: row.transaction,
  isAuthorized: row.is_authorized,
  at: toDate(row.at),
})

export function sandboxWallets(database: Db): SandboxWalletStore {
  const db = sandboxDb(database)

  return {
    async get(address) {
      if (!isText(address)) return undefined
      const row = await db.selectFrom('sandbox_wallets').selectAll().where('address', '=', address).executeTakeFirst()
      return row && toWallet(row)
    },

    async getTransfer(from, nonce) {
      if (!isText(from, nonce)) return undefined
      const row = await db
        .selectFrom('sandbox_transfers')
        .selectAll()
        .where('from_address', '=', from)
        .where('nonce', '=', nonce)
        .executeTakeFirst()
      return row && toTransfer(row)
    },

    async getTransaction(transaction) {
      if (!isText(transaction)) return undefined
      const row = await db
        .selectFrom('sandbox_transfers')
        .selectAll()
        .where('transaction', '=', transaction)
        .executeTakeFirst()
      return row && toTransfer(row)
    },

    async fund({ address, upTo, at, maxWallets }) {
      const filled = await db
        .updateTable('sandbox_wallets')
        .set({ atomic: sql<string>`greatest(atomic, ${`${upTo}`}::numeric)` })
        .where('address', '=', address)
        .returningAll()
        .executeTakeFirst()
      if (filled) return toWallet(filled)
      // Concurrent calls may exceed the limit by their number, which bounds the table all the same.
      const { count } = await db
        .selectFrom('sandbox_wallets')
        .select(({ fn }) => fn.countAll<string>().as('count'))
        .executeTakeFirstOrThrow()
      if (Number(count) >= maxWallets) return undefined
      const made = await db
        .insertInto('sandbox_wallets')
        .values({ address, atomic: `${upTo}`, is_used: false, created_at: at })
        .onConflict((conflict) =>
          conflict
            .column('address')
            .doUpdateSet({ atomic: sql<string>`greatest(sandbox_wallets.atomic, ${`${upTo}`}::numeric)` }),
        )
        .returningAll()
        .executeTakeFirstOrThrow()
      return toWallet(made)
    },

    async transfer({ from, to, nonce, atomic, transaction, isAuthorized, at }) {
      // Locked by address, so that two wallets that pay each other do not wait for each other.
      const locked = await db
        .selectFrom('sandbox_wallets')
        .select(['address', 'atomic'])
        .where('address', 'in', [from, to])
        .orderBy('address')
        .forUpdate()
        .execute()
      const used = await db
        .selectFrom('sandbox_transfers')
        .select('nonce')
        .where('from_address', '=', from)
        .where('nonce', '=', nonce)
        .executeTakeFirst()
      if (used) return 'nonce_used'
      const sender = locked.find(({ address }) => address === from)
      if (!sender || BigInt(sender.atomic) < atomic) return 'insufficient_balance'
      await db
        .insertInto('sandbox_transfers')
        .values({
          from_address: from,
          nonce,
          to_address: to,
          atomic: `${atomic}`,
          transaction,
          is_authorized: isAuthorized,
          at,
        })
        .execute()
      await db
        .updateTable('sandbox_wallets')
        .set({ atomic: sql<string>`atomic - ${`${atomic}`}::numeric`, is_used: true })
        .where('address', '=', from)
        .execute()
      await db
        .insertInto('sandbox_wallets')
        .values({ address: to, atomic: `${atomic}`, is_used: true, created_at: at })
        .onConflict((conflict) =>
          conflict
            .column('address')
            .doUpdateSet({ atomic: sql<string>`sandbox_wallets.atomic + ${`${atomic}`}::numeric`, is_used: true }),
        )
        .execute()
      return 'moved'
    },

    deleteUnused: (before, limit) =>
      deleteSelected(database, 'sandbox_wallets', ['address'], (rows) =>
        rows.where('is_used', '=', false).where('created_at', '<', before).orderBy('created_at').limit(limit),
      ),
  }
}
