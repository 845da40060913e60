import { listQuery, listResponse } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import {
  commentBody,
  commentList,
  commentParams,
  commentRecord,
  documentParams,
  serializeComment,
} from './document-schemas.ts'
import {
  commentNotFound,
  documentNotFound,
  tooManyComments,
  workspaceNotFound,
  workspacePermissionRequired,
  workspaceStorageFull,
} from './errors.ts'
import { NO_STORE, reading, writing } from './route-configs.ts'
import { doneSchema } from './schemas.ts'
import type { WorkspaceService } from './service.ts'

const READ = [workspaceNotFound, documentNotFound]

/** Routes of comments on documents. */
export function commentRoutes(
  app: EepRoutes,
  { workspaces: { comments } }: { readonly workspaces: WorkspaceService },
): void {
  app.get(
    '/workspaces/:id/documents/:docId/comments',
    {
      config: reading({
        operationId: 'listDocumentComments',
        summary: 'List the comments on a document, oldest first',
        errors: [...READ, invalidCursor],
      }),
      schema: { params: documentParams, querystring: listQuery, response: { 200: commentList } },
    },
    async (request, reply) => {
      const { id, docId } = request.params
      reply.headers(NO_STORE)
      return listResponse(await comments.list(id, docId, request.query, callerOf(request)), serializeComment)
    },
  )

  app.post(
    '/workspaces/:id/documents/:docId/comments',
    {
      config: writing({
        operationId: 'createDocumentComment',
        summary: 'Create a comment on a document',
        errors: [...READ, workspacePermissionRequired, tooManyComments, workspaceStorageFull],
      }),
      schema: { params: documentParams, body: commentBody, response: { 201: commentRecord } },
    },
    async (request, reply) => {
      const { id, docId } = request.params
      const comment = await comments.add(id, docId, request.body.body, callerOf(request))
      reply.code(201)
      return serializeComment(comment)
    },
  )

  app.delete(
    '/workspaces/:id/documents/:docId/comments/:commentId',
    {
      config: writing({
        operationId: 'deleteDocumentComment',
        summary: 'Delete a comment; admins and owners can also delete those of others',
        errors: [...READ, workspacePermissionRequired, commentNotFound],
      }),
      schema: { params: commentParams, response: { 200: doneSchema } },
    },
    async (request) => {
      const { id, docId, commentId } = request.params
      await comments.delete(id, docId, commentId, callerOf(request))
      return { success: true as const }
    },
  )
}
