import type { Clock } from '../../../kernel/clock.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Category, CategoryChanges, NewCategory } from '../../../ports/storage/content.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import { inBatches } from '../../../runtime/consumers/batches.ts'
import type { Emit, EventOrigin } from '../../../runtime/events/define-event.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { ContentAccess } from './access.ts'
import { type CategoryTree, categoryTree, slugsOf } from './category-tree.ts'
import {
  categoryCycle,
  categoryNotEmpty,
  categoryNotFound,
  categoryTooDeep,
  slugTaken,
  tooManyCategories,
} from './errors.ts'
import { categoryDeleted, categorySaved, pageDeleted, pageHidden, pageRevealed } from './events.ts'
import { createGateGuard } from './gate-guard.ts'
import { categoryLeaves, contentIsDeleted } from './old-paths.ts'
import { type PageSnapshots, pageEventData } from './page-snapshot.ts'
import { checkPlace, createPlacement, pagesIn, readTree } from './placement.ts'

/** The maximum depth of categories. */
const MAX_DEPTH = 8

/** The maximum number of categories of a profile, whose tree is always read completely. */
const MAX_CATEGORIES = 1_000

/** How many pages are deleted with a category in one transaction. */
const PAGES_AT_ONCE = 50

export interface CategoryDeps extends GuardedStorage {
  readonly clock: Clock
  readonly pageSnapshots: PageSnapshots
  readonly access: ContentAccess
}

/** A category, its slugs from the top level, and the number of its direct pages. */
export interface PlacedCategory {
  readonly profile: Profile
  readonly category: Category
  readonly slugs: readonly string[]
  readonly pageCount: number
}

export interface CategoryNode extends PlacedCategory {
  readonly children: readonly CategoryNode[]
}

export type CategoryDraft = Omit<NewCategory, 'slug' | 'position' | 'createdAt'> & {
  /** Default: derived from the name. */
  readonly slug?: string | undefined
  /** Default: after its siblings. */
  readonly position?: number | undefined
}

export type CategoryEdits = {
  readonly [Field in keyof Omit<CategoryChanges, 'updatedAt'>]?: CategoryChanges[Field] | undefined
}

/** A category that was saved, and the tree before. */
interface ChangedCategory {
  /** As its lock returned it. */
  readonly profile: Profile
  readonly before: CategoryTree
  readonly id: number
  readonly origin: EventOrigin
}

const checkDepth = (depth: number) => {
  if (depth > MAX_DEPTH) throw categoryTooDeep({ details: { max_depth: MAX_DEPTH } })
}

/** Categories of profiles, for their teams. */
export function createCategories({ read, write, clock, access, pageSnapshots }: CategoryDeps) {
  const gateGuard = createGateGuard(access)

  async function readAll(profileId: number) {
    const [categories, counts] = await Promise.all([
      read.categories.list({ profileId }),
      read.categories.countPages(profileId),
    ])
    return { tree: categoryTree(categories), counts }
  }

  const placeIn = (
    profile: Profile,
    { tree, counts }: { readonly tree: CategoryTree; readonly counts: ReadonlyMap<number, number> },
    category: Category,
  ): PlacedCategory => ({
    profile,
    category,
    slugs: slugsOf(tree.lineTo(category.id)),
    pageCount: counts.get(category.id) ?? 0,
  })

  /** A category with its path and page count. */
  async function place(profile: Profile, category: Category): Promise<PlacedCategory> {
    const [above, counts] = await Promise.all([
      read.categories.list({ withParents: [category.id] }),
      read.categories.countPages(profile.id, [category.id]),
    ])
    return placeIn(profile, { tree: categoryTree(above), counts }, category)
  }

  /** Emits an event for each published page that became public, or stopped being public, with a category above it. */
  async function announcePages(tx: Stores, emit: Emit, { profile, before, id, origin }: ChangedCategory) {
    const after = await readTree(tx, profile.id)
    const changed = before.within(id).filter((category) => before.isPublic(category.id) !== after.isPublic(category.id))
    if (changed.length === 0) return
    const ids = changed.map((category) => category.id)
    const pages = (await pagesIn(tx, profile.id, ids)).filter(({ status }) => status === 'published')
    const seen = await pageSnapshots(tx, profile, pages, before)
    for (const [index, page] of pages.entries()) {
      const data = pageEventData(page)
      if (before.isPublic(page.categoryId))
        emit(pageHidden, { ...data, previousPublicPage: seen[index] ?? null }, origin)
      else emit(pageRevealed, data, origin)
    }
  }

  return {
    async tree(profileId: number, caller: Caller): Promise<{ roots: readonly CategoryNode[]; total: number }> {
      const profile = await access.profile(profileId, caller, 'content.read_drafts')
      const all = await readAll(profileId)
      const nodes = (parent: number | null): readonly CategoryNode[] =>
        all.tree
          .childrenOf(parent)
          .map((category) => ({ ...placeIn(profile, all, category), children: nodes(category.id) }))
      return { roots: nodes(null), total: all.tree.size }
    },

    async get(id: number, caller: Caller): Promise<PlacedCategory> {
      const { profile, category } = await access.category(id, caller, 'content.read_drafts')
      return place(profile, category)
    },

    async create({ slug: wanted, position, ...draft }: CategoryDraft, caller: Caller): Promise<PlacedCategory> {
      const profile = await access.profile(draft.profileId, caller, 'content.edit')
      return write(async (tx, emit) => {
        await access.lock(tx, profile.id, caller, 'content.edit')
        const tree = await readTree(tx, profile.id)
        if (tree.size >= MAX_CATEGORIES) throw tooManyCategories({ details: { max_categories: MAX_CATEGORIES } })
        checkPlace(tree, draft.parentId)
        const line = tree.lineTo(draft.parentId)
        checkDepth(line.length + 1)
        const placement = createPlacement(tx, tree, profile.id, draft.parentId, { kind: 'category' })
        const slug = wanted === undefined ? await placement.choose(draft.name) : await placement.check(wanted)
        const last = tree.childrenOf(draft.parentId).at(-1)
        const category = await tx.categories.insert({
          ...draft,
          slug,
          position: position ?? (last ? last.position + 1 : 0),
          createdAt: clock(),
        })
        if (!category) throw slugTaken({ details: { slug } })
        const origin = { profileId: profile.id, accountId: caller.account.id }
        emit(categorySaved, { categoryId: category.id, slug, isMoved: false }, origin)
        return { profile, category, slugs: [...slugsOf(line), slug], pageCount: 0 }
      })
    },

    async update(id: number, edits: CategoryEdits, caller: Caller): Promise<PlacedCategory> {
      const { profile } = await access.category(id, caller, 'content.edit')
      const category = await write(async (tx, emit) => {
        const locked = await access.lock(tx, profile.id, caller, 'content.edit')
        const tree = await readTree(tx, profile.id)
        const before = tree.get(id)
        if (!before) throw categoryNotFound()
        const parentId = edits.parentId === undefined ? before.parentId : edits.parentId
        const slug = edits.slug ?? before.slug
        checkPlace(tree, parentId)
        const line = tree.lineTo(parentId)
        if (line.some((ancestor) => ancestor.id === id)) throw categoryCycle()
        checkDepth(line.length + tree.heightOf(id))
        await createPlacement(tx, tree, profile.id, parentId, { kind: 'category', id }).check(slug)
        if (slug !== before.slug || parentId !== before.parentId) {
          const move = { profileId: profile.id, from: slugsOf(tree.lineTo(id)), to: [...slugsOf(line), slug] }
          await gateGuard.category(tx, move, caller)
        }
        const at = clock()
        const saved = await tx.categories.save(id, { ...edits, updatedAt: at } as CategoryChanges)
        if (!saved) throw slugTaken({ details: { slug } })
        const isMoved = saved.slug !== before.slug || saved.parentId !== before.parentId
        if (isMoved) await categoryLeaves(tx, tree.lineTo(id), at)
        const origin = { profileId: profile.id, accountId: caller.account.id }
        emit(categorySaved, { categoryId: id, slug, isMoved }, origin)
        const mayChangeSides = saved.visibility !== before.visibility || saved.parentId !== before.parentId
        if (mayChangeSides) await announcePages(tx, emit, { profile: locked, before: tree, id, origin })
        return saved
      })
      return place(profile, category)
    },

    async delete(id: number, caller: Caller, { cascade }: { readonly cascade: boolean }): Promise<void> {
      const { profile } = await access.category(id, caller, 'content.delete')
      const deletePart = async (tx: Stores, emit: Emit): Promise<number> => {
        const locked = await access.lock(tx, profile.id, caller, 'content.delete')
        const tree = await readTree(tx, profile.id)
        const doomed = tree.within(id)
        if (doomed.length === 0) throw categoryNotFound()
        const ids = doomed.map((category) => category.id)
        if (!cascade) {
          const counts = await tx.categories.countPages(profile.id, ids)
          const pages = [...counts.values()].reduce((sum, count) => sum + count, 0)
          const categories = doomed.length - 1
          if (pages > 0 || categories > 0) throw categoryNotEmpty({ details: { pages, categories } })
        }
        const below = { categoryIds: ids, limit: PAGES_AT_ONCE }
        const { items: pages, nextCursor } = await tx.pages.listOutline(profile.id, below)
        const categories = nextCursor === undefined ? doomed : []
        const seen = await pageSnapshots(tx, locked, pages, tree)
        await contentIsDeleted(tx, tree, { pages, categories }, clock())
        for (const page of pages) await tx.pages.delete(page.id)
        if (nextCursor === undefined) await tx.categories.delete(id)
        const origin = { profileId: profile.id, accountId: caller.account.id }
        for (const [index, page] of pages.entries()) {
          emit(pageDeleted, { ...pageEventData(page), previousPublicPage: seen[index] ?? null }, origin)
        }
        for (const { id: categoryId, slug } of categories) emit(categoryDeleted, { categoryId, slug }, origin)
        return nextCursor === undefined ? 0 : pages.length
      }
      await inBatches(() => write(deletePart))
    },
  }
}
