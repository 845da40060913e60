import type { OrderingStore } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { isOrderOf, putInOrder } from '../rows.ts'

/** The order of pages and categories. */
export function ordering(db: Db): OrderingStore {
  return {
    async reorderPages({ profileId, categoryId }, ids) {
      const held = await db
        .selectFrom('pages')
        .select('id')
        .where('profile_id', '=', profileId)
        .where(sql<boolean>`coalesce(category_id, 0) = ${categoryId ?? 0}`)
        .orderBy('id')
        .forUpdate()
        .execute()
      if (!isOrderOf(held, ids)) return false
      await putInOrder(db, 'pages', ids)
      return true
    },

    async reorderCategories({ profileId, parentId }, ids) {
      const held = await db
        .selectFrom('categories')
        .select('id')
        .where('profile_id', '=', profileId)
        .where('parent_id', 'is not distinct from', parentId)
        .orderBy('id')
        .forUpdate()
        .execute()
      if (!isOrderOf(held, ids)) return false
      await putInOrder(db, 'categories', ids)
      return true
    },
  }
}
