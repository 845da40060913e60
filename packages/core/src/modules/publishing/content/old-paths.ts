import type { Category, ContentPage, LeftPath, PageOutline } from '../../../ports/storage/content.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import { type CategoryTree, isPublicLine, slugsOf } from './category-tree.ts'

/** An item that leaves a place. */
interface Leaving {
  readonly profileId: number
  /** The path of categories to the place. */
  readonly line: readonly Category[]
  readonly slug: string
  readonly target: LeftPath['target']
}

const pathOf = ({ profileId, line, slug, target }: Leaving): LeftPath => {
  const path = [...slugsOf(line), slug].join('/')
  return { profileId, path, slug, placeId: line.at(-1)?.id ?? null, target }
}

/**
 * Stores the path of moved content, so that old URLs redirect. If only the team could read it, there is no public URL
 * to keep, and its slugs stay private.
 */
async function leave(tx: Stores, leaving: Leaving, at: Date): Promise<void> {
  if (isPublicLine(leaving.line)) await tx.oldPaths?.put(pathOf(leaving), at)
}

/** Stores the paths of content that is about to be deleted, if it is public: published pages and categories in public places. */
export async function contentIsDeleted(
  tx: Stores,
  tree: CategoryTree,
  { pages = [], categories = [] }: Deleted,
  at: Date,
): Promise<void> {
  const leaving = [
    ...pages
      .filter(({ status }) => status === 'published')
      .map(({ id: pageId, profileId, categoryId, slug }) => ({
        profileId,
        slug,
        line: tree.lineTo(categoryId),
        target: { pageId },
      })),
    ...categories
      .filter(({ visibility }) => visibility === 'public')
      .map(({ id: categoryId, profileId, parentId, slug }) => ({
        profileId,
        slug,
        line: tree.lineTo(parentId),
        target: { categoryId },
      })),
  ].filter(({ line }) => isPublicLine(line))
  if (leaving.length > 0) await tx.oldPaths?.putDeleted(leaving.map(pathOf), at)
}

interface Deleted {
  readonly pages?: readonly Pick<PageOutline, 'id' | 'profileId' | 'categoryId' | 'slug' | 'status'>[]
  readonly categories?: readonly Category[]
}

/** Stores the path that a page leaves, unless it was never published. */
export async function pageLeaves(tx: Stores, line: readonly Category[], page: ContentPage, at: Date): Promise<void> {
  const { id: pageId, profileId, slug, publishedAt } = page
  if (publishedAt !== null) await leave(tx, { profileId, line, slug, target: { pageId } }, at)
}

/** Stores the path that a category leaves with its content. `line` ends with the category itself. */
export async function categoryLeaves(tx: Stores, line: readonly Category[], at: Date): Promise<void> {
  const category = line.at(-1)
  if (!category || !isPublicLine(line)) return
  const { id: categoryId, profileId, slug } = category
  await leave(tx, { profileId, line: line.slice(0, -1), slug, target: { categoryId } }, at)
}
