import type { Category, PageOutline } from '../content/index.ts'

/** A published page in the table of contents. */
export interface ContentsEntry {
  readonly page: PageOutline
  /** Its slugs from the top, its own last. */
  readonly path: string
}

/**
 * The pages that everybody may know of, in their order: the published ones below public categories only. Whether they
 * cost something is another matter.
 */
export function publicContents(
  categories: readonly Category[],
  pages: readonly PageOutline[],
): readonly ContentsEntry[] {
  const byId = new Map(categories.map((category) => [category.id, category]))

  const pathOf = (categoryId: number | null): readonly string[] | undefined => {
    const slugs: string[] = []
    for (let id = categoryId; id !== null; ) {
      const category = byId.get(id)
      if (category?.visibility !== 'public' || slugs.length > byId.size) return undefined
      slugs.unshift(category.slug)
      id = category.parentId
    }
    return slugs
  }

  return pages.flatMap((page) => {
    const slugs = page.status === 'published' ? pathOf(page.categoryId) : undefined
    return slugs ? [{ page, path: [...slugs, page.slug].join('/') }] : []
  })
}
