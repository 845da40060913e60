import type { Identity, IdentityStore } from '@eep/core/ports'
import type { Db, Row } from '../database.ts'
import { isText, isUuid, toDate } from '../rows.ts'
import { toAccount } from './accounts.ts'

export function identities(db: Db): IdentityStore {
  return {
    async get(provider, subject) {
      if (!isText(provider, subject)) return undefined
      const row = await db
        .selectFrom('identities')
        .selectAll()
        .where('provider', '=', provider)
        .where('subject', '=', subject)
        .executeTakeFirst()
      return row && toIdentity(row)
    },

    async getAccount(provider, subject) {
      if (!isText(provider, subject)) return undefined
      const row = await db
        .selectFrom('identities')
        .innerJoin('accounts', 'accounts.id', 'identities.account_id')
        .selectAll('accounts')
        .where('provider', '=', provider)
        .where('subject', '=', subject)
        .executeTakeFirst()
      return row && toAccount(row)
    },

    async listOfAccount(accountId) {
      if (!isUuid(accountId)) return []
      const rows = await db
        .selectFrom('identities')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('created_at')
        .orderBy('provider')
        .orderBy('subject')
        .execute()
      return rows.map(toIdentity)
    },

    async insert(identity) {
      const row = await db
        .insertInto('identities')
        .values({
          provider: identity.provider,
          subject: identity.subject,
          account_id: identity.accountId,
          email: identity.email,
          created_at: identity.createdAt,
        })
        .onConflict((conflict) => conflict.columns(['provider', 'subject']).doNothing())
        .returningAll()
        .executeTakeFirst()
      return row && toIdentity(row)
    },

    async delete({ provider, subject, accountId }) {
      if (!isText(provider, subject) || !isUuid(accountId)) return false
      const { numDeletedRows } = await db
        .deleteFrom('identities')
        .where('provider', '=', provider)
        .where('subject', '=', subject)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    async deleteOfAccount(accountId) {
      if (!isUuid(accountId)) return 0
      const { numDeletedRows } = await db
        .deleteFrom('identities')
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },

    async eraseAccount({ id }) {
      await db.deleteFrom('identities').where('account_id', '=', id).execute()
    },
  }
}

const toIdentity = (row: Row<'identities'>): Identity => ({
  provider: row.provider,
  subject: row.subject,
  accountId: row.account_id,
  email: row.email,
  createdAt: toDate(row.created_at),
})
