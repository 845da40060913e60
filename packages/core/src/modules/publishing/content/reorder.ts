import { type ErrorDefinition, isEepError } from '../../../kernel/errors.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import type { ContentAccess } from './access.ts'
import type { Place } from './category-tree.ts'
import { categoryNotFound, invalidOrder, pageNotFound, preconditionFailed, unknownCategory } from './errors.ts'
import { categoriesReordered, pagesReordered } from './events.ts'

export interface ReorderDeps extends GuardedStorage {
  readonly access: ContentAccess
}

/** The items and their new order. */
export interface Order {
  readonly kind: 'pages' | 'categories'
  readonly profileId?: number | undefined
  /** Their place; null is the top level. Default: the place of the first item. */
  readonly parentId?: Place | undefined
  readonly ids: readonly number[]
  /** The ids in the order that the caller has seen. Default: the order is replaced whatever it is. */
  readonly previousIds?: readonly number[] | undefined
}

/** Reorders pages and categories. */
export function createReorder({ read, write, access }: ReorderDeps) {
  /** The place of the items, for callers who may change it; an id that the caller cannot see is invalid. */
  async function placeOf(kind: Order['kind'], id: number, caller: Caller): Promise<{ profile: Profile; place: Place }> {
    try {
      if (kind === 'pages') {
        const { profile, page } = await access.page(id, caller, 'content.edit')
        return { profile, place: page.categoryId }
      }
      const { profile, category } = await access.category(id, caller, 'content.edit')
      return { profile, place: category.parentId }
    } catch (error) {
      throw is(error, pageNotFound) || is(error, categoryNotFound) ? invalidOrder() : error
    }
  }

  async function resolve({ kind, profileId, parentId, ids }: Order, caller: Caller) {
    if (profileId !== undefined && parentId !== undefined) {
      const profile = await access.profile(profileId, caller, 'content.edit')
      const isOurs = parentId === null || (await read.categories.get(parentId))?.profileId === profileId
      if (!isOurs) throw unknownCategory()
      return { profile, place: parentId }
    }
    if (typeof parentId === 'number') {
      const { profile } = await access.category(parentId, caller, 'content.edit')
      return { profile, place: parentId }
    }
    if (profileId !== undefined) await access.profile(profileId, caller, 'content.edit')
    const found = await placeOf(kind, ids[0] ?? 0, caller)
    if (profileId !== undefined && found.profile.id !== profileId) throw invalidOrder()
    return { profile: found.profile, place: parentId === undefined ? found.place : parentId }
  }

  return async function reorder(order: Order, caller: Caller): Promise<void> {
    const { kind, ids, previousIds } = order
    const { profile, place } = await resolve(order, caller)
    const { id: profileId } = profile
    await write(async (tx, emit) => {
      await access.lock(tx, profileId, caller, 'content.edit')
      const { ordering } = requireGroup(tx, 'ordering')
      const outcome =
        kind === 'pages'
          ? await ordering.reorderPages({ profileId, categoryId: place }, ids, previousIds)
          : await ordering.reorderCategories({ profileId, parentId: place }, ids, previousIds)
      if (outcome === 'moved') throw preconditionFailed({ message: 'The order was changed since you read it' })
      if (outcome === 'invalid') throw invalidOrder()
      const origin = { profileId, accountId: caller.account.id }
      if (kind === 'pages') emit(pagesReordered, { categoryId: place }, origin)
      else emit(categoriesReordered, { parentId: place }, origin)
    })
  }
}

const is = (error: unknown, { code }: ErrorDefinition) => isEepError(error) && error.code === code
