import type { ScheduledPublication, ScheduledPublicationStore } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { databaseNow, isUuid, toDate } from '../rows.ts'

/** The times at which pages and drafts are published. */
export function scheduledPublications(db: Db): ScheduledPublicationStore {
  return {
    async list(pageIds) {
      const rows = await db
        .selectFrom('scheduled_publications')
        .selectAll()
        .where(sql<boolean>`page_id = any(${`{${pageIds.join()}}`}::text::bigint[])`)
        .execute()
      return rows.map(toPublication)
    },

    async listDue(afterPageId, limit) {
      const rows = await db
        .selectFrom('scheduled_publications')
        .selectAll()
        .where('publish_at', '<=', databaseNow)
        .where('page_id', '>', afterPageId)
        .orderBy('page_id')
        .limit(limit)
        .execute()
      return rows.map(toPublication)
    },

    async put({ pageId, publishAt, scheduledBy }) {
      const page = await db.selectFrom('pages').select('id').where('id', '=', pageId).forKeyShare().executeTakeFirst()
      if (!page) return false
      const columns = { publish_at: publishAt, scheduled_by: scheduledBy }
      await db
        .insertInto('scheduled_publications')
        .values({ page_id: pageId, ...columns })
        .onConflict((conflict) => conflict.column('page_id').doUpdateSet(columns))
        .execute()
      return true
    },

    async delete(pageId) {
      const { numDeletedRows } = await db
        .deleteFrom('scheduled_publications')
        .where('page_id', '=', pageId)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    async deleteOfAccount(accountId) {
      if (!isUuid(accountId)) return
      await db.deleteFrom('scheduled_publications').where('scheduled_by', '=', accountId).execute()
    },

    async takeDue(pageId) {
      const row = await db
        .deleteFrom('scheduled_publications')
        .where('page_id', '=', pageId)
        .where('publish_at', '<=', databaseNow)
        .returningAll()
        .executeTakeFirst()
      return row && toPublication(row)
    },
  }
}

const toPublication = (row: Row<'scheduled_publications'>): ScheduledPublication => ({
  pageId: Number(row.page_id),
  publishAt: toDate(row.publish_at),
  scheduledBy: row.scheduled_by,
})
