import type { Page as ListPage, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { PageVersion, PageVersionOutline } from '../../../ports/storage/content.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import type { ContentAccess } from './access.ts'
import type { DiffQueue } from './diff-queue.ts'
import { versionNotFound } from './errors.ts'
import type { createPages, PlacedPage } from './pages.ts'

export interface VersionDeps {
  readonly read: Readers
  readonly access: ContentAccess
  readonly update: ReturnType<typeof createPages>['update']
  readonly diffBodies: DiffQueue
}

/** The difference of two versions of a page. */
export interface VersionDiff {
  /** Undefined before the first version. */
  readonly from: PageVersion | undefined
  readonly to: PageVersion
  /** The JSON of `diffRecord.body`. */
  readonly body: Uint8Array
}

/** Versions of pages, for the teams of their profiles. */
export function createVersions({ read, access, update, diffBodies }: VersionDeps) {
  async function get(pageId: number, version: number): Promise<PageVersion> {
    const found = await requireGroup(read, 'pageVersions').pageVersions.get(pageId, version)
    if (!found) throw versionNotFound()
    return found
  }

  return {
    /**
     * Returns the stored versions of a page, newest first, to the team of its profile.
     *
     * @throws `page_not_found`, `not_profile_owner`, `invalid_cursor`
     */
    async list(pageId: number, request: PageRequest, caller: Caller): Promise<ListPage<PageVersionOutline>> {
      await access.page(pageId, caller, 'content.read_drafts')
      return requireGroup(read, 'pageVersions').pageVersions.list(pageId, request)
    },

    /**
     * Returns one version of a page with its body.
     *
     * @throws `version_not_found`, `page_not_found`, `not_profile_owner`
     */
    async get(pageId: number, version: number, caller: Caller): Promise<PageVersion> {
      await access.page(pageId, caller, 'content.read_drafts')
      return get(pageId, version)
    },

    /**
     * Compares two versions of a page, in a worker thread. Version 0 is the empty page before the first one.
     *
     * @param from - Default: the stored version before `to`.
     * @throws `version_not_found`, `page_not_found`, `not_profile_owner`; `diff_busy` while too many comparisons run
     */
    async diff(pageId: number, to: number, from: number | undefined, caller: Caller): Promise<VersionDiff> {
      await access.page(pageId, caller, 'content.read_drafts')
      const since = () =>
        from === undefined ? requireGroup(read, 'pageVersions').pageVersions.getBefore(pageId, to) : get(pageId, from)
      const [older, newer] = await Promise.all([from === 0 ? undefined : since(), get(pageId, to)])
      const body = await diffBodies({ from: older?.body ?? '', to: newer.body }, caller.account.id)
      return { from: older, to: newer, body }
    },

    /**
     * Saves the title, body and excerpt of an earlier version as a new one. Status, slug and category stay as they are.
     *
     * @throws `version_not_found`, `precondition_failed` when `ifMatch` does not name the current version, and what
     * `pages.update` throws
     */
    async restore(pageId: number, version: number, caller: Caller, ifMatch?: string | undefined): Promise<PlacedPage> {
      await access.page(pageId, caller, 'content.edit')
      const { title, body, excerpt } = await get(pageId, version)
      return update(pageId, { title, body, excerpt }, caller, { ifMatch })
    },
  }
}
