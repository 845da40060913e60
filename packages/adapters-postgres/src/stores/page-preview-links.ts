import type { PagePreviewLink, PagePreviewLinkStore } from '@eep/core/ports'
import type { Db, Row } from '../database.ts'
import { databaseNow, isText, isUuid, toDate } from '../rows.ts'

/** Links with which others read drafts. */
export function pagePreviewLinks(db: Db): PagePreviewLinkStore {
  const valid = () => db.selectFrom('page_preview_links').selectAll().where('expires_at', '>', databaseNow)

  return {
    async list(pageId) {
      const rows = await valid().where('page_id', '=', pageId).orderBy('id', 'desc').execute()
      return rows.map(toLink)
    },

    async find(hash) {
      if (!isText(hash)) return undefined
      const row = await valid().where('hash', '=', hash).executeTakeFirst()
      return row && toLink(row)
    },

    async insert({ pageId, hash, createdBy, ownerAccountId, createdAt, expiresAt }, limit) {
      // Concurrent calls for a page wait here, and then count what the others stored.
      const page = await db
        .selectFrom('pages')
        .select('id')
        .where('id', '=', pageId)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (!page) return undefined
      const links = await valid().where('page_id', '=', pageId).limit(limit).execute()
      if (links.length >= limit) return 'full'
      const row = await db
        .insertInto('page_preview_links')
        .values({
          page_id: pageId,
          hash,
          created_by: createdBy,
          owner_account_id: ownerAccountId,
          created_at: createdAt,
          expires_at: expiresAt,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return toLink(row)
    },

    async delete(pageId, id) {
      const { numDeletedRows } = await db
        .deleteFrom('page_preview_links')
        .where('page_id', '=', pageId)
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    async deleteOfPage(pageId) {
      await db.deleteFrom('page_preview_links').where('page_id', '=', pageId).execute()
    },

    async deleteOfAccount(accountId) {
      if (isUuid(accountId)) await db.deleteFrom('page_preview_links').where('created_by', '=', accountId).execute()
    },
  }
}

/** Deletes the links of a profile that were made while another account owned it. */
export async function deleteLinksOfOthers(db: Db, profileId: number, ownerAccountId: string): Promise<void> {
  await db
    .deleteFrom('page_preview_links')
    .where('owner_account_id', '!=', ownerAccountId)
    .where('page_id', 'in', (query) => query.selectFrom('pages').select('pages.id').where('profile_id', '=', profileId))
    .execute()
}

const toLink = (row: Row<'page_preview_links'>): PagePreviewLink => ({
  id: Number(row.id),
  pageId: Number(row.page_id),
  createdBy: row.created_by,
  ownerAccountId: row.owner_account_id,
  createdAt: toDate(row.created_at),
  expiresAt: toDate(row.expires_at),
})
