import type { PageOutline } from '../../ports/storage/content.ts'
import type { Profile } from '../../ports/storage/profiles.ts'
import type { Stores } from '../../ports/storage/storage.ts'
import type { ProfileService } from '../profiles/index.ts'
import { addressOf } from './address.ts'
import { type CategoryTree, slugsOf } from './category-tree.ts'
import { readTree } from './placement.ts'
import { accessTo } from './price.ts'

/** Reads the public state of pages before a change. Requires the lock of the profile. */
export function createSeenPages(profiles: Pick<ProfileService, 'publicUrl'>) {
  /** A published page of public categories; null for any other. */
  return async (
    tx: Stores,
    profile: Profile,
    page: Pick<PageOutline, 'status' | 'categoryId' | 'slug' | 'title'>,
    knownTree?: CategoryTree | undefined,
  ) => {
    if (page.status !== 'published') return null
    const tree = knownTree ?? (await readTree(tx, profile.id))
    if (!tree.isPublic(page.categoryId)) return null
    const slugs = [...slugsOf(tree.lineTo(page.categoryId)), page.slug]
    const gate = await tx.gates.get(profile.id)
    return { ...addressOf(profiles, profile, slugs), title: page.title, gated: accessTo(slugs, gate?.config).gated }
  }
}

export type SeenPages = ReturnType<typeof createSeenPages>
