import type { Category, ContentPage, OldPath } from '../../ports/storage/content.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import { isPublicLine, slugsOf } from './category-tree.ts'

/** An item that leaves a place. */
interface Leaving {
  readonly profileId: number
  /** The path of categories to the place. */
  readonly line: readonly Category[]
  readonly slug: string
  readonly target: OldPath['target']
}

/**
 * Stores the path of moved content, so that old URLs redirect. If only the team could read it, there is no public URL
 * to keep, and its slugs stay private.
 */
async function leave(tx: Stores, { profileId, line, slug, target }: Leaving, at: Date): Promise<void> {
  if (!isPublicLine(line)) return
  const path = [...slugsOf(line), slug].join('/')
  await tx.oldPaths?.put({ profileId, path, slug, placeId: line.at(-1)?.id ?? null, target }, at)
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
