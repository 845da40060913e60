import type { Clock } from '../../../kernel/clock.ts'
import type { EepHooks } from '../../../ports/hooks.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { ReadCache } from '../../../runtime/storage/read-cache.ts'
import type { ProfileService, StorageQuota } from '../../profiles/profiles/index.ts'
import { createContentAccess } from './access.ts'
import { createCategories } from './categories.ts'
import { createDiffQueue } from './diff-queue.ts'
import { createDrafts } from './drafts.ts'
import { createImagesIn } from './images-in.ts'
import { createPageSnapshots } from './page-snapshot.ts'
import { createPages } from './pages.ts'
import { createPreviewLinks } from './preview-links.ts'
import { createPublicContent } from './public-content.ts'
import { createReorder } from './reorder.ts'
import { createPreviews } from './text-preview-html.ts'
import type { VersionSettings } from './versioning.ts'
import { createVersions } from './versions.ts'

export interface ContentDeps extends GuardedStorage {
  readonly clock: Clock
  readonly cache: ReadCache
  readonly profiles: ProfileService
  readonly hooks: EepHooks
  readonly quota: StorageQuota
  readonly versions: VersionSettings
}

export function createContentService(deps: ContentDeps) {
  const { read, write, clock, cache, profiles } = deps
  const access = createContentAccess({ read, profiles })
  const pageSnapshots = createPageSnapshots(profiles)
  const imagesIn = createImagesIn(read)
  const diffBodies = createDiffQueue()
  const pages = createPages({ ...deps, access, pageSnapshots })
  return {
    categories: createCategories({ read, write, clock, access, pageSnapshots }),
    pages,
    drafts: createDrafts({ ...deps, access, saveGuarded: pages.updateGuarded }),
    previews: createPreviews({ access, imagesIn }),
    previewLinks: createPreviewLinks({ read, write, clock, access, profiles, imagesIn }),
    versions: createVersions({ read, access, update: pages.update, diffBodies }),
    /** Compares two texts in a worker thread; see `diff-queue.ts`. */
    diffBodies,
    reorder: createReorder({ read, write, access }),
    /** Returns a page that the caller may see. Throws `page_not_found` for any other. */
    known: access.known,
    ...createPublicContent({ read, cache, profiles }),
  }
}

/** The content of profiles: categories, pages with their versions, and what the public sees of them. */
export type ContentService = ReturnType<typeof createContentService>
