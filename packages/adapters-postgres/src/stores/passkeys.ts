import type { Passkey, PasskeyStore } from '@eep/core/ports'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Bigint } from '../columns.ts'
import type { Database, Db, Row } from '../database.ts'
import { isText, isUuid, json, toDate } from '../rows.ts'
import { holdAccount, toAccount } from './accounts.ts'

interface PasskeyTable {
  id: string
  account_id: string
  credential_id: string
  public_key: string
  sign_count: Bigint
  transports: unknown
  backed_up: boolean
  name: string
  created_at: Date
  last_used_at: Date | null
}

/** The table of this group. Only this file uses it, so it is declared here. */
type PasskeyTables = { passkeys: PasskeyTable }

export function passkeys(database: Db): PasskeyStore {
  const db: Kysely<Database & PasskeyTables> = database.withTables<PasskeyTables>()

  const listOfAccount = async (accountId: string): Promise<readonly Passkey[]> => {
    if (!isUuid(accountId)) return []
    const rows = await db
      .selectFrom('passkeys')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
    return rows.map(toPasskey)
  }

  return {
    listOfAccount,

    async getWithAccount(credentialId) {
      if (!isText(credentialId)) return undefined
      const row = await db
        .selectFrom('passkeys')
        .innerJoin('accounts', 'accounts.id', 'passkeys.account_id')
        .selectAll('passkeys')
        .select(sql<Row<'accounts'>>`row_to_json(accounts)`.as('account'))
        .where('credential_id', '=', credentialId)
        .executeTakeFirst()
      return row && { passkey: toPasskey(row), account: toAccount(row.account) }
    },

    async insert(passkey, limit) {
      // Concurrent insertions would not count each other.
      await holdAccount(database, passkey.accountId)
      const { count } = await db
        .selectFrom('passkeys')
        .select((from) => from.fn.countAll<string>().as('count'))
        .where('account_id', '=', passkey.accountId)
        .executeTakeFirstOrThrow()
      if (Number(count) >= limit) return 'full'
      const row = await db
        .insertInto('passkeys')
        .values({
          id: passkey.id,
          account_id: passkey.accountId,
          credential_id: passkey.credentialId,
          public_key: passkey.publicKey,
          sign_count: passkey.signCount,
          transports: json(passkey.transports),
          backed_up: passkey.isBackedUp,
          name: passkey.name,
          created_at: passkey.createdAt,
          last_used_at: passkey.lastUsedAt,
        })
        .onConflict((conflict) => conflict.column('credential_id').doNothing())
        .returning('id')
        .executeTakeFirst()
      return row ? 'inserted' : 'taken'
    },

    async use(id, { signCount, isBackedUp, usedAt }) {
      if (!isUuid(id)) return false
      const { numUpdatedRows } = await db
        .updateTable('passkeys')
        .set({ sign_count: signCount, backed_up: isBackedUp, last_used_at: usedAt })
        .where('id', '=', id)
        .where((where) => (signCount === 0 ? where('sign_count', '=', 0) : where('sign_count', '<', signCount)))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async rename(accountId, id, name) {
      if (!isUuid(accountId) || !isUuid(id)) return undefined
      const row = await db
        .updateTable('passkeys')
        .set({ name })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returningAll()
        .executeTakeFirst()
      return row && toPasskey(row)
    },

    async delete(accountId, id) {
      if (!isUuid(accountId) || !isUuid(id)) return undefined
      const row = await db
        .deleteFrom('passkeys')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returningAll()
        .executeTakeFirst()
      return row && toPasskey(row)
    },

    async deleteOfAccount(accountId) {
      if (!isUuid(accountId)) return 0
      const { numDeletedRows } = await db.deleteFrom('passkeys').where('account_id', '=', accountId).executeTakeFirst()
      return Number(numDeletedRows)
    },

    async eraseAccount({ id }) {
      await db.deleteFrom('passkeys').where('account_id', '=', id).execute()
    },
  }
}

const toPasskey = (row: Selectable<PasskeyTable>): Passkey => ({
  id: row.id,
  accountId: row.account_id,
  credentialId: row.credential_id,
  publicKey: row.public_key,
  signCount: Number(row.sign_count),
  // Only `insert` writes this column.
  transports: row.transports as readonly string[],
  isBackedUp: row.backed_up,
  name: row.name,
  createdAt: toDate(row.created_at),
  lastUsedAt: row.last_used_at && toDate(row.last_used_at),
})
