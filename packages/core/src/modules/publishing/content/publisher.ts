import type { Clock } from '../../../kernel/clock.ts'
import { isEepError } from '../../../kernel/errors.ts'
import { isPublicFile } from '../../../model/public-file.ts'
import type { EepHooks } from '../../../ports/hooks.ts'
import type { Account } from '../../../ports/storage/accounts.ts'
import type { ContentPage } from '../../../ports/storage/content.ts'
import type { PageDraft } from '../../../ports/storage/page-drafts.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import { timed } from '../../../runtime/consumers/timed.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import type { StorageQuota } from '../../profiles/profiles/index.ts'
import { publicationOf, wantsApproval, withApproval } from './approval.ts'
import { type FailureReason, pageSaved, publicationFailed } from './events.ts'
import { pageEventData } from './page-snapshot.ts'
import { type VersionSettings, versioningOf } from './versioning.ts'

export interface PublisherDeps extends GuardedStorage {
  readonly clock: Clock
  readonly hooks: EepHooks
  readonly quota: StorageQuota
  readonly versions: VersionSettings
  /** The pause between turns. Publications are so much late at most. */
  readonly everyMs: number
  readonly onError: (error: unknown) => void
}

const FIRST_TURN_MS = 5_000
const JITTER = 0.25
const AT_ONCE = 100

/** What a due publication does. */
type Outcome =
  | { readonly kind: 'publishes'; readonly next: ContentPage; readonly draft: PageDraft | undefined }
  | { readonly kind: 'fails'; readonly reason: FailureReason }
  /** There is nothing to publish any more. */
  | { readonly kind: 'ends' }

type Publishing = Extract<Outcome, { readonly kind: 'publishes' }>
type FailedPage = Pick<ContentPage, 'id' | 'profileId' | 'status'>

function outcomeOf(page: ContentPage, draft: PageDraft | undefined, owner: Account | undefined): Outcome {
  if (!owner || owner.deletionScheduledAt) return { kind: 'fails', reason: 'account_deletion_scheduled' }
  if (owner.bannedAt) return { kind: 'fails', reason: 'account_banned' }
  if (page.status === 'draft') return { kind: 'publishes', next: { ...page, status: 'published' }, draft: undefined }
  if (page.status !== 'published' || !draft) return { kind: 'ends' }
  if (draft.baseVersion !== page.version) return { kind: 'fails', reason: 'version_changed' }
  const { title, body, excerpt, coverFileId } = draft
  return { kind: 'publishes', next: { ...page, title, body, excerpt, coverFileId }, draft }
}

/**
 * Whether a publication would give a closed file to everyone as a cover. No person is there to permit it, and the file may have been
 * closed since its author chose it.
 */
async function opensFile(tx: Stores, before: ContentPage, { coverFileId }: ContentPage): Promise<boolean> {
  if (coverFileId === null || (before.status === 'published' && coverFileId === before.coverFileId)) return false
  const gate = await tx.gates.get(before.profileId)
  return !isPublicFile(gate?.config, coverFileId)
}

/**
 * Publishes pages and drafts at their scheduled time. Each publication is one transaction that takes it from the storage, so every instance
 * may run this and each is published once. What fails for a moment stays due and is repeated at the next turn.
 */
export function createPublisher({ read, write, clock, hooks, quota, versions, everyMs, onError }: PublisherDeps) {
  /** Takes a publication that the rules refuse, and announces it. */
  async function fail(tx: Stores, emit: Emit, page: FailedPage, reason: FailureReason): Promise<void> {
    const taken = await requireGroup(tx, 'pageDrafts').scheduledPublications.takeDue(page.id)
    if (!taken) return
    const of = page.status === 'published' ? 'draft' : 'page'
    const data = { pageId: page.id, of, publishAt: taken.publishAt.toISOString(), reason } as const
    // No account caused it, so that the one that scheduled it is notified too.
    emit(publicationFailed, data, { profileId: page.profileId })
  }

  /** Saves what is published as the next version of its page. */
  async function save(
    tx: Stores,
    emit: Emit,
    { next, draft, before, accountId }: Publishing & { readonly before: ContentPage; readonly accountId: string },
  ): Promise<void> {
    const at = clock()
    const { title, body, excerpt, coverFileId } = next
    const saved = await tx.pages.save(before.id, {
      ...(draft ? { title, body, excerpt, coverFileId } : { publishedAt: at }),
      status: 'published',
      updatedAt: at,
      savedBy: accountId,
      versioning: versioningOf(versions, { at, isAutomatic: false }),
    })
    if (!saved) return
    const data = { ...pageEventData(saved), version: saved.version, previousStatus: before.status }
    emit(pageSaved, { ...data, previousPublicPage: null }, { profileId: before.profileId, accountId })
  }

  async function publish(pageId: number): Promise<void> {
    const outline = await read.pages.getOutline(pageId)
    const profile = outline && (await read.profiles.get(outline.profileId))
    if (!profile) return
    const enterQuota = await quota.of(profile)
    await withApproval<void>(hooks, (approved) =>
      write(async (tx, emit) => {
        const { pageDrafts, scheduledPublications, pagePreviewLinks } = requireGroup(tx, 'pageDrafts')
        const checkQuota = await enterQuota(tx)
        const locked = await tx.profiles.lock(profile.id)
        const before = locked && (await tx.pages.get(pageId))
        if (!before) return { done: undefined }
        const owner = await tx.accounts.get(locked.ownerAccountId)
        const outcome = outcomeOf(before, await pageDrafts.get(pageId), owner)
        if (outcome.kind === 'fails') return { done: await fail(tx, emit, before, outcome.reason) }
        if (outcome.kind === 'publishes') {
          if (await opensFile(tx, before, outcome.next)) return { done: await fail(tx, emit, before, 'refused') }
          const revision = `version ${before.version} ${outcome.draft?.revision ?? ''}`
          const isApproved = approved === revision || !wantsApproval(hooks, outcome.next)
          if (!isApproved) return { publication: publicationOf(outcome.next), revision }
        }
        // Only the transaction that takes the publication goes on; an error below gives it back.
        const taken = await scheduledPublications.takeDue(pageId)
        if (!taken || outcome.kind === 'ends') return { done: undefined }
        if (outcome.draft) await pageDrafts.take(pageId, outcome.draft.revision)
        await pagePreviewLinks.deleteOfPage(pageId)
        await save(tx, emit, { ...outcome, before, accountId: taken.scheduledBy ?? locked.ownerAccountId })
        await checkQuota()
        return { done: undefined }
      }),
    )
  }

  async function publishOrFail(pageId: number): Promise<void> {
    try {
      await publish(pageId)
    } catch (error) {
      // Other errors are of a storage or a host that does not answer now.
      if (!isEepError(error) || error.status >= 500) throw error
      const reason = error.code === 'file_quota_reached' ? 'quota_reached' : 'refused'
      await write(async (tx, emit) => {
        const page = await tx.pages.getOutline(pageId)
        if (page) await fail(tx, emit, page, reason)
      })
    }
  }

  /** Publishes everything that is due. One that cannot be published now does not delay the others. */
  async function run(signal?: AbortSignal): Promise<void> {
    for (let after = 0; !signal?.aborted; ) {
      const due = await requireGroup(read, 'pageDrafts').scheduledPublications.listDue(after, AT_ONCE)
      for (const { pageId } of due) {
        if (signal?.aborted) return
        await publishOrFail(pageId).catch(onError)
      }
      const last = due.at(-1)
      if (!last || due.length < AT_ONCE) return
      after = last.pageId
    }
  }

  return {
    ...timed(run, { everyMs, firstMs: Math.min(everyMs, FIRST_TURN_MS), jitter: JITTER, onError }),
    /** Runs one turn now. */
    run,
  }
}
