import type { Category, PageOutline } from '../../../ports/storage/content.ts'
import type { Readers } from '../../../ports/storage/storage.ts'

/** A published page in the table of contents. */
export interface ContentsEntry {
  readonly page: PageOutline
  /** Its slugs from the top, its own last. */
  readonly path: string
}

/** Finds the slugs that lead to a category from the top; undefined where not all of them are public. */
function publicPaths(categories: readonly Category[]) {
  const byId = new Map(categories.map((category) => [category.id, category]))
  return (categoryId: number | null): readonly string[] | undefined => {
    const slugs: string[] = []
    for (let id = categoryId; id !== null; ) {
      const category = byId.get(id)
      if (category?.visibility !== 'public' || slugs.length > byId.size) return undefined
      slugs.unshift(category.slug)
      id = category.parentId
    }
    return slugs
  }
}

/**
 * The public pages in their order: published, below public categories only. Gates are not evaluated.
 */
export function publicContents(
  categories: readonly Category[],
  pages: readonly PageOutline[],
): readonly ContentsEntry[] {
  const pathOf = publicPaths(categories)
  return pages.flatMap((page) => {
    const slugs = page.status === 'published' ? pathOf(page.categoryId) : undefined
    return slugs ? [{ page, path: [...slugs, page.slug].join('/') }] : []
  })
}

/** The first public pages. Reads only as much of a large tree as necessary. */
export async function readContents(
  { pages, categories }: Pick<Readers, 'pages' | 'categories'>,
  profileId: number,
  limit: number,
): Promise<readonly ContentsEntry[]> {
  const first = await pages.listOutline(profileId, { status: 'published', limit })
  const above = await categories.list({
    withParents: [...new Set(first.items.flatMap(({ categoryId }) => categoryId ?? []))],
  })
  const shown = publicContents(above, first.items)
  if (shown.length === first.items.length || first.nextCursor === undefined) return shown

  // The first pages may be hidden while later ones are visible.
  const all = await categories.list({ profileId })
  const pathOf = publicPaths(all)
  const categoryIds = [null, ...all.flatMap(({ id }) => (pathOf(id) ? [id] : []))]
  return publicContents(all, (await pages.listOutline(profileId, { status: 'published', limit, categoryIds })).items)
}
