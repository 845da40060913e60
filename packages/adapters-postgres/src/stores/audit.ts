import type { AuditEntry, AuditStore, JsonObject } from '@eep/core/ports'
import type { Db, Row } from '../database.ts'
import { deleteSelected } from '../delete-selected.ts'
import { desc, listPage } from '../list-page.ts'
import { isText, json, toDate } from '../rows.ts'

export function audit(db: Db): AuditStore {
  return {
    async list({ target }, request) {
      if (target !== undefined && !isText(target)) return { items: [], total: 0 }
      const entries = db
        .selectFrom('admin_audit')
        .$if(target !== undefined, (query) => query.where('target', '=', target as string))
      const counted = entries.select(({ fn }) => fn.countAll<number | string>().as('count'))
      const query = entries.selectAll().select(counted.as('total'))
      return listPage(query, request, {
        order: [desc('id', 'number')],
        item: toEntry,
        key: ({ id }) => [id],
        counted,
      })
    },

    async append({ actorAccountId, action, target, before, after, at }) {
      await db
        .insertInto('admin_audit')
        .values({ actor_account_id: actorAccountId, action, target, before: json(before), after: json(after), at })
        .execute()
    },

    prune: (before, limit) =>
      deleteSelected(db, 'admin_audit', ['id'], (rows) => rows.where('at', '<', before).orderBy('at').limit(limit)),

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
