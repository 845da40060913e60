import type { PageOutline } from '../../../ports/storage/content.ts'
import type { Readers, Stores } from '../../../ports/storage/storage.ts'
import { type CategoryTree, categoryTree, type Place, slugsOf } from './category-tree.ts'
import { slugTaken, unknownCategory } from './errors.ts'
import { firstFree, suggestSlug } from './slug.ts'

/** The item that is placed; it does not conflict with itself. */
export interface Placed {
  readonly kind: 'page' | 'category'
  /** Undefined while it is new. */
  readonly id?: number | undefined
}

/** The categories of a profile. They do not change while the profile is locked. */
export const readTree = async (tx: Stores, profileId: number): Promise<CategoryTree> =>
  categoryTree(await tx.categories.list({ profileId }))

/** Reads the categories above some pages and returns the slugs of each page from the top. */
export async function slugsTo(
  read: Pick<Readers, 'categories'>,
  pages: readonly Pick<PageOutline, 'categoryId' | 'slug'>[],
): Promise<(page: Pick<PageOutline, 'categoryId' | 'slug'>) => readonly string[]> {
  const ids = new Set(pages.flatMap(({ categoryId }) => categoryId ?? []))
  const tree = categoryTree(await read.categories.list({ withParents: [...ids] }))
  return ({ categoryId, slug }) => [...slugsOf(tree.lineTo(categoryId)), slug]
}

const OUTLINE_BATCH = 1_000

/** Every page in the categories of a transaction. */
export async function pagesIn(
  tx: Stores,
  profileId: number,
  categoryIds: readonly number[],
): Promise<readonly PageOutline[]> {
  const pages: PageOutline[] = []
  for (let cursor: string | undefined; ; ) {
    const found = await tx.pages.listOutline(profileId, { categoryIds, limit: OUTLINE_BATCH, cursor })
    pages.push(...found.items)
    cursor = found.nextCursor
    if (cursor === undefined) return pages
  }
}

/** Throws `unknown_category` for a place that this profile does not have. */
export function checkPlace(tree: CategoryTree, place: Place): void {
  if (place !== null && !tree.get(place)) throw unknownCategory()
}

/**
 * Finds out which slugs are taken in a place. Pages and categories share paths, so neither may have the slug of the
 * other. Needs the lock of the profile.
 */
export const createPlacement = (tx: Stores, tree: CategoryTree, profileId: number, place: Place, self: Placed) => {
  async function isTaken(slug: string): Promise<boolean> {
    const sibling = tree.childrenOf(place).find((category) => category.slug === slug)
    if (sibling && !(self.kind === 'category' && sibling.id === self.id)) return true
    const found = await tx.pages.getByPath(profileId, [...slugsOf(tree.lineTo(place)), slug])
    return found !== undefined && !(self.kind === 'page' && found.page.id === self.id)
  }

  return {
    /** Throws `slug_taken` when something else has the slug. */
    async check(slug: string): Promise<string> {
      if (await isTaken(slug)) throw slugTaken({ details: { slug } })
      return slug
    },
    /** A free slug made from a title. */
    async choose(title: string): Promise<string> {
      const n = await firstFree((number) => isTaken(suggestSlug(title, self.kind, number)))
      return suggestSlug(title, self.kind, n)
    },
  }
}
