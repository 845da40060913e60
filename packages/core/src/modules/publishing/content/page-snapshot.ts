import { accessTo } from '../../../model/page-access.ts'
import { isVisible } from '../../../model/visibility.ts'
import type { PageOutline } from '../../../ports/storage/content.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { addressOf } from './address.ts'
import { type CategoryTree, slugsOf } from './category-tree.ts'
import { readTree } from './placement.ts'
import type { SignalPage } from './signal-page.ts'

type Page = Pick<PageOutline, 'status' | 'categoryId' | 'slug' | 'title'>

/** What events say of a page. */
export const pageEventData = ({ id, slug, title, status }: Pick<PageOutline, 'id' | 'slug' | 'title' | 'status'>) => ({
  pageId: id,
  slug,
  title,
  status,
})

/** Reads the public state of pages before a change. */
export function createPageSnapshots(profiles: Pick<ProfileService, 'publicUrl'>) {
  /**
   * The published pages of public categories as everyone sees them in lists; null for any other page, and for every page of
   * a profile that is not public. Requires the profile as its lock returned it.
   */
  return async (
    tx: Stores,
    profile: Profile,
    pages: readonly Page[],
    knownTree?: CategoryTree | undefined,
  ): Promise<readonly (SignalPage | null)[]> => {
    if (!isVisible(profile, 'lists') || pages.every(({ status }) => status !== 'published'))
      return pages.map(() => null)
    const tree = knownTree ?? (await readTree(tx, profile.id))
    const gate = await tx.gates.get(profile.id)
    return pages.map(({ status, categoryId, slug, title }) => {
      if (status !== 'published' || !tree.isPublic(categoryId)) return null
      const slugs = [...slugsOf(tree.lineTo(categoryId)), slug]
      return { ...addressOf(profiles, profile, slugs), title, gated: accessTo(slugs, gate?.config).gated }
    })
  }
}

export type PageSnapshots = ReturnType<typeof createPageSnapshots>
