import type { Clock } from '../../../kernel/clock.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import type { Stores } from '../../../ports/storage/storage.ts'
import type { DocumentPublication, WorkspaceDocument } from '../../../ports/storage/workspace-documents.ts'
import type { Emit } from '../../../runtime/events/define-event.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { requireGroup } from '../../../runtime/storage/require-group.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import type { ContentService } from '../../publishing/content/index.ts'
import type { DocumentService } from './documents.ts'
import { documentNotFound } from './errors.ts'
import { documentPublished } from './events.ts'

export interface PublishDeps extends GuardedStorage<'workspaces'> {
  readonly clock: Clock
  readonly documents: DocumentService
  readonly profiles: Pick<ProfileService, 'get' | 'requirePermission'>
  readonly content: Pick<ContentService, 'pages'>
}

/** Where to publish a document. */
export interface PublishRequest {
  readonly profileId: number
  /** Null is the top level. Default: where the page is; a new page is at the top level. */
  readonly categoryId?: number | null | undefined
}

/** The page that a document was published as. */
export interface PublishedPage {
  readonly profile: Profile
  readonly pageId: number
  readonly slugs: readonly string[]
  /** The version of the document that the page shows. */
  readonly version: number
  readonly publishedAt: Date
}

type ShownVersion = Pick<PublishedPage, 'version' | 'publishedAt'>

/** Publishes documents of workspaces as pages of profiles. */
export function createPublish({ read, write, clock, documents, profiles, content }: PublishDeps) {
  /**
   * The page of a document in a profile. A new one is a draft until it is reserved: of concurrent first publications one
   * page remains, and one that is interrupted leaves a draft.
   */
  async function pageOf(
    { id: documentId, title, body }: WorkspaceDocument,
    { profileId, categoryId = null }: PublishRequest,
    caller: Caller,
  ): Promise<number> {
    const known = (await read.workspaceDocuments.listPublications(documentId)).find(
      (publication) => publication.profileId === profileId,
    )
    if (known) return known.pageId
    const draft = { profileId, categoryId, title, body, excerpt: null, status: 'draft' } as const
    const { page } = await content.pages.create(draft, caller)
    const pageId = await write((tx) =>
      tx.workspaceDocuments.claimPublication({ documentId, profileId, pageId: page.id }),
    )
    if (pageId !== page.id) await content.pages.delete(page.id, caller)
    if (pageId === undefined) throw documentNotFound()
    return pageId
  }

  /**
   * Stores that a page shows a version of a document, in the transaction that saves the page: the caller may have lost the
   * role meanwhile, and a newer version may have been published. Returns what the page shows then.
   */
  async function mark(
    tx: Stores<'workspaces'>,
    emit: Emit,
    { workspaceId, id: documentId, version }: WorkspaceDocument,
    { profileId, pageId }: Pick<DocumentPublication, 'profileId' | 'pageId'>,
    caller: Caller,
  ): Promise<ShownVersion> {
    const current = await documents.lockWithPermission(tx, { workspaceId, id: documentId }, caller, 'documents.publish')
    const known = (await tx.workspaceDocuments.listPublications(documentId)).find((each) => each.pageId === pageId)
    if (known?.version != null && known.publishedAt && known.version > version) {
      return { version: known.version, publishedAt: known.publishedAt }
    }
    const publishedAt = clock()
    await tx.workspaceDocuments.markPublished({ documentId, profileId, version, at: publishedAt })
    await documents.record(tx, caller, current, 'document.published', { version, page_id: pageId })
    emit(documentPublished, { workspaceId, documentId, version, pageId }, { accountId: caller.account.id })
    return { version, publishedAt }
  }

  return async function publish(
    workspaceId: string,
    documentId: string,
    request: PublishRequest,
    caller: Caller,
  ): Promise<PublishedPage> {
    const { profileId, categoryId } = request
    const document = await documents.requirePermission(workspaceId, documentId, caller, 'documents.publish')
    await profiles.requirePermission(await profiles.get(profileId, caller), caller, 'content.publish')
    const pageId = await pageOf(document, request, caller)
    const { title, body, version } = document
    const edits = { title, body, categoryId, status: 'published' } as const
    let shown: ShownVersion = { version, publishedAt: clock() }
    const { profile, page, slugs } = await content.pages.updateGuarded(pageId, edits, caller, {
      async guard(tx, emit) {
        shown = await mark(requireGroup(tx, 'workspaces'), emit, document, { profileId, pageId }, caller)
        return shown.version === version
      },
    })
    return { profile, pageId: page.id, slugs, ...shown }
  }
}
