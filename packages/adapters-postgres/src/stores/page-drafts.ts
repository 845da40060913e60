import type { PageDraft, PageDraftStore } from '@eep/core/ports'
import type { Db, Row } from '../database.ts'
import { isUuid, toDate, toNumberOrNull } from '../rows.ts'

/** Drafts of published pages. */
export function pageDrafts(db: Db): PageDraftStore {
  return {
    async get(pageId) {
      const row = await db.selectFrom('page_drafts').selectAll().where('page_id', '=', pageId).executeTakeFirst()
      return row && toPageDraft(row)
    },

    async put({ pageId, ...draft }, replaces) {
      const columns = {
        title: draft.title,
        body: draft.body,
        excerpt: draft.excerpt,
        cover_file_id: draft.coverFileId,
        base_version: draft.baseVersion,
        revision: draft.revision,
        updated_at: draft.updatedAt,
        updated_by: draft.updatedBy,
      }
      if (replaces !== null) {
        if (!isUuid(replaces)) return false
        const { numUpdatedRows } = await db
          .updateTable('page_drafts')
          .set(columns)
          .where('page_id', '=', pageId)
          .where('revision', '=', replaces)
          .executeTakeFirst()
        return numUpdatedRows > 0n
      }
      const page = await db.selectFrom('pages').select('id').where('id', '=', pageId).forKeyShare().executeTakeFirst()
      if (!page) return false
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('page_drafts')
        .values({ page_id: pageId, ...columns })
        .onConflict((conflict) => conflict.column('page_id').doNothing())
        .executeTakeFirst()
      return (numInsertedOrUpdatedRows ?? 0n) > 0n
    },

    async take(pageId, revision) {
      if (!isUuid(revision)) return false
      const { numDeletedRows } = await db
        .deleteFrom('page_drafts')
        .where('page_id', '=', pageId)
        .where('revision', '=', revision)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

const toPageDraft = (row: Row<'page_drafts'>): PageDraft => ({
  pageId: Number(row.page_id),
  title: row.title,
  body: row.body,
  excerpt: row.excerpt,
  coverFileId: toNumberOrNull(row.cover_file_id),
  baseVersion: row.base_version,
  revision: row.revision,
  updatedAt: toDate(row.updated_at),
  updatedBy: row.updated_by,
})
