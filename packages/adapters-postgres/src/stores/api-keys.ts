import type { ApiKey, ApiKeyStore, ApiKeyUsage } from '@eep/core/ports'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Database, Db, Row } from '../database.ts'
import { deleteSelected } from '../delete-selected.ts'
import { databaseNow, isText, isUuid, toDate, toDateOrNull, toNumberOrNull } from '../rows.ts'
import { holdAccount, toAccount } from './accounts.ts'
import { addUses } from './api-key-uses.ts'

const isGood = (where: ExpressionBuilder<Database, 'api_keys'>) =>
  where.and([
    where('api_keys.revoked_at', 'is', null),
    where.or([where('api_keys.expires_at', 'is', null), where('api_keys.expires_at', '>', databaseNow)]),
  ])

export function apiKeys(db: Db, schema: string): ApiKeyStore {
  const goodWithAccount = () =>
    db
      .selectFrom('api_keys')
      .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
      .selectAll('api_keys')
      .select(sql<Row<'accounts'>>`row_to_json(accounts)`.as('account'))
      .where(isGood)

  return {
    async getByHash(hash) {
      if (!isText(hash)) return undefined
      const row = await goodWithAccount().where('api_keys.hash', '=', hash).executeTakeFirst()
      return row && { key: toApiKey(row), account: toAccount(row.account) }
    },

    async hold(id) {
      // The weakest lock that `revoke` waits for; `addUses` does not.
      const held = goodWithAccount().where('api_keys.id', '=', id).forKeyShare('api_keys')
      const row = await held.executeTakeFirst()
      return row && { key: toApiKey(row), account: toAccount(row.account) }
    },

    async get(id, accountId) {
      if (!isUuid(accountId)) return undefined
      const row = await db
        .selectFrom('api_keys')
        .selectAll()
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst()
      return row && toApiKey(row)
    },

    async listOfAccount(accountId) {
      if (!isUuid(accountId)) return []
      // Hours are counted whole: a use of the last day or month is never left out.
      const since = (days: number) =>
        sql<boolean>`hour > statement_timestamp() - ${sql.lit(`${days} days 1 hour`)}::interval`
      const rows = await db
        .selectFrom('api_keys')
        .leftJoinLateral(
          (query) =>
            query
              .selectFrom('api_key_uses')
              .whereRef('key_id', '=', 'api_keys.id')
              .select((uses) => [
                uses.fn.sum<string>('count').as('counted'),
                uses.fn.sum<string>('count').filterWhere(since(1)).as('last_day'),
                uses.fn.sum<string>('count').filterWhere(since(30)).as('last_month'),
              ])
              .as('uses'),
          (join) => join.onTrue(),
        )
        .selectAll('api_keys')
        .select(['counted', 'last_day', 'last_month'])
        .where('account_id', '=', accountId)
        .where(isGood)
        .orderBy('created_at')
        .orderBy('id')
        .execute()
      return rows.map((row) => ({ ...toApiKey(row), usage: toUsage(row) }))
    },

    async insert(key) {
      if (key.parentId !== null) {
        await holdAccount(db, key.accountId)
        const parent = db.selectFrom('api_keys').select('id').where('id', '=', key.parentId).where(isGood)
        if (!(await parent.where('account_id', '=', key.accountId).executeTakeFirst())) return undefined
      }
      const row = await db
        .insertInto('api_keys')
        .values({
          account_id: key.accountId,
          profile_id: key.profileId,
          parent_id: key.parentId,
          name: key.name,
          hash: key.hash,
          masked: key.masked,
          scopes: key.scopes,
          created_at: key.createdAt,
          expires_at: key.expiresAt,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toApiKey(row)
    },

    async revoke(id, accountId, at, { keepChildren = false } = {}) {
      if (!isUuid(accountId)) return []
      // A concurrent creation with one of these keys waits, or has already happened.
      await holdAccount(db, accountId)
      const rows = await db
        .withRecursive('ended', (query) =>
          query
            .selectFrom('api_keys')
            .select('id')
            .where('id', '=', id)
            .where('account_id', '=', accountId)
            .where(isGood)
            .unionAll((children) =>
              children
                .selectFrom('api_keys')
                .innerJoin('ended', 'ended.id', 'api_keys.parent_id')
                .select('api_keys.id')
                .where(isGood)
                .where(sql<boolean>`not ${keepChildren}::boolean`),
            ),
        )
        .updateTable('api_keys')
        .set({ revoked_at: at })
        .where('id', 'in', (query) =>
          query
            .selectFrom('api_keys')
            .select('id')
            .where('id', 'in', (keys) => keys.selectFrom('ended').select('ended.id'))
            .orderBy('id')
            // Waits for transactions that hold a key; the update alone does not.
            .forUpdate(),
        )
        .returningAll()
        .execute()
      return rows
        .map(toApiKey)
        .sort((left, right) => Number(right.id === id) - Number(left.id === id) || left.id - right.id)
    },

    async adopt(accountId, { from, to }) {
      if (!isUuid(accountId)) return
      await db
        .updateTable('api_keys')
        .set({ parent_id: to })
        .where('account_id', '=', accountId)
        .where('parent_id', '=', from)
        .where('id', '!=', to)
        .where(isGood)
        .execute()
    },

    addUses: (uses) => addUses(db, schema, uses),

    deleteEnded: (before, limit) =>
      deleteSelected(db, 'api_keys', ['id'], (rows) =>
        rows
          .where(sql`least(expires_at, revoked_at)`, '<', before)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('api_keys as child').select('child.id').whereRef('child.parent_id', '=', 'api_keys.id'),
              ),
            ),
          )
          .orderBy(sql`least(expires_at, revoked_at)`)
          .limit(limit),
      ),

    async eraseAccount({ id }) {
      await db.deleteFrom('api_keys').where('account_id', '=', id).execute()
    },
  }
}

interface UsageRow extends Pick<Row<'api_keys'>, 'last_used_at' | 'older_uses'> {
  readonly counted: string | null
  readonly last_day: string | null
  readonly last_month: string | null
}

const toUsage = (row: UsageRow): ApiKeyUsage => ({
  lastUsedAt: toDateOrNull(row.last_used_at),
  total: Number(row.older_uses) + Number(row.counted),
  last24h: Number(row.last_day),
  last30d: Number(row.last_month),
})

const toApiKey = (row: Row<'api_keys'>): ApiKey => ({
  id: Number(row.id),
  accountId: row.account_id,
  profileId: toNumberOrNull(row.profile_id),
  parentId: toNumberOrNull(row.parent_id),
  name: row.name,
  hash: row.hash,
  masked: row.masked,
  scopes: row.scopes,
  createdAt: toDate(row.created_at),
  expiresAt: toDateOrNull(row.expires_at),
  revokedAt: toDateOrNull(row.revoked_at),
})
