import type { Page, PageRequest } from '../../../kernel/page.ts'
import type { Caller } from '../../../model/caller.ts'
import type { WorkspaceRole } from '../../../model/permission.ts'
import type {
  NamedDocumentComment,
  WorkspaceDocument,
  WorkspaceDocumentOutline,
  WorkspaceDocumentVersion,
  WorkspaceDocumentVersionOutline,
} from '../../../ports/storage/workspace-documents.ts'
import type {
  NamedWorkspaceInvitation,
  NamedWorkspaceMember,
  WorkspaceActivity,
  WorkspaceOfAccount,
} from '../../../ports/storage/workspaces.ts'
import type { WorkspaceDraft, WorkspaceEdits } from './crud.ts'
import type { DocumentDiff } from './document-versions.ts'
import type { DocumentDraft, DocumentEdits, DocumentSaveOptions, PublishedDocument } from './documents.ts'
import type { WorkspaceInvite } from './invitations.ts'
import type { PublishedPage, PublishRequest } from './publish.ts'

export interface WorkspacesMembersApi {
  /**
   * Returns the members of a workspace, oldest first.
   *
   * @throws `workspace_not_found`, `invalid_cursor`
   */
  list(workspaceId: string, request: PageRequest, caller: Caller): Promise<Page<NamedWorkspaceMember>>
  /**
   * Removes a member from a workspace. Members may remove themselves; only owners remove other owners. Of concurrent calls
   * that would remove all owners, one is refused.
   *
   * @throws `workspace_not_found`, `workspace_permission_required`, `last_owner`; `workspace_member_not_found` also when a
   * concurrent call removed it
   */
  remove(workspaceId: string, accountId: string, caller: Caller): Promise<void>
  /**
   * Changes the role of a member. Only owners make owners and change owners. Invitations that the new role may not send are
   * withdrawn. Of concurrent changes the last one wins, and one owner remains.
   *
   * @throws `workspace_not_found`, `workspace_permission_required`, `workspace_member_not_found`, `last_owner`
   */
  setRole(workspaceId: string, accountId: string, role: WorkspaceRole, caller: Caller): Promise<void>
}

export interface WorkspacesInvitationsApi {
  /**
   * Returns the open invitations to a workspace, oldest first, to those who may invite.
   *
   * @throws `workspace_not_found`, `workspace_permission_required`, `invalid_cursor`
   */
  list(workspaceId: string, request: PageRequest, caller: Caller): Promise<Page<NamedWorkspaceInvitation>>
  /**
   * Joins a workspace with the token of an email, or with the id of an invitation for the caller. The token verifies the
   * address of the account when it was sent there. Of concurrent calls one succeeds.
   *
   * @throws `invitation_not_found`, `invitation_not_yours`, `email_not_confirmed`, `already_workspace_member`
   */
  accept(token: string, caller: Caller): Promise<WorkspaceOfAccount>
  /**
   * Declines an invitation, by the token of an email or by its id.
   *
   * @throws `invitation_not_found`, `invitation_not_yours`, `email_not_confirmed`
   */
  reject(token: string, caller: Caller): Promise<void>
  /**
   * Invites an account or an email address to a workspace. An account that has proved the address gets a notification, and
   * any other address an email with a token. A new invitation replaces an open one of the same person. The result does
   * not reveal whether an email address has an account.
   *
   * @throws `workspace_not_found`, `workspace_permission_required`, `account_not_found`, `already_workspace_member`,
   * `workspace_full`, `too_many_mails`
   */
  invite(workspaceId: string, invite: WorkspaceInvite, caller: Caller): Promise<NamedWorkspaceInvitation>
  /**
   * Withdraws an invitation. Of concurrent calls, and of an answer at the same time, one succeeds.
   *
   * @throws `invitation_not_found`, `workspace_not_found`, `workspace_permission_required`
   */
  withdraw(workspaceId: string, id: number, caller: Caller): Promise<void>
  /**
   * Returns the open invitations of an account and of its verified email address, oldest first.
   *
   * @throws `invalid_cursor`
   */
  listMine(caller: Caller, request: PageRequest): Promise<Page<NamedWorkspaceInvitation>>
}

export interface WorkspacesActivityApi {
  /**
   * Returns what happened in a workspace, newest first, at most the last 1,000 changes.
   *
   * @throws `workspace_not_found`, `invalid_cursor`
   */
  list(workspaceId: string, request: PageRequest, caller: Caller): Promise<Page<WorkspaceActivity>>
}

export interface WorkspacesDocumentsApi {
  /**
   * Returns a document with its body, and the pages that it is published as.
   *
   * @throws `workspace_not_found`, `document_not_found`
   */
  get(workspaceId: string, id: string, caller: Caller): Promise<PublishedDocument>
  /**
   * Deletes a document with its versions and comments; with `cascade` also the documents below it. Pages that it was
   * published as stay.
   *
   * @throws `document_not_empty`, `precondition_failed`, `document_not_found`, `workspace_not_found`,
   * `workspace_permission_required`
   */
  delete(
    workspaceId: string,
    id: string,
    options: { readonly cascade: boolean; readonly ifMatch?: string | undefined },
    caller: Caller,
  ): Promise<void>
  /**
   * Returns the documents of a workspace without their bodies: the top level first, then by parent and position. With
   * `parentId` those directly below a document; null is the top level.
   *
   * @throws `workspace_not_found`, `unknown_parent`, `invalid_cursor`
   */
  list(
    workspaceId: string,
    request: PageRequest & { readonly parentId?: string | null | undefined },
    caller: Caller,
  ): Promise<Page<WorkspaceDocumentOutline>>
  /**
   * Creates a document as version 1.
   *
   * @throws `unknown_parent`, `document_too_deep`, `too_many_documents`, `workspace_storage_full`, `workspace_not_found`,
   * `workspace_permission_required`
   */
  create(workspaceId: string, draft: DocumentDraft, caller: Caller): Promise<WorkspaceDocument>
  /**
   * Changes or moves a document. A title or body is a new version, which with `autosave` replaces the newest one when that is an
   * automatic save of the same author and not older than `content.autosaveIntervalSeconds`. A move alone keeps the version.
   * Without `ifMatch` the last of concurrent updates wins, field by field.
   *
   * @throws `precondition_failed` when `ifMatch` does not name the current version; `document_not_found`, `unknown_parent`,
   * `document_cycle`, `document_too_deep`, `workspace_storage_full`, `workspace_not_found`, `workspace_permission_required`
   */
  update(
    workspaceId: string,
    id: string,
    edits: DocumentEdits,
    caller: Caller,
    options?: DocumentSaveOptions,
  ): Promise<WorkspaceDocument>
}

export interface WorkspacesVersionsApi {
  /**
   * Returns one version of a document with its body.
   *
   * @throws `version_not_found`, `document_not_found`, `workspace_not_found`
   */
  get(workspaceId: string, id: string, version: number, caller: Caller): Promise<WorkspaceDocumentVersion>
  /**
   * Returns the stored versions of a document, newest first.
   *
   * @throws `document_not_found`, `workspace_not_found`, `invalid_cursor`
   */
  list(
    workspaceId: string,
    id: string,
    request: PageRequest,
    caller: Caller,
  ): Promise<Page<WorkspaceDocumentVersionOutline>>
  /**
   * Compares two versions of a document, in a worker thread. Version 0 is the empty document before the first one.
   *
   * @param from - Default: the stored version before `to`.
   * @throws `version_not_found`, `document_not_found`, `workspace_not_found`; `diff_busy` while too many comparisons run
   */
  diff(
    workspaceId: string,
    id: string,
    options: { readonly to: number; readonly from: number | undefined },
    caller: Caller,
  ): Promise<DocumentDiff>
  /**
   * Saves the title and body of an earlier version as a new one. The place of the document stays as it is.
   *
   * @throws `version_not_found`, `precondition_failed` when `ifMatch` does not name the current version, and what
   * `documents.update` throws
   */
  restore(
    workspaceId: string,
    id: string,
    version: number,
    caller: Caller,
    ifMatch?: string,
  ): Promise<WorkspaceDocument>
}

export interface WorkspacesCommentsApi {
  /**
   * Deletes a comment: an own one, or with the permission `comments.moderate` any. Of concurrent calls one succeeds.
   *
   * @throws `comment_not_found`, `document_not_found`, `workspace_not_found`, `workspace_permission_required`
   */
  delete(workspaceId: string, documentId: string, commentId: number, caller: Caller): Promise<void>
  /**
   * Returns the comments on a document, oldest first.
   *
   * @throws `document_not_found`, `workspace_not_found`, `invalid_cursor`
   */
  list(
    workspaceId: string,
    documentId: string,
    request: PageRequest,
    caller: Caller,
  ): Promise<Page<NamedDocumentComment>>
  /**
   * Adds a comment to a document.
   *
   * @throws `too_many_comments`, `workspace_storage_full`, `document_not_found`, `workspace_not_found`,
   * `workspace_permission_required`
   */
  add(workspaceId: string, documentId: string, body: string, caller: Caller): Promise<NamedDocumentComment>
}

/** The methods of `app.eep.workspaces`. */
export interface WorkspacesApi {
  readonly members: WorkspacesMembersApi
  readonly invitations: WorkspacesInvitationsApi
  readonly activity: WorkspacesActivityApi
  readonly documents: WorkspacesDocumentsApi
  readonly versions: WorkspacesVersionsApi
  readonly comments: WorkspacesCommentsApi
  /**
   * Publishes the current version of a document as a page of a profile: a new page the first time, and a new version of that
   * page later. A page that shows a newer version already, after a concurrent publication, stays as it is. Needs the
   * permission `documents.publish` in the workspace, and `content.publish` in the profile.
   *
   * @throws `document_not_found`, `workspace_not_found`, `workspace_permission_required`; `profile_not_found`,
   * `not_profile_owner`, `unknown_category`, and what updating a page throws
   */
  publish(workspaceId: string, documentId: string, request: PublishRequest, caller: Caller): Promise<PublishedPage>
  /**
   * Returns a workspace, and the role of the caller in it.
   *
   * @throws `workspace_not_found`
   */
  get(id: string, caller: Caller): Promise<WorkspaceOfAccount>
  /**
   * Deletes a workspace with its members and everything in it.
   *
   * @throws `workspace_not_found`, `workspace_permission_required`
   */
  delete(id: string, caller: Caller): Promise<void>
  /**
   * Returns the workspaces in which the caller has a role, oldest first.
   *
   * @throws `invalid_cursor`
   */
  list(request: PageRequest, caller: Caller): Promise<Page<WorkspaceOfAccount>>
  /**
   * Creates a workspace that the caller owns. Of concurrent calls with the same slug one succeeds.
   *
   * @throws `workspace_slug_taken` for a chosen slug, `too_many_workspaces`, `forbidden` for an API key of one profile
   */
  create(draft: WorkspaceDraft, caller: Caller): Promise<WorkspaceOfAccount>
  /**
   * Changes the given fields. Only the creator may change the slug, as an owner; any owner when the account of the creator
   * was erased. The last of concurrent updates wins, field by field.
   *
   * @throws `workspace_not_found`, `workspace_permission_required`, `workspace_slug_taken`
   */
  update(id: string, edits: WorkspaceEdits, caller: Caller): Promise<WorkspaceOfAccount>
}
