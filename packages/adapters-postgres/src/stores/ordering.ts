import type { OrderingStore, OrderOutcome } from '@eep/core/ports'
import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { isOrderOf, putInOrder } from '../rows.ts'

/** An item of a place. */
interface Held {
  readonly id: number | string
  readonly position: number | string
}

/** Whether the items are these, in this order. */
function areInOrder(held: readonly Held[], ids: readonly number[]): boolean {
  const sorted = held
    .map(({ id, position }) => ({ id: Number(id), position: Number(position) }))
    .sort((one, other) => one.position - other.position || one.id - other.id)
  return sorted.length === ids.length && sorted.every(({ id }, index) => id === ids[index])
}

/** Orders the items of a place, which the transaction has locked. */
async function order(
  db: Db,
  table: 'pages' | 'categories',
  held: readonly Held[],
  ids: readonly number[],
  previousIds: readonly number[] | undefined,
): Promise<OrderOutcome> {
  if (previousIds && !areInOrder(held, previousIds)) return 'moved'
  if (!isOrderOf(held, ids)) return 'invalid'
  await putInOrder(db, table, ids)
  return 'ordered'
}

/** The order of pages and categories. */
export function ordering(db: Db): OrderingStore {
  return {
    async reorderPages({ profileId, categoryId }, ids, previousIds) {
      const held = await db
        .selectFrom('pages')
        .select(['id', 'position'])
        .where('profile_id', '=', profileId)
        .where(sql<boolean>`coalesce(category_id, 0) = ${categoryId ?? 0}`)
        .orderBy('id')
        .forUpdate()
        .execute()
      return order(db, 'pages', held, ids, previousIds)
    },

    async reorderCategories({ profileId, parentId }, ids, previousIds) {
      const held = await db
        .selectFrom('categories')
        .select(['id', 'position'])
        .where('profile_id', '=', profileId)
        .where('parent_id', 'is not distinct from', parentId)
        .orderBy('id')
        .forUpdate()
        .execute()
      return order(db, 'categories', held, ids, previousIds)
    },
  }
}
