import type { Clock } from '../../../kernel/clock.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { NamedDocumentComment } from '../../../ports/storage/workspace-documents.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import type { WorkspaceAccess } from './access.ts'
import type { DocumentService } from './documents.ts'
import { commentNotFound, documentNotFound, tooManyComments } from './errors.ts'
import { commentAdded, commentDeleted } from './events.ts'
import type { StorageLimits } from './storage-limits.ts'

/** How many comments a document has at most. */
const MAX_COMMENTS = 1_000

export interface CommentDeps extends GuardedStorage<'workspaces'> {
  readonly clock: Clock
  readonly access: WorkspaceAccess
  readonly documents: DocumentService
  readonly limits: StorageLimits
}

/** Comments of members on documents. */
export function createComments({ read, write, clock, access, documents, limits }: CommentDeps) {
  return {
    async list(
      workspaceId: string,
      documentId: string,
      request: PageRequest,
      caller: Caller,
    ): Promise<Page<NamedDocumentComment>> {
      await documents.requirePermission(workspaceId, documentId, caller, 'workspace.read')
      return read.documentComments.list(documentId, request)
    },

    async add(workspaceId: string, documentId: string, body: string, caller: Caller): Promise<NamedDocumentComment> {
      const { id: accountId, username } = caller.account
      return write(async (tx, emit) => {
        const place = { workspaceId, id: documentId }
        const document = await documents.lockWithPermission(tx, place, caller, 'documents.comment')
        const checkSize = await limits.measure(tx, workspaceId)
        const comment = { documentId, accountId, body, createdAt: clock() }
        const inserted = await tx.documentComments.insert(comment, MAX_COMMENTS)
        if (inserted.outcome !== 'inserted') {
          throw inserted.outcome === 'missing'
            ? documentNotFound()
            : tooManyComments({ details: { max_comments: MAX_COMMENTS } })
        }
        await checkSize()
        await documents.record(tx, caller, document, 'comment.added')
        emit(commentAdded, { workspaceId, documentId, commentId: inserted.comment.id }, { accountId })
        return { ...inserted.comment, username }
      })
    },

    async delete(workspaceId: string, documentId: string, commentId: number, caller: Caller): Promise<void> {
      await write(async (tx, emit) => {
        const place = { workspaceId, id: documentId }
        const document = await documents.lockWithPermission(tx, place, caller, 'documents.comment')
        const comment = await tx.documentComments.get(commentId)
        if (comment?.documentId !== documentId) throw commentNotFound()
        if (comment.accountId !== caller.account.id) {
          await access.lockWithPermission(tx, workspaceId, caller, 'comments.moderate')
        }
        if (!(await tx.documentComments.delete(commentId))) throw commentNotFound()
        await documents.record(tx, caller, document, 'comment.deleted')
        emit(commentDeleted, { workspaceId, documentId, commentId }, { accountId: caller.account.id })
      })
    },
  }
}
