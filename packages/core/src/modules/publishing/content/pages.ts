import type { Clock } from '../../../kernel/clock.ts'
import type { Page as ListPage } from '../../../kernel/page.ts'
import { actingApp } from '../../../model/acting-app.ts'
import type { Caller } from '../../../model/caller.ts'
import type { EepHooks } from '../../../ports/hooks.ts'
import type { ContentPage, NewPage, OutlineRequest, PageChanges, PageOutline } from '../../../ports/storage/content.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import type { StorageQuota } from '../../profiles/profiles/index.ts'
import type { ContentAccess } from './access.ts'
import { publicationOf, wantsApproval, withApproval } from './approval.ts'
import { slugsOf } from './category-tree.ts'
import { requireCover } from './cover.ts'
import { pageNotDraft, pageNotFound, slugTaken, unknownCategory } from './errors.ts'
import { pageDeleted, pageSaved } from './events.ts'
import { createGateGuard } from './gate-guard.ts'
import { contentIsDeleted, pageLeaves } from './old-paths.ts'
import { type PageSnapshots, pageEventData } from './page-snapshot.ts'
import { checkTransition } from './page-status.ts'
import { checkPlace, createPlacement, readTree, slugsTo } from './placement.ts'
import { checkPublishAt } from './publish-at.ts'
import { checkVersion } from './version-tag.ts'
import { type VersionSettings, versioningOf } from './versioning.ts'

export interface PageDeps extends GuardedStorage {
  readonly clock: Clock
  readonly pageSnapshots: PageSnapshots
  readonly hooks: EepHooks
  readonly access: ContentAccess
  readonly quota: StorageQuota
  readonly versions: VersionSettings
}

export interface SaveOptions {
  readonly ifMatch?: string | undefined
  /** The save of an editor: joined with the last automatic one of the same author within `content.autosaveIntervalSeconds`. Default: false. */
  readonly autosave?: boolean | undefined
}

/** Options of a save that depends on other changes of its transaction. */
export interface GuardedSaveOptions extends SaveOptions {
  /**
   * Runs in the transaction that saves the page, directly before the save. With false the page stays as it is; an error rolls
   * everything back.
   */
  readonly guard?: ((tx: Stores, emit: Emit) => Promise<boolean>) | undefined
}

/** A page and its slugs from the top level. */
export interface PlacedPage<Item extends PageOutline = ContentPage> {
  readonly profile: Profile
  readonly page: Item
  /** When the page, or its draft if it is published, will be published; null when that is not scheduled. */
  readonly publishAt: Date | null
  readonly slugs: readonly string[]
}

export interface PageDraft extends Pick<NewPage, 'profileId' | 'categoryId' | 'title' | 'body' | 'excerpt'> {
  readonly status: 'draft' | 'published'
  /** Default: derived from the title. */
  readonly slug?: string | undefined
  /** Default: after the pages in the same place. */
  readonly position?: number | undefined
  /** An image of the profile. Default: null, no cover. */
  readonly coverFileId?: number | null | undefined
}

export type PageEdits = {
  readonly [Field in keyof Omit<PageChanges, 'updatedAt' | 'savedBy' | 'through' | 'publishedAt' | 'versioning'>]?:
    | PageChanges[Field]
    | undefined
} & {
  /** When to publish a page that is a draft; null cancels it. */
  readonly publishAt?: Date | null | undefined
}

/** Pages of profiles, for their teams. */
export function createPages({ read, write, clock, hooks, access, quota, versions, pageSnapshots }: PageDeps) {
  const gateGuard = createGateGuard(access)

  /** Reads the times of scheduled publications, and returns a function with those of pages. */
  async function publishTimes(pageIds: readonly number[]): Promise<(pageId: number) => Date | null> {
    const scheduled = (pageIds.length > 0 && (await read.scheduledPublications?.list(pageIds))) || []
    const times = new Map(scheduled.map(({ pageId, publishAt }) => [pageId, publishAt]))
    return (pageId) => times.get(pageId) ?? null
  }

  async function place<Item extends PageOutline>(profile: Profile, page: Item): Promise<PlacedPage<Item>> {
    const [slugs, publishAt] = await Promise.all([slugsTo(read, [page]), publishTimes([page.id])])
    return { profile, page, publishAt: publishAt(page.id), slugs: slugs(page) }
  }

  async function save(
    id: number,
    { publishAt, ...edits }: PageEdits,
    caller: Caller,
    { ifMatch, autosave = false, guard }: GuardedSaveOptions = {},
  ): Promise<PlacedPage> {
    const action = edits.status === undefined && !publishAt ? 'content.edit' : 'content.publish'
    const { profile } = await access.page(id, caller, action)
    checkPublishAt(publishAt, clock())
    const isOnlyScheduled = publishAt !== undefined && Object.values(edits).every((value) => value === undefined)
    const moves = edits.slug !== undefined || edits.categoryId !== undefined

    const enterQuota = await quota.of(profile)
    const page = await withApproval(hooks, (approved) =>
      write(async (tx, emit) => {
        const checkQuota = await enterQuota(tx)
        const locked = await access.lock(tx, profile.id, caller, action)
        const tree = moves ? await readTree(tx, profile.id) : undefined
        // Every change of a page locks its profile first.
        const before = await tx.pages.get(id)
        if (!before) throw pageNotFound()
        checkVersion(ifMatch, before.version)
        const at = clock()
        const changes = { ...defined(edits), updatedAt: at, savedBy: caller.account.id, through: actingApp(caller) }
        const next = { ...before, ...changes }
        checkTransition(before.status, next.status)
        if (publishAt && next.status !== 'draft') throw pageNotDraft()
        if (edits.coverFileId !== undefined) await requireCover(tx, profile.id, edits.coverFileId)
        await guardCover(tx, before, next, caller)
        if (tree) {
          checkPlace(tree, next.categoryId)
          await createPlacement(tx, tree, profile.id, next.categoryId, { kind: 'page', id }).check(next.slug)
        }
        if (tree) {
          const from = [...slugsOf(tree.lineTo(before.categoryId)), before.slug]
          const to = [...slugsOf(tree.lineTo(next.categoryId)), next.slug]
          await gateGuard.page(tx, { profileId: profile.id, from, to }, caller)
        }
        const revision = `version ${before.version}`
        const wanted = !isOnlyScheduled && wantsApproval(hooks, next)
        if (wanted && approved !== revision) return { publication: publicationOf(next), revision }
        if (guard && !(await guard(tx, emit))) return { done: before }
        const isWithdrawn = publishAt === null || next.status !== before.status
        if (publishAt) {
          const { scheduledPublications } = requireGroup(tx, 'pageDrafts')
          await scheduledPublications.put({ pageId: id, publishAt, scheduledBy: caller.account.id })
        } else if (isWithdrawn) await tx.scheduledPublications?.delete(id)
        if (next.status !== before.status) await tx.pagePreviewLinks?.deleteOfPage(id)
        if (isOnlyScheduled) return { done: before }

        const appears = next.status === 'published' && before.status !== 'published'
        const versioning = versioningOf(versions, { at, isAutomatic: autosave && next.status === before.status })
        const saved = await tx.pages.save(id, { ...changes, versioning, ...(appears ? { publishedAt: at } : {}) })
        if (!saved) throw slugTaken({ details: { slug: next.slug } })
        await checkQuota()
        const isElsewhere = saved.slug !== before.slug || saved.categoryId !== before.categoryId
        if (tree && isElsewhere) await pageLeaves(tx, tree.lineTo(before.categoryId), before, at)
        const { version } = saved
        const origin = { profileId: profile.id, accountId: caller.account.id }
        const isSeen = saved.status === 'published' && (tree?.isPublic(saved.categoryId) ?? true)
        const isLost = before.status === 'published' && !isSeen
        const [previousPublicPage = null] = isLost ? await pageSnapshots(tx, locked, [before], tree) : []
        emit(pageSaved, { ...pageEventData(saved), version, previousStatus: before.status, previousPublicPage }, origin)
        return { done: saved }
      }),
    )
    return place(profile, page)
  }

  /** Checks a cover that a page gets, or with which it is published: the file may have been closed since it was chosen. */
  async function guardCover(
    tx: Stores,
    before: Pick<ContentPage, 'coverFileId' | 'status'> | undefined,
    { profileId, coverFileId: fileId, status }: Pick<ContentPage, 'profileId' | 'coverFileId' | 'status'>,
    caller: Caller,
  ): Promise<void> {
    const isNew = fileId !== before?.coverFileId || (status === 'published' && before?.status !== 'published')
    if (fileId !== null && isNew) await gateGuard.cover(tx, { profileId, fileId }, caller)
  }

  return {
    async list(
      { profileId, ...request }: OutlineRequest & { readonly profileId: number },
      caller: Caller,
    ): Promise<ListPage<PlacedPage<PageOutline>>> {
      const profile = await access.profile(profileId, caller, 'content.read_drafts')
      for (const categoryId of request.categoryIds ?? []) {
        if (categoryId === null) continue
        if ((await read.categories.get(categoryId))?.profileId !== profileId) throw unknownCategory()
      }
      const found = await read.pages.listOutline(profileId, request)
      const ids = found.items.map(({ id }) => id)
      const [slugs, publishAt] = await Promise.all([slugsTo(read, found.items), publishTimes(ids)])
      const placed = (page: PageOutline) => ({ profile, page, publishAt: publishAt(page.id), slugs: slugs(page) })
      return { ...found, items: found.items.map(placed) }
    },

    async get(id: number, caller: Caller): Promise<PlacedPage> {
      const { profile } = await access.page(id, caller, 'content.read_drafts')
      const page = await read.pages.get(id)
      if (!page) throw pageNotFound()
      return place(profile, page)
    },

    async create(draft: PageDraft, caller: Caller): Promise<PlacedPage> {
      const { slug: wanted, ...content } = draft
      const action = draft.status === 'published' ? 'content.publish' : 'content.edit'
      const profile = await access.profile(draft.profileId, caller, action)
      const enterQuota = await quota.of(profile)

      return withApproval(hooks, (approved) =>
        write(async (tx, emit) => {
          const checkQuota = await enterQuota(tx)
          await access.lock(tx, profile.id, caller, action)
          const tree = await readTree(tx, profile.id)
          checkPlace(tree, draft.categoryId)
          const { coverFileId = null } = draft
          await requireCover(tx, profile.id, coverFileId)
          await guardCover(tx, undefined, { profileId: profile.id, coverFileId, status: draft.status }, caller)
          const placement = createPlacement(tx, tree, profile.id, draft.categoryId, { kind: 'page' })
          const slug = wanted === undefined ? await placement.choose(draft.title) : await placement.check(wanted)
          if (wantsApproval(hooks, draft) && approved !== slug) {
            return { publication: publicationOf({ ...content, slug }), revision: slug }
          }

          const at = clock()
          const publishedAt = draft.status === 'published' ? at : null
          const page = await tx.pages.insert({
            ...content,
            coverFileId,
            slug,
            position: draft.position ?? null,
            createdAt: at,
            publishedAt,
            createdBy: caller.account.id,
            through: actingApp(caller),
          })
          if (!page) throw slugTaken({ details: { slug } })
          await checkQuota()
          const { version } = page
          const origin = { profileId: profile.id, accountId: caller.account.id }
          emit(pageSaved, { ...pageEventData(page), version, previousStatus: null, previousPublicPage: null }, origin)
          return {
            done: { profile, page, publishAt: null, slugs: [...slugsOf(tree.lineTo(page.categoryId)), page.slug] },
          }
        }),
      )
    },

    update: (id: number, edits: PageEdits, caller: Caller, options: SaveOptions = {}): Promise<PlacedPage> =>
      save(id, edits, caller, options),

    /** Like `update`, with a guard in its transaction: for modules that store more together with a page. */
    updateGuarded: save,

    async delete(id: number, caller: Caller, ifMatch?: string | undefined): Promise<void> {
      const { profile } = await access.page(id, caller, 'content.delete')
      await write(async (tx, emit) => {
        const locked = await access.lock(tx, profile.id, caller, 'content.delete')
        const page = await tx.pages.get(id)
        if (!page) throw pageNotFound()
        checkVersion(ifMatch, page.version)
        const tree = await readTree(tx, profile.id)
        const [previousPublicPage = null] = await pageSnapshots(tx, locked, [page], tree)
        await contentIsDeleted(tx, tree, { pages: [page] }, clock())
        await tx.pages.delete(id)
        emit(
          pageDeleted,
          { ...pageEventData(page), previousPublicPage },
          { profileId: profile.id, accountId: caller.account.id },
        )
      })
    },
  }
}

/** The given fields. */
function defined<Fields extends object>(fields: Fields) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Field in keyof Fields]?: Exclude<Fields[Field], undefined>
  }
}
