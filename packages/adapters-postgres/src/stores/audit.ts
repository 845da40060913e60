import { type AuditEntry, type AuditStore, decodeCursor, type JsonObject } from '@eep/core/ports'
import type { Db, Row } from '../database.ts'
import { isText, json, toCountedPage, toDate, wholeNumber } from '../rows.ts'

export function audit(db: Db): AuditStore {
  return {
    async list({ target }, request) {
      if (target !== undefined && !isText(target)) return { items: [], total: 0 }
      const entries = db
        .selectFrom('admin_audit')
        .$if(target !== undefined, (query) => query.where('target', '=', target as string))
      const total = entries.select(({ fn }) => fn.countAll<number | string>().as('count'))
      const behind = request.cursor === undefined ? undefined : wholeNumber(decodeCursor(request.cursor, ['number'])[0])
      const rows = await entries
        .selectAll()
        .select(total.as('total'))
        .$if(behind !== undefined, (query) => query.where('id', '<', behind as number))
        .orderBy('id', 'desc')
        .limit(request.limit + 1)
        .execute()
      return toCountedPage(rows, request, {
        item: toEntry,
        key: ({ id }) => [id],
        count: async () => (await total.executeTakeFirstOrThrow()).count,
      })
    },

    async append({ actorAccountId, action, target, before, after, at }) {
      await db
        .insertInto('admin_audit')
        .values({ actor_account_id: actorAccountId, action, target, before: json(before), after: json(after), at })
        .execute()
    },

    async eraseAccount({ id }) {
      await db
        .updateTable('admin_audit')
        .set({ target: 'accounts/erased', before: json<JsonObject>({}), after: json<JsonObject>({}) })
        .where('target', '=', `accounts/${id}`)
        .execute()
      await db.updateTable('admin_audit').set({ actor_account_id: null }).where('actor_account_id', '=', id).execute()
    },
  }
}

const toEntry = (row: Row<'admin_audit'>): AuditEntry => ({
  id: Number(row.id),
  actorAccountId: row.actor_account_id,
  action: row.action,
  target: row.target,
  before: row.before,
  after: row.after,
  at: toDate(row.at),
})
