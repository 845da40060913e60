import { decodeCursor, invalidCursor, type PageRequest, type SessionStore, type StoredSession } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { isUuid, moment, toCountedPage, toDate } from '../rows.ts'
import { toAccount } from './accounts.ts'

export function sessions(db: Db): SessionStore {
  return {
    async getWithAccount(id) {
      if (!isUuid(id)) return undefined
      const row = await db
        .selectFrom('sessions')
        .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
        .selectAll('sessions')
        .select(sql<Row<'accounts'>>`row_to_json(accounts)`.as('account'))
        .where('sessions.id', '=', id)
        .executeTakeFirst()
      return row && { session: toSession(row), account: toAccount(row.account) }
    },

    listOfAccount: (accountId, now, page) => listOfAccount(db, accountId, now, page),

    async insert(session) {
      await db
        .insertInto('sessions')
        .values({
          id: session.id,
          account_id: session.accountId,
          created_at: session.createdAt,
          expires_at: session.expiresAt,
          last_used_at: session.lastUsedAt,
          user_agent: session.userAgent,
          email_verified: session.emailVerified,
        })
        .execute()
    },

    async touch(id, at, unlessAfter) {
      if (!isUuid(id)) return
      await db
        .updateTable('sessions')
        .set({ last_used_at: at })
        .where('id', '=', id)
        .where('last_used_at', '<=', unlessAfter)
        .execute()
    },

    async delete(accountId, which = { except: undefined }) {
      if (!isUuid(accountId)) return 0
      let ended = db.deleteFrom('sessions').where('account_id', '=', accountId)
      if ('id' in which) {
        if (!isUuid(which.id)) return 0
        ended = ended.where('id', '=', which.id)
      } else if (which.except !== undefined && isUuid(which.except)) ended = ended.where('id', '!=', which.except)
      return Number((await ended.executeTakeFirst()).numDeletedRows)
    },
  }
}

async function listOfAccount(db: Db, accountId: string, now: Date, request: PageRequest) {
  const account = isUuid(accountId) ? accountId : null
  const open = db.selectFrom('sessions').where('account_id', '=', account).where('expires_at', '>', now)
  const counted = open.select((query) => query.fn.countAll<string>().as('count'))
  let query = open.selectAll().select(counted.as('total'))
  if (request.cursor !== undefined) {
    const [created, id] = decodeCursor(request.cursor, ['number', 'string'])
    const createdAt = moment(created)
    if (typeof id !== 'string' || !isUuid(id)) throw invalidCursor()
    query = query
      .where('created_at', '<=', createdAt)
      .where((where) => where.or([where('created_at', '<', createdAt), where('id', '>', id)]))
  }
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(request.limit + 1)
    .execute()
  return toCountedPage(rows, request, {
    item: toSession,
    key: (session) => [session.createdAt.getTime(), session.id],
    count: async () => (await counted.executeTakeFirstOrThrow()).count,
  })
}

const toSession = (row: Row<'sessions'>): StoredSession => ({
  id: row.id,
  accountId: row.account_id,
  createdAt: toDate(row.created_at),
  expiresAt: toDate(row.expires_at),
  lastUsedAt: toDate(row.last_used_at),
  userAgent: row.user_agent,
  emailVerified: row.email_verified,
})
