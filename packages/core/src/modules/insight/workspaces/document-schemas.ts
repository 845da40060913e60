import { z } from 'zod'
import { listOf, listQuery } from '../../../http/documents/lists.ts'
import { BLANK, isBlank, line, prose } from '../../../kernel/text-fields.ts'
import type {
  DocumentPublication,
  NamedDocumentComment,
  WorkspaceDocument,
  WorkspaceDocumentOutline,
  WorkspaceDocumentVersion,
  WorkspaceDocumentVersionOutline,
} from '../../../ports/storage/workspace-documents.ts'
import { addressOf, bodyDiff, markdownBody } from '../../publishing/content/index.ts'
import type { PublishedPage } from './publish.ts'
import { id, personOrNull, workspaceParams } from './schemas.ts'

const MAX_TITLE = 200
const MAX_COMMENT = 5_000
const MAX_POSITION = 1_000_000

const number = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER)
const title = line(MAX_TITLE)
const position = z.int().min(0).max(MAX_POSITION)
const moment = z.iso.datetime()
const parentId = id.nullable().describe('The document above it; null for the top level')

export const documentParams = workspaceParams.extend({ docId: id })
export const documentVersionParams = documentParams.extend({ version: number })
export const commentParams = documentParams.extend({ commentId: number })
export const documentsQuery = listQuery.extend({
  parent_id: id.optional().describe('Only documents directly below this one; `top` for the top level. Default: all'),
})
export const deleteDocumentQuery = z.object({
  cascade: z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0'] }).default(false),
})

export const newDocumentBody = z.strictObject({
  title,
  body: markdownBody.default(''),
  parent_id: parentId.optional(),
  position: position
    .optional()
    .describe('Siblings with this position or a higher one move after it. Default: after all siblings'),
})

export const documentChangesBody = z
  .strictObject({
    title: title.optional(),
    body: markdownBody.optional(),
    parent_id: parentId.optional(),
    position: position.optional().describe('Siblings with this position or a higher one move after it'),
    autosave: z
      .boolean()
      .optional()
      .describe('Joins this save with the last automatic one of the same author within five minutes. Default: false'),
  })
  .refine(
    ({ autosave: _, ...fields }) => Object.values(fields).some((value) => value !== undefined),
    'Name at least one field to change',
  )

export const commentBody = z.strictObject({
  body: prose(MAX_COMMENT)
    .min(1)
    .refine((text) => !isBlank(text), BLANK),
})

export const publishBody = z.strictObject({
  profile_id: z.int().min(1),
  category_id: z
    .int()
    .min(1)
    .nullable()
    .optional()
    .describe('Null for the top level. Default: where the page is; a new page is at the top level'),
})

export const documentOutline = z
  .object({
    id: z.uuid(),
    workspace_id: z.uuid(),
    parent_id: z.uuid().nullable(),
    title: z.string(),
    version: z.int(),
    position: z.int(),
    created_at: moment,
    updated_at: moment,
  })
  .meta({ id: 'DocumentSummary' })
export const documentList = listOf(documentOutline)

const publication = z.object({
  profile_id: z.int(),
  page_id: z.int(),
  version: z.int().nullable().describe('The version that the page shows'),
  published_at: moment.nullable(),
})
export const documentRecord = documentOutline.extend({ body: z.string() }).meta({ id: 'Document' })
export const publishedDocumentRecord = documentRecord
  .extend({ publications: z.array(publication) })
  .meta({ id: 'PublishedDocument' })

const versionOutline = z
  .object({
    version: z.int(),
    title: z.string(),
    created_at: moment,
    created_by: z.string(),
  })
  .meta({ id: 'DocumentVersionSummary' })
export const documentVersionList = listOf(versionOutline)
export const documentVersionRecord = versionOutline.extend({ body: z.string() }).meta({ id: 'DocumentVersion' })

export const documentDiffRecord = z
  .object({
    from: z.int().describe('0 before the first version'),
    to: z.int(),
    title: z.object({ from: z.string().nullable(), to: z.string().nullable() }),
    body: bodyDiff,
  })
  .meta({ id: 'DocumentDiff' })

export const commentRecord = z
  .object({
    id: z.int(),
    document_id: z.uuid(),
    author: z.object({ id: z.string(), username: z.string().nullable() }).nullable(),
    body: z.string(),
    created_at: moment,
  })
  .meta({ id: 'DocumentComment' })
export const commentList = listOf(commentRecord)

export const publishedRecord = z
  .object({
    page: z.object({ id: z.int(), profile_id: z.int(), path: z.string(), url: z.string() }),
    version: z.int().describe('The version of the document'),
    published_at: moment,
  })
  .meta({ id: 'Publication' })

export const serializeDocumentOutline = (document: WorkspaceDocumentOutline) => ({
  id: document.id,
  workspace_id: document.workspaceId,
  parent_id: document.parentId,
  title: document.title,
  version: document.version,
  position: document.position,
  created_at: document.createdAt.toISOString(),
  updated_at: document.updatedAt.toISOString(),
})

export const serializeDocument = (document: WorkspaceDocument) => ({
  ...serializeDocumentOutline(document),
  body: document.body,
})

export const serializePublication = ({ profileId, pageId, version, publishedAt }: DocumentPublication) => ({
  profile_id: profileId,
  page_id: pageId,
  version,
  published_at: publishedAt?.toISOString() ?? null,
})

export const serializeVersionOutline = (version: WorkspaceDocumentVersionOutline) => ({
  version: version.version,
  title: version.title,
  created_at: version.createdAt.toISOString(),
  created_by: version.createdBy,
})

export const serializeDocumentVersion = (version: WorkspaceDocumentVersion) => ({
  ...serializeVersionOutline(version),
  body: version.body,
})

export const serializeComment = (comment: NamedDocumentComment) => ({
  id: comment.id,
  document_id: comment.documentId,
  author: personOrNull(comment.accountId, comment.username),
  body: comment.body,
  created_at: comment.createdAt.toISOString(),
})

export const serializePublished =
  (site: Parameters<typeof addressOf>[0]) =>
  ({ profile, pageId, slugs, version, publishedAt }: PublishedPage) => ({
    page: { id: pageId, profile_id: profile.id, ...addressOf(site, profile, slugs) },
    version,
    published_at: publishedAt.toISOString(),
  })
