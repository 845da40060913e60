import type {
  WorkspaceDocumentOutline,
  WorkspaceDocumentReader,
  WorkspaceDocumentVersion,
  WorkspaceDocumentVersionOutline,
} from '@eep/core/ports'
import { type Selectable, sql } from 'kysely'
import { asc, desc, listPage } from '../list-page.ts'
import { isUuid, toDate } from '../rows.ts'
import type { WorkspaceDb, WorkspaceDocumentTable, WorkspaceDocumentVersionTable } from '../workspace-tables.ts'

/** The top level comes before every parent. The index on documents has the same expression. */
const TOP = '00000000-0000-0000-0000-000000000000'
const parent = sql<string>`coalesce(parent_id, ${sql.lit(TOP)}::uuid)`

const OUTLINE = ['id', 'workspace_id', 'parent_id', 'title', 'version', 'position', 'created_at', 'updated_at'] as const
const VERSION_OUTLINE = ['document_id', 'version', 'title', 'created_at', 'created_by'] as const

/** Lists of documents and their versions. */
export function documentLists(
  db: WorkspaceDb,
): Pick<WorkspaceDocumentReader, 'list' | 'listOutlinesByIds' | 'listVersions' | 'getVersion' | 'getVersionBefore'> {
  const versionsOf = (id: string) =>
    db.selectFrom('workspace_document_versions').where('document_id', '=', isUuid(id) ? id : null)

  return {
    list(workspaceId, { parentId, ...request }) {
      let documents = db
        .selectFrom('workspace_documents')
        .where('workspace_id', '=', isUuid(workspaceId) ? workspaceId : null)
      if (parentId !== undefined) {
        const id = parentId ?? TOP
        documents = documents.where(sql<boolean>`${parent} = ${isUuid(id) ? id : null}::uuid`)
      }
      const counted = documents.select((query) => query.fn.countAll<string>().as('count'))
      const query = documents.select(OUTLINE).select(counted.as('total'))
      return listPage(query, request, {
        order: [asc(parent, 'uuid'), asc('position', 'number'), asc('id', 'uuid')],
        item: toDocumentOutline,
        key: (document) => [document.parentId ?? TOP, document.position, document.id],
        counted,
      })
    },

    async listOutlinesByIds(ids) {
      const known = ids.filter(isUuid)
      if (known.length === 0) return []
      const rows = await db.selectFrom('workspace_documents').select(OUTLINE).where('id', 'in', known).execute()
      return rows.map(toDocumentOutline)
    },

    listVersions(id, request) {
      const versions = versionsOf(id)
      const counted = versions.select((query) => query.fn.countAll<string>().as('count'))
      const query = versions.select(VERSION_OUTLINE).select(counted.as('total'))
      return listPage(query, request, {
        order: [desc('version', 'number')],
        item: toVersionOutline,
        key: ({ version }) => [version],
        counted,
      })
    },

    async getVersion(id, version) {
      const row = await versionsOf(id)
        .selectAll()
        .where('version', '=', sql<number>`${version}::bigint`)
        .executeTakeFirst()
      return row && toVersion(row)
    },

    async getVersionBefore(id, version) {
      const row = await versionsOf(id)
        .selectAll()
        .where('version', '<', sql<number>`${version}::bigint`)
        .orderBy('version', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && toVersion(row)
    },
  }
}

export const toDocumentOutline = (
  row: Pick<Selectable<WorkspaceDocumentTable>, (typeof OUTLINE)[number]>,
): WorkspaceDocumentOutline => ({
  id: row.id,
  workspaceId: row.workspace_id,
  parentId: row.parent_id,
  title: row.title,
  version: row.version,
  position: Number(row.position),
  createdAt: toDate(row.created_at),
  updatedAt: toDate(row.updated_at),
})

const toVersionOutline = (
  row: Pick<Selectable<WorkspaceDocumentVersionTable>, (typeof VERSION_OUTLINE)[number]>,
): WorkspaceDocumentVersionOutline => ({
  documentId: row.document_id,
  version: row.version,
  title: row.title,
  createdAt: toDate(row.created_at),
  createdBy: row.created_by,
})

const toVersion = (row: Selectable<WorkspaceDocumentVersionTable>): WorkspaceDocumentVersion => ({
  ...toVersionOutline(row),
  body: row.body,
})
