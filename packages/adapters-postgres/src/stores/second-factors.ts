import type { SecondFactorStore } from '@eep/core/ports'
import { type Kysely, sql } from 'kysely'
import type { Bigint } from '../columns.ts'
import type { Database, Db } from '../database.ts'
import { isText, isUuid, toDate } from '../rows.ts'
import { holdAccount } from './accounts.ts'

interface SecondFactorTable {
  account_id: string
  sealed_key: string
  confirmed: boolean
  last_step: Bigint
  recovery_hashes: readonly string[]
  created_at: Date
}

/** The table of this group. Only this file uses it, so it is declared here. */
type SecondFactorTables = { second_factors: SecondFactorTable }

export function secondFactors(database: Db): SecondFactorStore {
  const db: Kysely<Database & SecondFactorTables> = database.withTables<SecondFactorTables>()

  async function remove(accountId: string): Promise<boolean> {
    if (!isUuid(accountId)) return false
    const { numDeletedRows } = await db
      .deleteFrom('second_factors')
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    return numDeletedRows > 0n
  }

  return {
    async get(accountId) {
      if (!isUuid(accountId)) return undefined
      const row = await db
        .selectFrom('second_factors')
        .selectAll()
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return (
        row && {
          accountId: row.account_id,
          sealedKey: row.sealed_key,
          isConfirmed: row.confirmed,
          lastStep: Number(row.last_step),
          recoveryHashes: row.recovery_hashes,
          createdAt: toDate(row.created_at),
        }
      )
    },

    async begin(accountId, sealedKey, at) {
      // Waits for a transaction that confirms it.
      await holdAccount(database, accountId)
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('second_factors')
        .values({
          account_id: accountId,
          sealed_key: sealedKey,
          confirmed: false,
          last_step: 0,
          recovery_hashes: sql`'{}'::text[]`,
          created_at: at,
        })
        .onConflict((conflict) =>
          conflict
            .column('account_id')
            .doUpdateSet({ sealed_key: sealedKey, created_at: at })
            .where('second_factors.confirmed', '=', false),
        )
        .executeTakeFirst()
      return (numInsertedOrUpdatedRows ?? 0n) > 0n
    },

    async confirm(accountId, sealedKey, step, recoveryHashes) {
      if (!isUuid(accountId)) return false
      const { numUpdatedRows } = await db
        .updateTable('second_factors')
        .set({ confirmed: true, last_step: step, recovery_hashes: [...recoveryHashes] })
        .where('account_id', '=', accountId)
        .where('sealed_key', '=', sealedKey)
        .where('confirmed', '=', false)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async useStep(accountId, step) {
      if (!isUuid(accountId)) return false
      const { numUpdatedRows } = await db
        .updateTable('second_factors')
        .set({ last_step: step })
        .where('account_id', '=', accountId)
        .where('confirmed', '=', true)
        .where('last_step', '<', step)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async useRecoveryCode(accountId, hash) {
      if (!isUuid(accountId) || !isText(hash)) return false
      const { numUpdatedRows } = await db
        .updateTable('second_factors')
        .set({ recovery_hashes: sql`array_remove(recovery_hashes, ${hash}::text)` })
        .where('account_id', '=', accountId)
        .where('confirmed', '=', true)
        .where(sql<boolean>`${hash}::text = any(recovery_hashes)`)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    delete: remove,

    async eraseAccount({ id }) {
      await remove(id)
    },
  }
}
