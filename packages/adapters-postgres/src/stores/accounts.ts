import type { Account, AccountKey, AccountStore } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { databaseNow, isText, isUuid, toDate, toDateOrNull, unlessTaken } from '../rows.ts'
import { eraseAccount, listErasedProfiles, lockForErasure } from './account-erasure.ts'
import { erasePart } from './account-parts.ts'

/** Selects the account with a key; undefined for a key that no account can have. */
function selectByKey(db: Db, key: AccountKey) {
  const select = db.selectFrom('accounts').selectAll()
  if (typeof key === 'string') return isUuid(key) ? select.where('id', '=', key) : undefined
  if ('email' in key)
    return isText(key.email) ? select.where(sql<boolean>`lower(email) = lower(${key.email})`) : undefined
  return isText(key.username) ? select.where('username', '=', key.username) : undefined
}

export function accounts(db: Db, schema: string): AccountStore {
  const get = async (key: AccountKey) => {
    const query = selectByKey(db, key)
    const row = await query?.executeTakeFirst()
    return row && toAccount(row)
  }

  return {
    get,

    async getPasswordHash(id) {
      if (!isUuid(id)) return undefined
      const row = await db.selectFrom('accounts').select('password_hash').where('id', '=', id).executeTakeFirst()
      return row?.password_hash
    },

    async listDueForPurge(limit, after) {
      const rows = await db
        .selectFrom('accounts')
        .selectAll()
        .where('deletion_scheduled_at', '<=', databaseNow)
        .$if(after !== undefined, (due) =>
          due.where(({ eb, refTuple, tuple }) =>
            eb(
              refTuple('deletion_scheduled_at', 'id'),
              '>',
              tuple(after?.deletionScheduledAt ?? null, after?.id ?? ''),
            ),
          ),
        )
        .orderBy('deletion_scheduled_at')
        .orderBy('id')
        .limit(limit)
        .execute()
      return rows.map(toAccount)
    },

    async lock(id) {
      if (!isUuid(id)) return undefined
      // Not the stronger lock, so that inserts with a reference to the account do not wait.
      const row = await db.selectFrom('accounts').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
      return row && toAccount(row)
    },

    async insert(account) {
      const row = await db
        .insertInto('accounts')
        .values({
          id: account.id,
          email: account.email,
          username: account.username,
          full_name: account.fullName,
          language: account.language,
          password_hash: account.passwordHash,
          created_at: account.createdAt,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst()
      return row && toAccount(row)
    },

    async save(id, changes) {
      if (!isUuid(id)) return undefined
      if (Object.values(changes).every((change) => change === undefined)) return get(id)
      const update = () =>
        db
          .updateTable('accounts')
          .set({
            email: changes.email,
            username: changes.username,
            email_verified: changes.emailVerified,
            // An address that is not verified is not owned.
            email_owned: sql<boolean>`
              ${changes.emailOwned ?? sql.ref('email_owned')} and ${changes.emailVerified ?? sql.ref('email_verified')}`,
            full_name: changes.fullName,
            language: changes.language,
            password_hash: changes.passwordHash,
            token_version: changes.tokenVersion,
            tier: changes.tier,
            granted_tier: changes.grantedTier,
            had_trial: changes.hadTrial,
            is_admin: changes.isAdmin,
            banned_at: changes.bannedAt,
            deletion_scheduled_at: changes.deletionScheduledAt,
          })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst()
      const row = await (changes.email === undefined && changes.username === undefined
        ? update()
        : unlessTaken(db, update))
      return row && toAccount(row)
    },

    async lockForErasure(id, ownership) {
      const row = await lockForErasure(db, id)
      return row && { ...toAccount(row), profileIds: await listErasedProfiles(db, schema, id, ownership) }
    },

    async eraseAccount(account, keptEvents, part) {
      if (part) return erasePart(db, schema, account, keptEvents, part)
      await eraseAccount(db, account, keptEvents)
      return undefined
    },
  }
}

/** Serializes transactions that change data of an account. */
export async function holdAccount(db: Db, id: string): Promise<void> {
  await db.selectFrom('accounts').select('id').where('id', '=', id).forNoKeyUpdate().execute()
}

export const toAccount = (row: Row<'accounts'>): Account => ({
  id: row.id,
  email: row.email,
  emailVerified: row.email_verified,
  emailOwned: row.email_owned,
  username: row.username,
  fullName: row.full_name,
  language: row.language,
  tokenVersion: row.token_version,
  tier: row.tier,
  grantedTier: row.granted_tier,
  hadTrial: row.had_trial,
  isAdmin: row.is_admin,
  bannedAt: toDateOrNull(row.banned_at),
  deletionScheduledAt: toDateOrNull(row.deletion_scheduled_at),
  createdAt: toDate(row.created_at),
})
