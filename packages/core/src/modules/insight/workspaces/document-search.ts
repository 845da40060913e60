import type { PartitionChange, PartitionDocument, SearchSource } from '../../../framework/module/search-source.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { WorkspaceDocument, WorkspaceDocumentOutline } from '../../../ports/storage/workspace-documents.ts'
import type { SearchPartitions } from '../../discovery/search/index.ts'
import type { WorkspaceAccess } from './access.ts'
import { documentDeleted, documentSaved, workspaceDeleted } from './events.ts'

type PartitionQuery = Parameters<SearchPartitions['search']>[0]
type PartitionResults = Awaited<ReturnType<SearchPartitions['search']>>

/** The partition of the search index that the documents of a workspace are in. */
const partitionOf = (workspaceId: string): string => `workspaces:${workspaceId}`

const indexed = ({ id, title, body, updatedAt }: WorkspaceDocument): PartitionDocument => ({
  key: id,
  title,
  body,
  updatedAt,
})

const REBUILD_BATCH = 100

/** The documents of workspaces for the search index. */
export const createDocumentSource = (read: Readers<'workspaces'>): SearchSource => ({
  name: 'workspaces',

  changes({ type, data }): readonly PartitionChange[] {
    const {
      workspaceId,
      documentId,
      below = [],
    } = data as {
      readonly workspaceId?: string
      readonly documentId?: string
      readonly below?: readonly string[]
    }
    // The other events of an erased account have no data.
    if (workspaceId === undefined) return []
    const partition = partitionOf(workspaceId)
    if (type === workspaceDeleted.type) return [{ partition, isDeleted: true }]
    const isOfDocument = type === documentSaved.type || type === documentDeleted.type
    return isOfDocument && documentId !== undefined ? [{ partition, keys: [documentId, ...below] }] : []
  },

  async listDocuments(partition, keys) {
    const documents = await read.workspaceDocuments.listByIds(keys)
    return documents.filter(({ workspaceId }) => partitionOf(workspaceId) === partition).map(indexed)
  },

  async listAll(cursor) {
    const { items, nextCursor } = await read.workspaceDocuments.listAll({ limit: REBUILD_BATCH, cursor })
    return {
      items: items.map((document) => ({ partition: partitionOf(document.workspaceId), document: indexed(document) })),
      nextCursor,
    }
  },
})

export interface DocumentSearchDeps {
  readonly read: Readers<'workspaces'>
  readonly access: WorkspaceAccess
  readonly searchPartitions: SearchPartitions
}

/** A document that was found. */
export interface FoundDocument {
  readonly document: WorkspaceDocumentOutline
  readonly hit: PartitionResults['hits'][number]
}

/** The documents that a search found, best first. */
export interface FoundDocuments extends Omit<PartitionResults, 'hits'> {
  readonly items: readonly FoundDocument[]
}

/** Searches the documents of one workspace. */
export const createDocumentSearch =
  ({ read, access, searchPartitions }: DocumentSearchDeps) =>
  /**
   * Finds documents of a workspace by their words and, with an embedder, their meaning. Documents that were deleted since they
   * were indexed are left out.
   *
   * @throws `workspace_not_found`, `invalid_search_query`, `invalid_cursor`, `semantic_search_disabled`,
   * `semantic_search_unavailable`
   */
  async (workspaceId: string, query: Omit<PartitionQuery, 'partition'>, caller: Caller): Promise<FoundDocuments> => {
    const { workspace } = await access.requirePermission(workspaceId, caller, 'workspace.read')
    const found = await searchPartitions.search({ ...query, partition: partitionOf(workspace.id) })
    const { hits, ...results } = found
    const documents = await read.workspaceDocuments.listOutlinesByIds(hits.map(({ key }) => key))
    const byId = new Map(documents.map((document) => [document.id, document]))
    const items = hits.flatMap((hit): readonly FoundDocument[] => {
      const document = byId.get(hit.key)
      return document?.workspaceId === workspace.id ? [{ document, hit }] : []
    })
    return { ...results, items }
  }
