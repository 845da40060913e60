import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type {
  WorkspaceDocument,
  WorkspaceDocumentVersion,
  WorkspaceDocumentVersionOutline,
} from '../../../ports/storage/workspace-documents.ts'
import { type ContentService, versionNotFound } from '../../publishing/content/index.ts'
import type { DocumentService } from './documents.ts'

export interface DocumentVersionDeps {
  readonly read: Readers<'workspaces'>
  readonly documents: DocumentService
  readonly diffBodies: ContentService['diffBodies']
}

/** The difference of two versions of a document. */
export interface DocumentDiff {
  /** Undefined before the first version. */
  readonly from: WorkspaceDocumentVersion | undefined
  readonly to: WorkspaceDocumentVersion
  /** The JSON of the difference of the bodies. */
  readonly body: Uint8Array
}

/** Versions of documents. */
export function createDocumentVersions({ read, documents, diffBodies }: DocumentVersionDeps) {
  async function get(id: string, version: number): Promise<WorkspaceDocumentVersion> {
    const found = await read.workspaceDocuments.getVersion(id, version)
    if (!found) throw versionNotFound()
    return found
  }

  return {
    async list(
      workspaceId: string,
      id: string,
      request: PageRequest,
      caller: Caller,
    ): Promise<Page<WorkspaceDocumentVersionOutline>> {
      await documents.requirePermission(workspaceId, id, caller, 'workspace.read')
      return read.workspaceDocuments.listVersions(id, request)
    },

    async get(workspaceId: string, id: string, version: number, caller: Caller): Promise<WorkspaceDocumentVersion> {
      await documents.requirePermission(workspaceId, id, caller, 'workspace.read')
      return get(id, version)
    },

    async diff(
      workspaceId: string,
      id: string,
      { to, from }: { readonly to: number; readonly from: number | undefined },
      caller: Caller,
    ): Promise<DocumentDiff> {
      await documents.requirePermission(workspaceId, id, caller, 'workspace.read')
      const since = () => (from === undefined ? read.workspaceDocuments.getVersionBefore(id, to) : get(id, from))
      const [older, newer] = await Promise.all([from === 0 ? undefined : since(), get(id, to)])
      const body = await diffBodies({ from: older?.body ?? '', to: newer.body }, caller.account.id)
      return { from: older, to: newer, body }
    },

    async restore(
      workspaceId: string,
      id: string,
      version: number,
      caller: Caller,
      ifMatch?: string | undefined,
    ): Promise<WorkspaceDocument> {
      await documents.requirePermission(workspaceId, id, caller, 'documents.edit')
      const { title, body } = await get(id, version)
      const options = { ifMatch, action: 'document.restored' } as const
      return documents.update(workspaceId, id, { title, body }, caller, options)
    },
  }
}
