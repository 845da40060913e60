import type { OldPath, OldPathStore } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { isText, toNumberOrNull } from '../rows.ts'

export function oldPaths(db: Db): OldPathStore {
  return {
    async list(profileId, slugs, limit) {
      const asked = slugs.filter((slug) => isText(slug))
      if (asked.length === 0) return []
      const rows = await db
        .selectFrom('old_paths')
        .selectAll()
        .where('profile_id', '=', profileId)
        .where(sql<boolean>`slug = any(${asked}::text[])`)
        .orderBy('created_at', 'desc')
        .orderBy('path')
        .limit(limit)
        .execute()
      return rows.map(toOldPath)
    },

    async put({ profileId, path, slug, placeId, target }, at) {
      const led = {
        slug,
        place_id: placeId,
        page_id: 'pageId' in target ? target.pageId : null,
        category_id: 'categoryId' in target ? target.categoryId : null,
        created_at: at,
      }
      await db
        .insertInto('old_paths')
        .values({ profile_id: profileId, path, ...led })
        .onConflict((conflict) => conflict.columns(['profile_id', 'path']).doUpdateSet(led))
        .execute()
    },
  }
}

const toOldPath = (row: Row<'old_paths'>): OldPath => ({
  profileId: Number(row.profile_id),
  path: row.path,
  slug: row.slug,
  placeId: toNumberOrNull(row.place_id),
  target: row.page_id === null ? { categoryId: Number(row.category_id) } : { pageId: Number(row.page_id) },
})
