import type { Token, TokenStore } from '@eep/core/ports'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Database, Db, Row } from '../database.ts'
import { databaseNow, isText, isUuid, json, toDate } from '../rows.ts'
import { holdAccount } from './accounts.ts'

type Where = ExpressionBuilder<Database, 'tokens'>

const hasTries = (where: Where) => where.or([where('tries_left', 'is', null), where('tries_left', '>', 0)])

export function tokens(db: Db): TokenStore {
  const deleteOf = (purpose: Token['purpose'], accountId: string) =>
    db.deleteFrom('tokens').where('account_id', '=', accountId).where('purpose', '=', purpose)

  const countWrongTry = async (purpose: Token['purpose'], accountId: string) => {
    await db
      .updateTable('tokens')
      .set({ tries_left: sql<number>`tries_left - 1` })
      .where('account_id', '=', accountId)
      .where('purpose', '=', purpose)
      .where('tries_left', 'is not', null)
      .execute()
    await deleteOf(purpose, accountId).where('tries_left', '<=', 0).execute()
  }

  return {
    async getNewest(purpose, of) {
      const isOfAccount = typeof of === 'string'
      if (isOfAccount && !isUuid(of)) return undefined
      const row = await db
        .selectFrom('tokens')
        .selectAll()
        .where('purpose', '=', purpose)
        .where((where) => (isOfAccount ? where('account_id', '=', of) : where('hash', '=', of.hash)))
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && toToken(row)
    },

    async put(token, { replace = false } = {}) {
      if (replace && token.accountId !== null) {
        // Concurrent replacements would not see each other's token.
        await holdAccount(db, token.accountId)
        await deleteOf(token.purpose, token.accountId).execute()
      }
      await db
        .insertInto('tokens')
        .values({
          id: token.id,
          purpose: token.purpose,
          hash: token.hash,
          account_id: token.accountId,
          data: json(token.data),
          tries_left: token.triesLeft,
          created_at: token.createdAt,
          expires_at: token.expiresAt,
        })
        .execute()
    },

    async consume({ purpose, hash, accountId }) {
      if (accountId !== undefined && !isUuid(accountId)) return undefined
      const hashes = [hash].flat().filter((each) => isText(each))
      let query = db
        .deleteFrom('tokens')
        .where(sql<boolean>`hash = any(${hashes}::text[])`)
        .where('purpose', '=', purpose)
        .where('expires_at', '>', databaseNow)
        .where(hasTries)
      if (accountId !== undefined) query = query.where('account_id', '=', accountId)
      const row = await query.returningAll().executeTakeFirst()
      if (!row && accountId !== undefined) await countWrongTry(purpose, accountId)
      return row && toToken(row)
    },

    async deleteOf(purpose, accountId, after) {
      if (!isUuid(accountId)) return
      const all = deleteOf(purpose, accountId)
      await (after ? all.where('created_at', '>', after) : all).execute()
    },
  }
}

const toToken = (row: Row<'tokens'>): Token => ({
  id: row.id,
  purpose: row.purpose,
  hash: row.hash,
  accountId: row.account_id,
  data: row.data,
  triesLeft: row.tries_left,
  createdAt: toDate(row.created_at),
  expiresAt: toDate(row.expires_at),
})
