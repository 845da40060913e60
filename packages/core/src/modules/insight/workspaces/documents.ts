import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Readers, Stores } from '../../../ports/storage/storage.ts'
import type {
  DocumentPublication,
  DocumentSave,
  WorkspaceDocument,
  WorkspaceDocumentOutline,
} from '../../../ports/storage/workspace-documents.ts'
import type { GuardedStorage } from '../../../runtime/storage/guard.ts'
import { checkVersion, preconditionFailed, type VersionSettings, versioningOf } from '../../publishing/content/index.ts'
import type { WorkspaceAccess } from './access.ts'
import type { RecordedActivity, WorkspaceActivityService } from './activity.ts'
import {
  documentCycle,
  documentNotEmpty,
  documentNotFound,
  documentTooDeep,
  tooManyDocuments,
  unknownParent,
} from './errors.ts'
import { documentDeleted, documentSaved } from './events.ts'
import type { WorkspaceAction } from './permissions.ts'
import type { StorageLimits } from './storage-limits.ts'

/** How deep documents are nested at most. */
const MAX_DOCUMENT_DEPTH = 8

export interface DocumentDeps extends GuardedStorage<'workspaces'> {
  readonly clock: Clock
  readonly access: WorkspaceAccess
  readonly activity: WorkspaceActivityService
  readonly limits: StorageLimits
  readonly versions: VersionSettings
}

/** The fields of a new document. */
export interface DocumentDraft extends Pick<WorkspaceDocument, 'title' | 'body' | 'parentId'> {
  /** Default: after its siblings. */
  readonly position?: number | undefined
}

/** The fields of a document to change. */
export type DocumentEdits = {
  readonly [Field in 'title' | 'body' | 'parentId' | 'position']?: WorkspaceDocument[Field] | undefined
}

export interface DocumentSaveOptions {
  readonly ifMatch?: string | undefined
  /** The save of an editor: joined with the last automatic one of the same author within `content.autosaveIntervalSeconds`. Default: false. */
  readonly autosave?: boolean | undefined
  /** What the activity records. Default: that it was moved or updated. */
  readonly action?: 'document.restored' | undefined
}

/** A document, and the pages that it is published as. */
export interface PublishedDocument {
  readonly document: WorkspaceDocument
  readonly publications: readonly DocumentPublication[]
}

const ERRORS = {
  missing: documentNotFound,
  unknown_parent: unknownParent,
  too_deep: documentTooDeep,
  too_many: tooManyDocuments,
  cycle: documentCycle,
} as const

/** Documents of workspaces. */
export function createDocuments({ read, write, clock, access, activity, limits, versions }: DocumentDeps) {
  /** @throws `document_not_found` also for a document of another workspace */
  async function find(
    stores: Pick<Readers<'workspaces'>, 'workspaceDocuments'>,
    workspaceId: string,
    id: string,
  ): Promise<WorkspaceDocument> {
    const document = await stores.workspaceDocuments.get(id)
    if (document?.workspaceId !== workspaceId) throw documentNotFound()
    return document
  }

  function saved(save: DocumentSave) {
    if (save.outcome === 'stale') throw preconditionFailed({ details: { version: save.version } })
    if (save.outcome !== 'saved') throw ERRORS[save.outcome]({ details: { max_depth: MAX_DOCUMENT_DEPTH } })
    return save
  }

  async function update(
    workspaceId: string,
    id: string,
    edits: DocumentEdits,
    caller: Caller,
    { ifMatch, autosave = false, action }: DocumentSaveOptions = {},
  ): Promise<WorkspaceDocument> {
    return write(async (tx, emit) => {
      await access.lockWithPermission(tx, workspaceId, caller, 'documents.edit')
      const checkSize = await limits.measure(tx, workspaceId)
      const before = await find(tx, workspaceId, id)
      checkVersion(ifMatch, before.version)
      const at = clock()
      const versioning = versioningOf(versions, { at, isAutomatic: autosave })
      const expectedVersion = ifMatch === undefined ? undefined : before.version
      const changes = { ...edits, updatedAt: at, savedBy: caller.account.id, versioning, expectedVersion }
      const { document, replaced } = saved(
        await tx.workspaceDocuments.save(id, changes, { maxDepth: MAX_DOCUMENT_DEPTH }),
      )
      await checkSize()
      const isMoved = document.parentId !== before.parentId || document.position !== before.position
      const what = action ?? (isMoved ? 'document.moved' : 'document.updated')
      // A save that continues the last version is not another change.
      const isNewVersion = document.version !== before.version && !replaced
      if (isNewVersion || isMoved) await record(tx, caller, document, what, { version: document.version })
      emit(documentSaved, { workspaceId, documentId: id, version: document.version }, { accountId: caller.account.id })
      return document
    })
  }

  const record = (
    tx: Stores<'workspaces'>,
    caller: Caller,
    { workspaceId, id, title }: WorkspaceDocumentOutline,
    action: RecordedActivity['action'],
    data: RecordedActivity['data'] = {},
  ) => activity.record(tx, caller, { workspaceId, action, documentId: id, data: { title, ...data } })

  return {
    /**
     * Returns a document of a workspace, when the role of the caller permits an action.
     *
     * @throws `document_not_found`, `workspace_not_found`, `workspace_permission_required`
     */
    async requirePermission(
      workspaceId: string,
      id: string,
      caller: Caller,
      action: WorkspaceAction,
    ): Promise<WorkspaceDocument> {
      await access.requirePermission(workspaceId, caller, action)
      return find(read, workspaceId, id)
    },

    /** Locks a workspace for an action, and returns a document of it. Throws as `require`. */
    async lockWithPermission(
      tx: Stores<'workspaces'>,
      { workspaceId, id }: { readonly workspaceId: string; readonly id: string },
      caller: Caller,
      action: WorkspaceAction,
    ): Promise<WorkspaceDocument> {
      await access.lockWithPermission(tx, workspaceId, caller, action)
      return find(tx, workspaceId, id)
    },

    record,

    async list(
      workspaceId: string,
      request: PageRequest & { readonly parentId?: string | null | undefined },
      caller: Caller,
    ): Promise<Page<WorkspaceDocumentOutline>> {
      await access.requirePermission(workspaceId, caller, 'workspace.read')
      const { parentId = null } = request
      if (parentId !== null && (await read.workspaceDocuments.get(parentId))?.workspaceId !== workspaceId) {
        throw unknownParent()
      }
      return read.workspaceDocuments.list(workspaceId, request)
    },

    async get(workspaceId: string, id: string, caller: Caller): Promise<PublishedDocument> {
      await access.requirePermission(workspaceId, caller, 'workspace.read')
      const document = await find(read, workspaceId, id)
      return { document, publications: await read.workspaceDocuments.listPublications(id) }
    },

    async create(workspaceId: string, draft: DocumentDraft, caller: Caller): Promise<WorkspaceDocument> {
      return write(async (tx, emit) => {
        await access.lockWithPermission(tx, workspaceId, caller, 'documents.edit')
        const checkSize = await limits.measure(tx, workspaceId)
        const { maxWorkspaceDocuments: maxDocuments } = await limits.limitsOf(tx, workspaceId)
        const { position = null, ...fields } = draft
        const inserted = await tx.workspaceDocuments.insert(
          { ...fields, id: randomUUID(), workspaceId, position, createdAt: clock(), createdBy: caller.account.id },
          { maxDocuments, maxDepth: MAX_DOCUMENT_DEPTH },
        )
        if (inserted.outcome !== 'inserted') {
          throw ERRORS[inserted.outcome]({ details: { max_documents: maxDocuments, max_depth: MAX_DOCUMENT_DEPTH } })
        }
        await checkSize()
        const { document } = inserted
        await record(tx, caller, document, 'document.created')
        const data = { workspaceId, documentId: document.id, version: document.version }
        emit(documentSaved, data, { accountId: caller.account.id })
        return document
      })
    },

    update,

    async delete(
      workspaceId: string,
      id: string,
      { cascade, ifMatch }: { readonly cascade: boolean; readonly ifMatch?: string | undefined },
      caller: Caller,
    ): Promise<void> {
      await write(async (tx, emit) => {
        await access.lockWithPermission(tx, workspaceId, caller, 'documents.delete')
        const document = await find(tx, workspaceId, id)
        checkVersion(ifMatch, document.version)
        const deletion = await tx.workspaceDocuments.delete(id, { cascade })
        if (deletion.outcome !== 'deleted') {
          throw deletion.outcome === 'missing' ? documentNotFound() : documentNotEmpty()
        }
        await record(tx, caller, document, 'document.deleted')
        const data = { workspaceId, documentId: id, below: [...deletion.below] }
        emit(documentDeleted, data, { accountId: caller.account.id })
      })
    },
  }
}

/** The documents of workspaces. */
export type DocumentService = ReturnType<typeof createDocuments>
