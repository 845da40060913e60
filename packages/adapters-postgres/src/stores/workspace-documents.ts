import type {
  DocumentPublication,
  DocumentSave,
  WorkspaceDocument,
  WorkspaceDocumentChanges,
  WorkspaceDocumentStore,
} from '@eep/core/ports'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../database.ts'
import { asc, listPage } from '../list-page.ts'
import { isUuid, toDateOrNull } from '../rows.ts'
import { deletedWorkspaces, type WorkspaceDb, type WorkspaceDocumentTable, workspaceDb } from '../workspace-tables.ts'
import { documentLists, toDocumentOutline } from './document-lists.ts'
import { depthOf, listSubtree, makeRoom } from './document-tree.ts'
import { versionTable } from './version-table.ts'

export function workspaceDocuments(database: Db): WorkspaceDocumentStore {
  const db = workspaceDb(database)

  return {
    ...documentLists(db),

    async get(id) {
      if (!isUuid(id)) return undefined
      const row = await db
        .selectFrom('workspace_documents')
        .selectAll()
        .where('id', '=', id)
        .where('workspace_id', 'not in', deletedWorkspaces(db))
        .executeTakeFirst()
      return row && toDocument(row)
    },

    async listByIds(ids) {
      const known = ids.filter(isUuid)
      if (known.length === 0) return []
      const rows = await db
        .selectFrom('workspace_documents')
        .selectAll()
        .where('id', 'in', known)
        .where('workspace_id', 'not in', deletedWorkspaces(db))
        .execute()
      return rows.map(toDocument)
    },

    listAll(request) {
      const kept = db.selectFrom('workspace_documents').where('workspace_id', 'not in', deletedWorkspaces(db))
      const counted = kept.select((query) => query.fn.countAll<string>().as('count'))
      const query = kept.selectAll().select(counted.as('total'))
      return listPage(query, request, {
        order: [asc('id', 'uuid')],
        item: toDocument,
        key: ({ id }) => [id],
        counted,
      })
    },

    async insert(document, { maxDocuments, maxDepth }) {
      const { workspaceId, parentId, createdAt, createdBy } = document
      if (!(await lockTree(db, workspaceId))) return { outcome: 'unknown_parent' }
      if (parentId !== null) {
        const depth = await depthOf(db, workspaceId, parentId)
        if (depth === undefined) return { outcome: 'unknown_parent' }
        if (depth + 1 > maxDepth) return { outcome: 'too_deep' }
      }
      const { count } = await db
        .selectFrom('workspace_documents')
        .select((query) => query.fn.countAll<string>().as('count'))
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirstOrThrow()
      if (Number(count) >= maxDocuments) return { outcome: 'too_many' }
      const row = await db
        .insertInto('workspace_documents')
        .values({
          id: document.id,
          workspace_id: workspaceId,
          parent_id: parentId,
          title: document.title,
          body: document.body,
          version: 1,
          position: await makeRoom(db, { workspaceId, parentId }, document.position),
          created_at: createdAt,
          updated_at: createdAt,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      await addVersion(db, toDocument(row), createdBy, null)
      return { outcome: 'inserted', document: toDocument(row) }
    },

    save: (id, changes, { maxDepth }) => save(db, id, changes, maxDepth),

    async delete(id, { cascade }) {
      const document = await lockDocument(db, id)
      if (!document) return { outcome: 'missing' }
      const subtree = await listSubtree(db, id)
      if (subtree.size > 1 && !cascade) return { outcome: 'not_empty' }
      await db.deleteFrom('workspace_documents').where('id', '=', id).execute()
      return { outcome: 'deleted', below: [...subtree.keys()].filter((each) => each !== document.id) }
    },

    async claimPublication({ documentId, profileId, pageId }) {
      if (!isUuid(documentId)) return undefined
      const row = await db
        .insertInto('workspace_publications')
        .columns(['document_id', 'profile_id', 'page_id'])
        .expression((query) =>
          query
            .selectFrom('workspace_documents')
            .innerJoin('pages', (join) => join.on('pages.id', '=', pageId).on('pages.profile_id', '=', profileId))
            .select(['workspace_documents.id', 'pages.profile_id', 'pages.id as page_id'])
            .where('workspace_documents.id', '=', documentId),
        )
        // Updates nothing, but waits for a concurrent claim and returns its page.
        .onConflict((conflict) =>
          conflict
            .columns(['document_id', 'profile_id'])
            .doUpdateSet((row) => ({ page_id: row.ref('workspace_publications.page_id') })),
        )
        .returning('page_id')
        .executeTakeFirst()
      return row && Number(row.page_id)
    },

    async markPublished({ documentId, profileId, version, at }) {
      if (!isUuid(documentId)) return
      await db
        .updateTable('workspace_publications')
        .set({ version, published_at: at })
        .where('document_id', '=', documentId)
        .where('profile_id', '=', profileId)
        .where((where) => where.or([where('version', 'is', null), where('version', '<=', version)]))
        .execute()
    },

    async listPublications(id) {
      if (!isUuid(id)) return []
      const rows = await db
        .selectFrom('workspace_publications')
        .selectAll()
        .where('document_id', '=', id)
        .orderBy('profile_id')
        .execute()
      return rows.map(
        (row): DocumentPublication => ({
          documentId: row.document_id,
          profileId: Number(row.profile_id),
          pageId: Number(row.page_id),
          version: row.version,
          publishedAt: toDateOrNull(row.published_at),
        }),
      )
    },

    async countBytes(workspaceId) {
      if (!isUuid(workspaceId)) return 0
      const [versions, comments] = (['workspace_document_versions', 'workspace_comments'] as const).map((table) =>
        db
          .selectFrom(table)
          .select(sql<string>`coalesce(sum(bytes), 0)`.as('bytes'))
          .where('workspace_id', '=', workspaceId),
      )
      const { rows } = await sql<{ bytes: string }>`select (${versions}) + (${comments}) as bytes`.execute(db)
      return Number(rows[0]?.bytes ?? 0)
    },
  }
}

/** Locks a workspace, and with it the tree of its documents. Returns false when it does not exist. */
async function lockTree(db: WorkspaceDb, workspaceId: string): Promise<boolean> {
  if (!isUuid(workspaceId)) return false
  const workspace = db
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', workspaceId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
  return (await workspace.executeTakeFirst()) !== undefined
}

/** Locks the workspace of a document, then reads the document. A document never changes its workspace. */
async function lockDocument(db: WorkspaceDb, id: string): Promise<WorkspaceDocument | undefined> {
  if (!isUuid(id)) return undefined
  const one = db.selectFrom('workspace_documents').selectAll().where('id', '=', id)
  const found = await one.executeTakeFirst()
  if (!found || !(await lockTree(db, found.workspace_id))) return undefined
  const row = await one.executeTakeFirst()
  return row && toDocument(row)
}

async function save(
  db: WorkspaceDb,
  id: string,
  changes: WorkspaceDocumentChanges,
  maxDepth: number,
): Promise<DocumentSave> {
  const { versioning, savedBy, updatedAt, expectedVersion } = changes
  const before = await lockDocument(db, id)
  if (!before) return { outcome: 'missing' }
  if (expectedVersion !== undefined && expectedVersion !== before.version) {
    return { outcome: 'stale', version: before.version }
  }
  const { workspaceId } = before
  // Ids are compared as they are stored.
  const parentId = changes.parentId === undefined ? before.parentId : (changes.parentId?.toLowerCase() ?? null)
  const moves = parentId !== before.parentId
  if (moves && parentId !== null) {
    const depth = await depthOf(db, workspaceId, parentId)
    if (depth === undefined) return { outcome: 'unknown_parent' }
    const subtree = await listSubtree(db, id)
    if (subtree.has(parentId)) return { outcome: 'cycle' }
    if (depth + Math.max(...subtree.values()) > maxDepth) return { outcome: 'too_deep' }
  }
  const isPlaced = moves || changes.position !== undefined
  const position = isPlaced
    ? await makeRoom(db, { workspaceId, parentId, except: id }, changes.position ?? null)
    : undefined
  const isRewritten = changes.title !== undefined || changes.body !== undefined
  const versions = versionTable<string>(db, { table: 'workspace_document_versions', idColumn: 'document_id' })
  const replaceableUntil =
    isRewritten && versioning.replaces
      ? await versions.takeReplaceable(id, before.version, savedBy, updatedAt)
      : undefined
  const row = await db
    .updateTable('workspace_documents')
    .set((current) => ({
      title: changes.title,
      body: changes.body,
      parent_id: moves ? parentId : undefined,
      position,
      updated_at: updatedAt,
      version: isRewritten ? current('version', '+', 1) : undefined,
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (isRewritten) {
    await addVersion(db, toDocument(row), savedBy, replaceableUntil ?? versioning.replaceableUntil)
    await versions.prune(id, versioning.kept)
  }
  return { outcome: 'saved', document: toDocument(row), replaced: replaceableUntil !== undefined }
}

const addVersion = (db: WorkspaceDb, document: WorkspaceDocument, author: string, replaceableUntil: Date | null) =>
  db
    .insertInto('workspace_document_versions')
    .values({
      document_id: document.id,
      version: document.version,
      workspace_id: document.workspaceId,
      title: document.title,
      body: document.body,
      created_at: document.updatedAt,
      created_by: author,
      replaceable_until: replaceableUntil,
    })
    .execute()

const toDocument = (row: Selectable<WorkspaceDocumentTable>): WorkspaceDocument => ({
  ...toDocumentOutline(row),
  body: row.body,
})
