import type { SandboxMail, SandboxMailStore } from '@eep/core/ports'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../database.ts'
import { isUuid, toDate } from '../rows.ts'
import { type SandboxTables, sandboxDb } from './sandbox-tables.ts'

const toMail = (row: Selectable<SandboxTables['sandbox_mail']>): SandboxMail => ({
  id: row.id,
  to: row.to_address,
  subject: row.subject,
  html: row.html,
  text: row.body,
  sentAt: toDate(row.sent_at),
})

export function sandboxMail(database: Db): SandboxMailStore {
  const db = sandboxDb(database)

  return {
    async get(id) {
      if (!isUuid(id)) return undefined
      const row = await db.selectFrom('sandbox_mail').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toMail(row)
    },

    async list(limit) {
      const rows = await db
        .selectFrom('sandbox_mail')
        .selectAll()
        .orderBy('sent_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute()
      return rows.map(toMail)
    },

    async insert({ id, to, subject, html, text, sentAt }, keep) {
      await db
        .insertInto('sandbox_mail')
        .values({ id, to_address: to, subject, html, body: text, sent_at: sentAt })
        .execute()
      const kept = db
        .selectFrom('sandbox_mail')
        .select('id')
        .orderBy('sent_at', 'desc')
        .orderBy('id', 'desc')
        .limit(keep)
      await db.deleteFrom('sandbox_mail').where('id', 'not in', kept).execute()
    },

    async eraseAccount({ id, email }) {
      await db.deleteFrom('sandbox_plans').where('account_id', '=', id).execute()
      await db.deleteFrom('sandbox_mail').where(sql`lower(to_address)`, '=', email.toLowerCase()).execute()
      await db
        .updateTable('sandbox_payments')
        .set({ email: null })
        .where(sql`lower(email)`, '=', email.toLowerCase())
        .execute()
    },
  }
}
