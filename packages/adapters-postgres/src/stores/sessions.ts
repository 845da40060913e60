import type { PageRequest, SessionStore, SessionUse, StoredSession } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { asc, desc, listPage } from '../list-page.ts'
import { isUuid, toDate } from '../rows.ts'
import { toAccount } from './accounts.ts'

export function sessions(db: Db): SessionStore {
  return {
    async getWithAccount(id, { hold = false } = {}) {
      if (!isUuid(id)) return undefined
      const found = db
        .selectFrom('sessions')
        .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
        .selectAll('sessions')
        .select(sql<Row<'accounts'>>`row_to_json(accounts)`.as('account'))
        .where('sessions.id', '=', id)
      // The weakest lock that a deletion waits for; `touch` does not.
      const row = await (hold ? found.forKeyShare('sessions') : found).executeTakeFirst()
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
          proved_at: session.provedAt,
          user_agent: session.userAgent,
          email_verified: session.emailOwned,
          uses: [...session.uses],
        })
        .execute()
    },

    async touch(id, at, which) {
      if (!isUuid(id)) return false
      const session = db.updateTable('sessions').where('id', '=', id)
      const moved =
        'proof' in which
          ? session.set({ proved_at: sql<Date>`greatest(proved_at, ${at}::timestamptz)` })
          : session.set({ last_used_at: at }).where('last_used_at', '<=', which.unlessAfter)
      return (await moved.executeTakeFirst()).numUpdatedRows > 0n
    },

    async delete(accountId, which = { except: undefined }) {
      if (!isUuid(accountId)) return 0
      let ended = db.deleteFrom('sessions').where('account_id', '=', accountId)
      if ('id' in which) {
        if (!isUuid(which.id)) return 0
        if (which.use !== undefined) return endUse(db, accountId, which.id, which.use)
        ended = ended.where('id', '=', which.id)
      } else if (which.except !== undefined && isUuid(which.except)) ended = ended.where('id', '!=', which.except)
      return Number((await ended.executeTakeFirst()).numDeletedRows)
    },
  }
}

/** Ends one token of a session, and the session with its last one. */
async function endUse(db: Db, accountId: string, id: string, use: SessionUse): Promise<number> {
  const found = db.selectFrom('sessions').select('uses').where('id', '=', id).where('account_id', '=', accountId)
  // Waits for the transactions that hold the session.
  const session = await found.forUpdate().executeTakeFirst()
  if (!session?.uses.includes(use)) return 0
  const uses = session.uses.filter((each) => each !== use)
  if (uses.length === 0) await db.deleteFrom('sessions').where('id', '=', id).execute()
  else await db.updateTable('sessions').set({ uses }).where('id', '=', id).execute()
  return 1
}

async function listOfAccount(db: Db, accountId: string, now: Date, request: PageRequest) {
  const account = isUuid(accountId) ? accountId : null
  const open = db.selectFrom('sessions').where('account_id', '=', account).where('expires_at', '>', now)
  const counted = open.select((query) => query.fn.countAll<string>().as('count'))
  const query = open.selectAll().select(counted.as('total'))
  return listPage(query, request, {
    order: [desc('created_at', 'moment'), asc('id', 'uuid')],
    item: toSession,
    key: (session) => [session.createdAt.getTime(), session.id],
    counted,
  })
}

const toSession = (row: Row<'sessions'>): StoredSession => ({
  id: row.id,
  accountId: row.account_id,
  createdAt: toDate(row.created_at),
  expiresAt: toDate(row.expires_at),
  lastUsedAt: toDate(row.last_used_at),
  provedAt: toDate(row.proved_at),
  userAgent: row.user_agent,
  emailOwned: row.email_verified,
  uses: row.uses,
})
