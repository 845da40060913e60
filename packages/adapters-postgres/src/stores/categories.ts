import type { Category, CategoryStore } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db, Row } from '../database.ts'
import { isText, toDate, toNumberOrNull, unlessTaken } from '../rows.ts'

export function categories(db: Db): CategoryStore {
  return {
    async get(key) {
      if (typeof key === 'number') {
        const row = await db.selectFrom('categories').selectAll().where('id', '=', key).executeTakeFirst()
        return row && toCategory(row)
      }
      const { profileId, slugs } = key
      if (slugs.length === 0 || !isText(...slugs)) return undefined
      const row = await withPath(db, profileId, slugs)
        .selectFrom('path')
        .selectAll()
        .where('depth', '=', slugs.length)
        .executeTakeFirst()
      return row && toCategory(row)
    },

    list: (which) =>
      'profileId' in which ? listOfProfile(db, which.profileId) : listWithParents(db, which.withParents),

    async countPages(profileId, ids) {
      let counts = db
        .selectFrom('page_counts')
        .select(['place_id', sql<string>`sum(count)`.as('count')])
        .where('profile_id', '=', profileId)
        .where('place_id', '!=', 0)
        .where('count', '>', 0)
      if (ids !== undefined) counts = counts.where(sql<boolean>`place_id = any(${ids}::bigint[])`)
      const rows = await counts.groupBy('place_id').execute()
      return new Map(rows.map((row) => [Number(row.place_id), Number(row.count)]))
    },

    async insert(category) {
      const row = await db
        .insertInto('categories')
        .values({
          profile_id: category.profileId,
          parent_id: category.parentId,
          name: category.name,
          slug: category.slug,
          description: category.description,
          icon: category.icon,
          visibility: category.visibility,
          position: category.position,
          created_at: category.createdAt,
          updated_at: category.createdAt,
        })
        .onConflict((conflict) => conflict.columns(['parent_id', 'profile_id', 'slug']).doNothing())
        .returningAll()
        .executeTakeFirst()
      return row && toCategory(row)
    },

    async save(id, changes) {
      const update = () =>
        db
          .updateTable('categories')
          .set({
            parent_id: changes.parentId,
            name: changes.name,
            slug: changes.slug,
            description: changes.description,
            icon: changes.icon,
            visibility: changes.visibility,
            position: changes.position,
            updated_at: changes.updatedAt,
          })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst()
      const moves = changes.slug !== undefined || changes.parentId !== undefined
      const row = await (moves ? unlessTaken(db, update) : update())
      return row && toCategory(row)
    },

    async delete(id) {
      const { numDeletedRows } = await db.deleteFrom('categories').where('id', '=', id).executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

async function listOfProfile(db: Db, profileId: number) {
  const rows = await db
    .selectFrom('categories')
    .selectAll()
    .where('profile_id', '=', profileId)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(toCategory)
}

async function listWithParents(db: Db, ids: readonly number[]) {
  if (ids.length === 0) return []
  const rows = await db
    .withRecursive('above', (cte) =>
      cte
        .selectFrom('categories')
        .select(['id', 'parent_id'])
        .where(sql<boolean>`id = any(${ids}::bigint[])`)
        // Not `union all`, so that an ancestor of many of them is read once. The columns are named, because a later release
        // may add one of a type without equality.
        .union(
          cte
            .selectFrom('above')
            .innerJoin('categories', 'categories.id', 'above.parent_id')
            .select(['categories.id', 'categories.parent_id']),
        ),
    )
    .selectFrom('above')
    .innerJoin('categories', 'categories.id', 'above.id')
    .selectAll('categories')
    .execute()
  return rows.map(toCategory)
}

/** A query with a table `path`: the categories that the slugs lead through from the top, with their depth from 1 on. */
export const withPath = (db: Db, profileId: number, slugs: readonly string[]) =>
  db.withRecursive('path', (cte) =>
    cte
      .selectFrom('categories')
      .selectAll('categories')
      .select(sql<number>`1`.as('depth'))
      .where('profile_id', '=', profileId)
      .where('parent_id', 'is', null)
      .where('slug', '=', slugs[0] ?? '')
      .unionAll(
        cte
          .selectFrom('path')
          .innerJoin('categories', 'categories.parent_id', 'path.id')
          .selectAll('categories')
          .select(sql<number>`path.depth + 1`.as('depth'))
          .where('categories.slug', '=', sql<string>`(${slugs}::text[])[path.depth + 1]`),
      ),
  )

export const toCategory = (row: Row<'categories'>): Category => ({
  id: Number(row.id),
  profileId: Number(row.profile_id),
  parentId: toNumberOrNull(row.parent_id),
  name: row.name,
  slug: row.slug,
  description: row.description,
  icon: row.icon,
  visibility: row.visibility,
  position: Number(row.position),
  createdAt: toDate(row.created_at),
  updatedAt: toDate(row.updated_at),
})
