import type { Category } from '../../../ports/storage/content.ts'

/** Null is the top level. */
export type Place = number | null

/** The categories of a profile as a tree. */
export interface CategoryTree {
  readonly size: number
  get(id: number): Category | undefined
  /** The categories in a place, in their order. */
  childrenOf(place: Place): readonly Category[]
  /** The path of categories to a place, ending with its category. Empty for the top level. */
  lineTo(place: Place): readonly Category[]
  /** A category and all of its descendants. */
  within(id: number): readonly Category[]
  /** The height of the subtree of a category: 1 without children. */
  heightOf(id: number): number
  /** Whether the content of a place is public. */
  isPublic(place: Place): boolean
}

/** Arranges the categories of one profile, which the store keeps free of cycles. */
export function categoryTree(categories: readonly Category[]): CategoryTree {
  const byId = new Map(categories.map((category) => [category.id, category]))
  const byParent = Map.groupBy(categories, ({ parentId }) => parentId)
  const childrenOf = (place: Place) => byParent.get(place) ?? []

  function lineTo(place: Place): readonly Category[] {
    const line: Category[] = []
    for (let id = place; id !== null; ) {
      const category = byId.get(id)
      if (!category) break
      // A store that let a cycle in must not keep this process busy forever.
      if (line.length === byId.size) throw new Error(`the categories above ${place} form a cycle`)
      line.unshift(category)
      id = category.parentId
    }
    return line
  }

  function within(id: number): readonly Category[] {
    const category = byId.get(id)
    return category ? [category, ...childrenOf(id).flatMap((child) => within(child.id))] : []
  }

  const heightOf = (id: number): number => 1 + Math.max(0, ...childrenOf(id).map((child) => heightOf(child.id)))

  return {
    size: byId.size,
    get: (id) => byId.get(id),
    childrenOf,
    lineTo,
    within,
    heightOf,
    isPublic: (place) => isPublicLine(lineTo(place)),
  }
}

/** Whether all categories of a path are public. */
export const isPublicLine = (line: readonly Category[]): boolean =>
  line.every(({ visibility }) => visibility === 'public')

export const slugsOf = (line: readonly Pick<Category, 'slug'>[]): string[] => line.map(({ slug }) => slug)
