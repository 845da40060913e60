import type { FastifyReply } from 'fastify'
import { listQuery, listResponse } from '../../../http/documents/lists.ts'
import { callerOf } from '../../../http/pipeline/request-context.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { fileQuotaReached, invalidTransition } from '../../../kernel/errors.ts'
import { invalidCursor } from '../../../kernel/page.ts'
import type { WorkspaceDocument } from '../../../ports/storage/workspace-documents.ts'
import { notProfileOwner, type ProfileService, profileNotFound } from '../../profiles/profiles/index.ts'
import {
  diffBusy,
  diffQuery,
  encodeDiff,
  gatePermissionRequired,
  PAGE_REQUEST_BYTES,
  pageNotFound,
  preconditionFailed,
  slugTaken,
  unknownCategory,
  versionNotFound,
  versionTag,
} from '../../publishing/content/index.ts'
import {
  deleteDocumentQuery,
  documentChangesBody,
  documentDiffRecord,
  documentList,
  documentParams,
  documentRecord,
  documentsQuery,
  documentVersionList,
  documentVersionParams,
  documentVersionRecord,
  newDocumentBody,
  publishBody,
  publishedDocumentRecord,
  publishedRecord,
  serializeDocument,
  serializeDocumentOutline,
  serializeDocumentVersion,
  serializePublication,
  serializePublished,
  serializeVersionOutline,
} from './document-schemas.ts'
import {
  documentCycle,
  documentNotEmpty,
  documentNotFound,
  documentTooDeep,
  tooManyDocuments,
  unknownParent,
  workspaceNotFound,
  workspacePermissionRequired,
  workspaceStorageFull,
} from './errors.ts'
import { granting, NO_STORE, reading, writing } from './route-configs.ts'
import { doneSchema, workspaceParams } from './schemas.ts'
import type { WorkspaceService } from './service.ts'

const READ = [workspaceNotFound, documentNotFound]
const WRITTEN = [...READ, workspacePermissionRequired]

/** Answers with a document, and with the tag of its version for `If-Match`. */
const send = (reply: FastifyReply, document: WorkspaceDocument) => {
  reply.header('etag', versionTag(document.version)).headers(NO_STORE)
  return serializeDocument(document)
}

/** Routes of the documents of workspaces. */
export function documentRoutes(
  app: EepRoutes,
  {
    workspaces: { documents, versions, publish },
    profiles,
  }: { readonly workspaces: WorkspaceService; readonly profiles: ProfileService },
): void {
  const serializePage = serializePublished(profiles)

  app.get(
    '/workspaces/:id/documents',
    {
      config: reading({
        operationId: 'listDocuments',
        summary: 'List the documents of a workspace, the top level first, then by parent and position',
        errors: [workspaceNotFound, unknownParent, invalidCursor],
      }),
      schema: { params: workspaceParams, querystring: documentsQuery, response: { 200: documentList } },
    },
    async (request, reply) => {
      const { parent_id: parent, ...page } = request.query
      const parentId = parent === 'top' ? null : parent
      reply.headers(NO_STORE)
      const found = await documents.list(request.params.id, { ...page, parentId }, callerOf(request))
      return listResponse(found, serializeDocumentOutline)
    },
  )

  app.post(
    '/workspaces/:id/documents',
    {
      bodyLimit: PAGE_REQUEST_BYTES,
      config: writing({
        operationId: 'createDocument',
        summary: 'Create a document in a workspace',
        errors: [
          workspaceNotFound,
          workspacePermissionRequired,
          unknownParent,
          documentTooDeep,
          tooManyDocuments,
          workspaceStorageFull,
        ],
      }),
      schema: { params: workspaceParams, body: newDocumentBody, response: { 201: documentRecord } },
    },
    async (request, reply) => {
      const { parent_id: parentId = null, ...draft } = request.body
      const document = await documents.create(request.params.id, { ...draft, parentId }, callerOf(request))
      reply.code(201)
      return send(reply, document)
    },
  )

  app.get(
    '/workspaces/:id/documents/:docId',
    {
      config: reading({
        operationId: 'getDocument',
        summary: 'Get a document and the pages published from it',
        errors: READ,
      }),
      schema: { params: documentParams, response: { 200: publishedDocumentRecord } },
    },
    async (request, reply) => {
      const { id, docId } = request.params
      const { document, publications } = await documents.get(id, docId, callerOf(request))
      return { ...send(reply, document), publications: publications.map(serializePublication) }
    },
  )

  app.put(
    '/workspaces/:id/documents/:docId',
    {
      bodyLimit: PAGE_REQUEST_BYTES,
      config: writing({
        operationId: 'updateDocument',
        summary:
          'Update or move a document. Each save is a version; with `autosave` those of one author within five minutes are one; `If-Match` prevents lost updates',
        errors: [...WRITTEN, unknownParent, documentCycle, documentTooDeep, preconditionFailed, workspaceStorageFull],
      }),
      schema: { params: documentParams, body: documentChangesBody, response: { 200: documentRecord } },
    },
    async (request, reply) => {
      const { id, docId } = request.params
      const { parent_id: parentId, autosave, ...fields } = request.body
      const options = { ifMatch: request.headers['if-match'], autosave }
      return send(reply, await documents.update(id, docId, { ...fields, parentId }, callerOf(request), options))
    },
  )

  app.delete(
    '/workspaces/:id/documents/:docId',
    {
      config: writing({
        operationId: 'deleteDocument',
        summary: 'Delete a document; `cascade` also deletes those below it',
        errors: [...WRITTEN, documentNotEmpty, preconditionFailed],
      }),
      schema: { params: documentParams, querystring: deleteDocumentQuery, response: { 200: doneSchema } },
    },
    async (request) => {
      const { id, docId } = request.params
      const options = { cascade: request.query.cascade, ifMatch: request.headers['if-match'] }
      await documents.delete(id, docId, options, callerOf(request))
      return { success: true as const }
    },
  )

  app.get(
    '/workspaces/:id/documents/:docId/versions',
    {
      config: reading({
        operationId: 'listDocumentVersions',
        summary: 'List the versions of a document, newest first',
        errors: [...READ, invalidCursor],
      }),
      schema: { params: documentParams, querystring: listQuery, response: { 200: documentVersionList } },
    },
    async (request, reply) => {
      const { id, docId } = request.params
      reply.headers(NO_STORE)
      return listResponse(await versions.list(id, docId, request.query, callerOf(request)), serializeVersionOutline)
    },
  )

  app.get(
    '/workspaces/:id/documents/:docId/versions/:version',
    {
      config: reading({
        operationId: 'getDocumentVersion',
        summary: 'Get a version of a document',
        errors: [...READ, versionNotFound],
      }),
      schema: { params: documentVersionParams, response: { 200: documentVersionRecord } },
    },
    async (request, reply) => {
      const { id, docId, version } = request.params
      reply.headers(NO_STORE)
      return serializeDocumentVersion(await versions.get(id, docId, version, callerOf(request)))
    },
  )

  app.get(
    '/workspaces/:id/documents/:docId/versions/:version/diff',
    {
      config: reading({
        operationId: 'compareDocumentVersions',
        summary: 'Get the diff of a version against the previous one, or against `from`',
        errors: [...READ, versionNotFound, diffBusy],
      }),
      schema: { params: documentVersionParams, querystring: diffQuery, response: { 200: documentDiffRecord } },
    },
    async (request, reply) => {
      const { id, docId, version } = request.params
      const range = { to: version, from: request.query.from }
      const diff = await versions.diff(id, docId, range, callerOf(request))
      reply.headers(NO_STORE)
      return sendJson(reply, encodeDiff(diff, ['title']))
    },
  )

  app.post(
    '/workspaces/:id/documents/:docId/versions/:version/restore',
    {
      config: writing({
        operationId: 'restoreDocumentVersion',
        summary: 'Restore a version of a document as its newest version',
        errors: [...WRITTEN, versionNotFound, preconditionFailed, workspaceStorageFull],
      }),
      schema: { params: documentVersionParams, response: { 200: documentRecord } },
    },
    async (request, reply) => {
      const { id, docId, version } = request.params
      const ifMatch = request.headers['if-match']
      return send(reply, await versions.restore(id, docId, version, callerOf(request), ifMatch))
    },
  )

  app.post(
    '/workspaces/:id/documents/:docId/publish',
    {
      // Pages are written by sessions, not by keys.
      config: granting({
        operationId: 'publishDocument',
        summary:
          'Publish a document as a page of a profile, or update that page; requires permission to publish in both',
        errors: [
          ...WRITTEN,
          profileNotFound,
          notProfileOwner,
          unknownCategory,
          pageNotFound,
          slugTaken,
          gatePermissionRequired,
          invalidTransition,
          fileQuotaReached,
        ],
      }),
      schema: { params: documentParams, body: publishBody, response: { 200: publishedRecord } },
    },
    async (request) => {
      const { id, docId } = request.params
      const { profile_id: profileId, category_id: categoryId } = request.body
      return serializePage(await publish(id, docId, { profileId, categoryId }, callerOf(request)))
    },
  )
}

/** Sends JSON that is encoded already, past the serializer of the route. */
const sendJson = (reply: FastifyReply, bytes: Buffer) => reply.type('application/json; charset=utf-8').send(bytes)
