import type { AgreementStore } from '@eep/core/ports'
import type { Kysely } from 'kysely'
import type { Bigint } from '../columns.ts'
import type { Database, Db } from '../database.ts'
import { asc, listPage } from '../list-page.ts'
import { holdExisting, isText, isUuid, toDate } from '../rows.ts'

interface AgreementTable {
  account_id: string
  profile_id: Bigint
  document_hash: string
  document_url: string
  accepted_at: Date
}

/** The table of this group. Only this file uses it, so it is declared here. */
type AgreementTables = { agreements: AgreementTable }

export function agreements(database: Db): AgreementStore {
  const db: Kysely<Database & AgreementTables> = database.withTables<AgreementTables>()
  return {
    async has({ accountId, profileId, documentHash }) {
      if (!isUuid(accountId) || !isText(documentHash)) return false
      const row = await db
        .selectFrom('agreements')
        .select('accepted_at')
        .where('account_id', '=', accountId)
        .where('profile_id', '=', profileId)
        .where('document_hash', '=', documentHash)
        .executeTakeFirst()
      return row !== undefined
    },

    listOfAccount(accountId, request) {
      const all = db.selectFrom('agreements').where('account_id', '=', isUuid(accountId) ? accountId : null)
      const counted = all.select((query) => query.fn.countAll<string>().as('count'))
      return listPage(all.selectAll().select(counted.as('total')), request, {
        order: [asc('profile_id', 'number'), asc('document_hash', 'text')],
        item: (row) => ({
          accountId: row.account_id,
          profileId: Number(row.profile_id),
          documentHash: row.document_hash,
          documentUrl: row.document_url,
          acceptedAt: toDate(row.accepted_at),
        }),
        key: ({ profileId, documentHash }) => [profileId, documentHash],
        counted,
      })
    },

    async accept({ accountId, profileId, documentHash, documentUrl, acceptedAt }) {
      if (!isUuid(accountId)) return undefined
      const account = await db.selectFrom('accounts').select('id').where('id', '=', accountId).executeTakeFirst()
      if (!account || (await holdExisting(database, [profileId], [accountId])).length === 0) return undefined
      const row = {
        account_id: accountId,
        profile_id: profileId,
        document_hash: documentHash,
        document_url: documentUrl,
        accepted_at: acceptedAt,
      }
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('agreements')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      return (numInsertedOrUpdatedRows ?? 0n) > 0n
    },

    async eraseAccount({ id }) {
      await db.deleteFrom('agreements').where('account_id', '=', id).execute()
    },
  }
}
