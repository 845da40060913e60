import type { Page, PageRequest } from '../../kernel/page.ts'
import type { Versioning } from './content.ts'

/** A document of a workspace. */
export interface WorkspaceDocument {
  /** UUID. */
  readonly id: string
  readonly workspaceId: string
  /** The document above it; null at the top level. */
  readonly parentId: string | null
  readonly title: string
  /** Markdown. */
  readonly body: string
  /** 1 for a new document, incremented by each save of its title or body. */
  readonly version: number
  /** Display order among siblings, lowest first. No two siblings have the same. */
  readonly position: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A document in a list: all but its body. */
export type WorkspaceDocumentOutline = Omit<WorkspaceDocument, 'body'>

/** A document to insert. */
export type NewWorkspaceDocument = Omit<WorkspaceDocument, 'version' | 'position' | 'updatedAt'> & {
  /** Siblings with this position or a higher one move after it. Null places it last. */
  readonly position: number | null
  /** The account that wrote it. */
  readonly createdBy: string
}

/** The largest tree of documents in a workspace. */
export interface DocumentTreeLimits {
  readonly maxDocuments: number
  /** Documents at the top level have a depth of 1. */
  readonly maxDepth: number
}

/** The result of inserting a document. */
export type DocumentInsertion =
  | { readonly outcome: 'inserted'; readonly document: WorkspaceDocument }
  | { readonly outcome: 'unknown_parent' | 'too_deep' | 'too_many' }

/** Changes of a document. Absent fields stay as they are. */
export interface WorkspaceDocumentChanges {
  readonly title?: string | undefined
  readonly body?: string | undefined
  /** Null moves it to the top level. A document that moves without a position comes last. */
  readonly parentId?: string | null | undefined
  /** Siblings with this position or a higher one move after it. */
  readonly position?: number | undefined
  readonly updatedAt: Date
  /** The account that saves it. */
  readonly savedBy: string
  readonly versioning: Versioning
  /** The version that must be the current one. Default: any. */
  readonly expectedVersion?: number | undefined
}

/** The result of saving a document. `replaced`: the save replaced the newest version. */
export type DocumentSave =
  | { readonly outcome: 'saved'; readonly document: WorkspaceDocument; readonly replaced: boolean }
  | { readonly outcome: 'stale'; readonly version: number }
  | { readonly outcome: 'missing' | 'unknown_parent' | 'too_deep' | 'cycle' }

/** The result of deleting a document. `below`: the ids of those that were deleted with it. `not_empty`: it has documents below it. */
export type DocumentDeletion =
  | { readonly outcome: 'deleted'; readonly below: readonly string[] }
  | { readonly outcome: 'missing' | 'not_empty' }

/** A document as it was saved. */
export interface WorkspaceDocumentVersion {
  readonly documentId: string
  readonly version: number
  readonly title: string
  readonly body: string
  readonly createdAt: Date
  readonly createdBy: string
}

/** A version in a list: all but its body. */
export type WorkspaceDocumentVersionOutline = Omit<WorkspaceDocumentVersion, 'body'>

/** The page that a document is published as in a profile. */
export interface DocumentPublication {
  readonly documentId: string
  readonly profileId: number
  readonly pageId: number
  /** The version of the document that was published last; null before the first time. */
  readonly version: number | null
  readonly publishedAt: Date | null
}

/** The documents of workspaces and their versions, for reading. */
export interface WorkspaceDocumentReader {
  /** Returns a document with its body; undefined when it does not exist. */
  get(id: string): Promise<WorkspaceDocument | undefined>
  /**
   * The documents of a workspace without their bodies: the top level first, then by parent, position and id. With `parentId`
   * those directly below a document; null is the top level.
   */
  list(
    workspaceId: string,
    request: PageRequest & { readonly parentId?: string | null | undefined },
  ): Promise<Page<WorkspaceDocumentOutline>>
  /** The documents with these ids, at most 100, in any order. Those that do not exist are left out. */
  listByIds(ids: readonly string[]): Promise<readonly WorkspaceDocument[]>
  /** The documents with these ids without their bodies, as `listByIds` returns them. */
  listOutlinesByIds(ids: readonly string[]): Promise<readonly WorkspaceDocumentOutline[]>
  /** The documents of all workspaces, by id. */
  listAll(page: PageRequest): Promise<Page<WorkspaceDocument>>
  /** The versions of a document without their bodies, newest first. */
  listVersions(id: string, page: PageRequest): Promise<Page<WorkspaceDocumentVersionOutline>>
  /** Returns a version of a document; undefined when it is not kept. */
  getVersion(id: string, version: number): Promise<WorkspaceDocumentVersion | undefined>
  /** The newest stored version older than this one. */
  getVersionBefore(id: string, version: number): Promise<WorkspaceDocumentVersion | undefined>
  /** The pages that a document is published as, by profile. */
  listPublications(id: string): Promise<readonly DocumentPublication[]>
  /** How many bytes the versions and comments of a workspace have. */
  countBytes(workspaceId: string): Promise<number>
}

/**
 * The documents of workspaces and their versions. Methods that change the tree lock the workspace, so that concurrent calls
 * never make a cycle or exceed the limits.
 */
export interface WorkspaceDocumentStore extends WorkspaceDocumentReader {
  /** Adds a document as version 1. */
  insert(document: NewWorkspaceDocument, limits: DocumentTreeLimits): Promise<DocumentInsertion>
  /**
   * Changes the given fields. A title or body is a new version, which always gets the next number, even if it replaces the
   * newest one; of concurrent calls that expect the same version one succeeds. A save without them moves the document, which
   * keeps its version.
   */
  save(
    id: string,
    changes: WorkspaceDocumentChanges,
    limits: Pick<DocumentTreeLimits, 'maxDepth'>,
  ): Promise<DocumentSave>
  /** Deletes a document with its versions and comments; with `cascade` also the documents below it. */
  delete(id: string, options: { readonly cascade: boolean }): Promise<DocumentDeletion>
  /**
   * Reserves the page that a document is published as in a profile. Returns that of the first call; other calls for the same
   * document and profile get it too. Undefined when the document or the page does not exist.
   */
  claimPublication(claim: Pick<DocumentPublication, 'documentId' | 'profileId' | 'pageId'>): Promise<number | undefined>
  /** Stores which version a page shows. An older version does not replace a newer one. */
  markPublished(publication: {
    readonly documentId: string
    readonly profileId: number
    readonly version: number
    readonly at: Date
  }): Promise<void>
}

/** A comment of a member on a document. */
export interface DocumentComment {
  readonly id: number
  readonly documentId: string
  /** Null when the account was erased. */
  readonly accountId: string | null
  readonly body: string
  readonly createdAt: Date
}

/** A comment with the name of its author. */
export interface NamedDocumentComment extends DocumentComment {
  readonly username: string | null
}

/** A comment to insert. */
export type NewDocumentComment = Omit<DocumentComment, 'id' | 'accountId'> & { readonly accountId: string }

/** The result of inserting a comment. */
export type DocumentCommentInsertion =
  | { readonly outcome: 'inserted'; readonly comment: DocumentComment }
  | { readonly outcome: 'missing' | 'too_many' }

/** Comments on documents, for reading. */
export interface DocumentCommentReader {
  /** Returns a comment; undefined when it does not exist. */
  get(id: number): Promise<DocumentComment | undefined>
  /** The comments on a document, oldest first. */
  list(documentId: string, page: PageRequest): Promise<Page<NamedDocumentComment>>
  /** The comments of an account on all documents, oldest first. */
  listOfAccount(accountId: string, page: PageRequest): Promise<Page<DocumentComment>>
}

/** Comments on documents. They are deleted with their document. */
export interface DocumentCommentStore extends DocumentCommentReader {
  /** Adds a comment, unless the document has `max`. Concurrent calls for a document run one after another. */
  insert(comment: NewDocumentComment, max: number): Promise<DocumentCommentInsertion>
  /** Deletes a comment. True for exactly one of concurrent calls. */
  delete(id: number): Promise<boolean>
}
