import type { EepHooks } from '../../hooks.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { GuardedStorage } from '../../storage/guard.ts'
import type { ReadCache } from '../../storage/read-cache.ts'
import type { ProfileService } from '../profiles/index.ts'
import { createContentAccess } from './access.ts'
import { createCategories } from './categories.ts'
import { createPages } from './pages.ts'
import { createPublicContent } from './public-content.ts'

export interface ContentDeps extends GuardedStorage {
  readonly clock: Clock
  readonly cache: ReadCache
  readonly profiles: ProfileService
  readonly hooks: EepHooks
}

export function createContentService({ read, write, clock, cache, profiles, hooks }: ContentDeps) {
  const access = createContentAccess({ read, profiles })
  return {
    categories: createCategories({ read, write, clock, access }),
    pages: createPages({ read, write, clock, hooks, access }),
    ...createPublicContent({ read, cache, profiles }),
  }
}

/** The content of profiles: categories, pages with their versions, and what the public sees of them. */
export type ContentService = ReturnType<typeof createContentService>
