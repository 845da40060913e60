import { accessTo } from '../../../model/page-access.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { ReadCache } from '../../../runtime/storage/read-cache.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { addressOf } from './address.ts'
import { categoryTree, slugsOf } from './category-tree.ts'

/** A page as events name it. */
export interface SignalPage {
  readonly path: string
  readonly url: string
  readonly title: string
  /** Whether a gate protects it. */
  readonly gated: boolean
}

export interface SignalPageDeps {
  readonly read: Readers
  readonly cache: ReadCache
  readonly profiles: Pick<ProfileService, 'publicUrl'>
}

/** Pages as events name them. */
export function createSignalPages({ read, cache, profiles }: SignalPageDeps) {
  return {
    /** The page while everyone may see it in lists: published, in public categories. The profile is not checked. */
    async get(pageId: number): Promise<SignalPage | undefined> {
      return cache.get(`signal-page:${pageId}`, async () => {
        const page = await read.pages.getOutline(pageId)
        if (page?.status !== 'published') return { value: undefined, profileId: page?.profileId }
        const { profileId, categoryId, slug, title } = page
        const [profile, gate, categories] = await Promise.all([
          read.profiles.get(profileId),
          read.gates.get(profileId),
          categoryId === null ? [] : read.categories.list({ withParents: [categoryId] }),
        ])
        const tree = categoryTree(categories)
        const isKnown = categoryId === null || tree.get(categoryId) !== undefined
        if (!profile || !isKnown || !tree.isPublic(categoryId)) return { value: undefined, profileId }
        const slugs = [...slugsOf(tree.lineTo(categoryId)), slug]
        const { gated } = accessTo(slugs, gate?.config)
        return { value: { ...addressOf(profiles, profile, slugs), title, gated }, profileId }
      })
    },
  }
}
