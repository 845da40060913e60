import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { ifMatchHolds } from '../../../kernel/entity-tags.ts'
import type { Caller } from '../../../model/caller.ts'
import type { PageDraft } from '../../../ports/storage/page-drafts.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import type { StorageQuota } from '../../profiles/profiles/index.ts'
import type { ContentAccess } from './access.ts'
import { requireCover } from './cover.ts'
import { draftNotFound, invalidBaseVersion, pageNotFound, pageNotPublished, preconditionFailed } from './errors.ts'
import { createGateGuard } from './gate-guard.ts'
import type { createPages, PlacedPage } from './pages.ts'
import { checkPublishAt } from './publish-at.ts'
import { checkVersion, versionTag } from './version-tag.ts'

export interface DraftDeps extends GuardedStorage {
  readonly clock: Clock
  readonly access: ContentAccess
  readonly quota: StorageQuota
  readonly saveGuarded: ReturnType<typeof createPages>['updateGuarded']
}

/** Changes of a draft. Absent fields stay as they are; in a new draft they are those of the page. */
export interface DraftEdits {
  readonly title?: string | undefined
  readonly body?: string | undefined
  readonly excerpt?: string | null | undefined
  /** An image of the profile, or null for none. */
  readonly coverFileId?: number | null | undefined
  /** The version of the page that the draft changes. Default: as it is; in a new draft the current one. */
  readonly baseVersion?: number | undefined
  /** When it is to be published; null cancels that. Default: unchanged. */
  readonly publishAt?: Date | null | undefined
}

/** A draft and the profile of its page. */
export interface ProfileDraft {
  readonly profile: Profile
  readonly draft: PageDraft
  /** When it will be published; null when that is not scheduled. */
  readonly publishAt: Date | null
}

/** The `ETag` of a draft. */
export const draftTag = ({ revision }: Pick<PageDraft, 'revision'>): string => `"${revision}"`

/** The `ETag` of a page without a draft, for editors that must not replace one that they have not seen. */
export const NO_DRAFT = '"none"'

function checkDraft(ifMatch: string | undefined, draft: PageDraft | undefined): void {
  const holds = draft ? ifMatchHolds(ifMatch, draftTag(draft)) : ifMatch === undefined || ifMatch === NO_DRAFT
  if (!holds) throw preconditionFailed({ details: { draft: draft ? draft.updatedAt.toISOString() : null } })
}

/** Drafts of published pages, which the teams of their profiles share. Nothing public reads them, and saving one emits no event. */
export function createDrafts({ read, write, clock, access, quota, saveGuarded }: DraftDeps) {
  const gateGuard = createGateGuard(access)

  async function publishTime(
    { scheduledPublications }: Pick<Readers<'pageDrafts'>, 'scheduledPublications'>,
    pageId: number,
  ) {
    const [scheduled] = await scheduledPublications.list([pageId])
    return scheduled?.publishAt ?? null
  }

  return {
    async get(pageId: number, caller: Caller): Promise<ProfileDraft> {
      const { profile } = await access.page(pageId, caller, 'content.edit')
      const draft = await requireGroup(read, 'pageDrafts').pageDrafts.get(pageId)
      if (!draft) throw draftNotFound()
      return { profile, draft, publishAt: await publishTime(requireGroup(read, 'pageDrafts'), pageId) }
    },

    async put(
      pageId: number,
      { baseVersion, publishAt, ...edits }: DraftEdits,
      caller: Caller,
      ifMatch?: string | undefined,
    ): Promise<ProfileDraft> {
      const action = publishAt ? 'content.publish' : 'content.edit'
      const { profile } = await access.page(pageId, caller, action)
      checkPublishAt(publishAt, clock())
      const enterQuota = await quota.of(profile)
      return write(async (tx) => {
        const checkQuota = await enterQuota(tx)
        await access.lock(tx, profile.id, caller, action)
        const { pageDrafts, scheduledPublications } = requireGroup(tx, 'pageDrafts')
        const page = await tx.pages.get(pageId)
        if (!page) throw pageNotFound()
        if (page.status !== 'published') throw pageNotPublished()
        if (baseVersion !== undefined && baseVersion > page.version) throw invalidBaseVersion()
        const before = await pageDrafts.get(pageId)
        checkDraft(ifMatch, before)
        const { title, body, excerpt, coverFileId } = before ?? page
        const draft = {
          pageId,
          title: edits.title ?? title,
          body: edits.body ?? body,
          excerpt: edits.excerpt === undefined ? excerpt : edits.excerpt,
          coverFileId: edits.coverFileId === undefined ? coverFileId : edits.coverFileId,
          baseVersion: baseVersion ?? before?.baseVersion ?? page.version,
          revision: randomUUID(),
          updatedAt: clock(),
          updatedBy: caller.account.id,
        }
        if (edits.coverFileId !== undefined) await requireCover(tx, profile.id, edits.coverFileId)
        // Checked here, because the draft may be published at a time when its author is in no team.
        if (edits.coverFileId && edits.coverFileId !== coverFileId) {
          await gateGuard.cover(tx, { profileId: profile.id, fileId: edits.coverFileId }, caller)
        }
        if (publishAt === null) await scheduledPublications.delete(pageId)
        if (publishAt) {
          checkVersion(versionTag(draft.baseVersion), page.version)
          await scheduledPublications.put({ pageId, publishAt, scheduledBy: caller.account.id })
        }
        if (!(await pageDrafts.put(draft, before?.revision ?? null))) throw preconditionFailed()
        await checkQuota()
        return { profile, draft, publishAt: await publishTime({ scheduledPublications }, pageId) }
      })
    },

    async delete(pageId: number, caller: Caller, ifMatch?: string | undefined): Promise<void> {
      const { profile } = await access.page(pageId, caller, 'content.edit')
      await write(async (tx) => {
        await access.lock(tx, profile.id, caller, 'content.edit')
        const { pageDrafts, scheduledPublications, pagePreviewLinks } = requireGroup(tx, 'pageDrafts')
        const draft = await pageDrafts.get(pageId)
        if (!draft) throw draftNotFound()
        checkDraft(ifMatch, draft)
        if (!(await pageDrafts.take(pageId, draft.revision))) throw preconditionFailed()
        await scheduledPublications.delete(pageId)
        await pagePreviewLinks.deleteOfPage(pageId)
      })
    },

    /** Schedules the publication of a draft, in place of an earlier time. */
    async schedule(
      pageId: number,
      publishAt: Date,
      caller: Caller,
      ifMatch?: string | undefined,
    ): Promise<ProfileDraft> {
      const { profile } = await access.page(pageId, caller, 'content.publish')
      checkPublishAt(publishAt, clock())
      return write(async (tx) => {
        await access.lock(tx, profile.id, caller, 'content.publish')
        const { pageDrafts, scheduledPublications } = requireGroup(tx, 'pageDrafts')
        const [page, draft] = [await tx.pages.getOutline(pageId), await pageDrafts.get(pageId)]
        if (!page || !draft) throw draftNotFound()
        checkDraft(ifMatch, draft)
        if (page.status !== 'published') throw pageNotPublished()
        checkVersion(versionTag(draft.baseVersion), page.version)
        await scheduledPublications.put({ pageId, publishAt, scheduledBy: caller.account.id })
        return { profile, draft, publishAt }
      })
    },

    /** Publishes a draft as the next version of its page, and deletes it in the same transaction. */
    async publish(pageId: number, caller: Caller, ifMatch?: string | undefined): Promise<PlacedPage> {
      await access.page(pageId, caller, 'content.publish')
      const draft = await requireGroup(read, 'pageDrafts').pageDrafts.get(pageId)
      if (!draft) throw draftNotFound()
      checkDraft(ifMatch, draft)
      const { title, body, excerpt, coverFileId, baseVersion, revision } = draft
      return saveGuarded(pageId, { status: 'published', title, body, excerpt, coverFileId }, caller, {
        ifMatch: versionTag(baseVersion),
        async guard(tx) {
          // The draft of this revision is what the caller publishes: a save or another publication in between comes first.
          const { pageDrafts, scheduledPublications, pagePreviewLinks } = requireGroup(tx, 'pageDrafts')
          if (!(await pageDrafts.take(pageId, revision))) throw preconditionFailed()
          await scheduledPublications.delete(pageId)
          await pagePreviewLinks.deleteOfPage(pageId)
          return true
        },
      })
    },
  }
}
