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

    async putDeleted(paths, at) {
      const pageIds = paths.flatMap(({ target }) => ('pageId' in target ? [target.pageId] : []))
      const categoryIds = paths.flatMap(({ target }) => ('categoryId' in target ? [target.categoryId] : []))
      await db
        .updateTable('old_paths')
        .set({ page_id: null, category_id: null })
        .where(sql<boolean>`page_id = any(${pageIds}::bigint[]) or category_id = any(${categoryIds}::bigint[])`)
        .execute()
      const rows = sql<Pick<Row<'old_paths'>, 'profile_id' | 'path' | 'slug' | 'place_id'>>`unnest(
        ${paths.map(({ profileId }) => profileId)}::bigint[], ${paths.map(({ path }) => path)}::text[],
        ${paths.map(({ slug }) => slug)}::text[], ${paths.map(({ placeId }) => placeId)}::bigint[]
      )`.as<'deleted'>(sql`deleted (profile_id, path, slug, place_id)`)
      await db
        .insertInto('old_paths')
        .columns(['profile_id', 'path', 'slug', 'place_id', 'created_at'])
        .expression((query) =>
          query
            .selectFrom(rows)
            .select(['profile_id', 'path', 'slug', 'place_id', sql<Date>`${at}::timestamptz`.as('created_at')]),
        )
        .onConflict((conflict) => conflict.columns(['profile_id', 'path']).doNothing())
        .execute()
    },
  }
}

const toOldPath = (row: Row<'old_paths'>): OldPath => ({
  profileId: Number(row.profile_id),
  path: row.path,
  slug: row.slug,
  placeId: toNumberOrNull(row.place_id),
  target: targetOf(row),
})

function targetOf({ page_id, category_id }: Pick<Row<'old_paths'>, 'page_id' | 'category_id'>): OldPath['target'] {
  if (page_id !== null) return { pageId: Number(page_id) }
  return category_id === null ? null : { categoryId: Number(category_id) }
}
