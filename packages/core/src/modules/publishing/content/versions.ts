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

/** Two versions of a page to compare. */
export interface VersionRange {
  /** Default: the version before `to`. */
  readonly from?: number | undefined
  readonly to: number
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
    async list(pageId: number, request: PageRequest, caller: Caller): Promise<ListPage<PageVersionOutline>> {
      await access.page(pageId, caller, 'content.read_drafts')
      return requireGroup(read, 'pageVersions').pageVersions.list(pageId, request)
    },

    async get(pageId: number, version: number, caller: Caller): Promise<PageVersion> {
      await access.page(pageId, caller, 'content.read_drafts')
      return get(pageId, version)
    },

    async diff(pageId: number, { from, to }: VersionRange, caller: Caller): Promise<VersionDiff> {
      await access.page(pageId, caller, 'content.read_drafts')
      const since = () =>
        from === undefined ? requireGroup(read, 'pageVersions').pageVersions.getBefore(pageId, to) : get(pageId, from)
      const [older, newer] = await Promise.all([from === 0 ? undefined : since(), get(pageId, to)])
      const body = await diffBodies({ from: older?.body ?? '', to: newer.body }, caller.account.id)
      return { from: older, to: newer, body }
    },

    async restore(pageId: number, version: number, caller: Caller, ifMatch?: string | undefined): Promise<PlacedPage> {
      await access.page(pageId, caller, 'content.edit')
      const { title, body, excerpt } = await get(pageId, version)
      return update(pageId, { title, body, excerpt }, caller, { ifMatch })
    },
  }
}
