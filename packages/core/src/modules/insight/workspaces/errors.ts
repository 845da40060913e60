import { defineError } from '../../../kernel/errors.ts'

export const workspaceNotFound = defineError('workspace_not_found', 404, 'Workspace not found')
export const workspacePermissionRequired = defineError(
  'workspace_permission_required',
  403,
  'Your role in this workspace does not permit this',
)
export const workspaceSlugTaken = defineError(
  'workspace_slug_taken',
  409,
  'The creator of this workspace has another one with this slug',
)
export const tooManyWorkspaces = defineError(
  'too_many_workspaces',
  409,
  'The account has created the maximum number of workspaces of its plan; delete one first',
  { planLimit: true },
)
export const workspaceFull = defineError(
  'workspace_full',
  409,
  'The workspace has the maximum number of members and invitations',
)
export const workspaceMemberNotFound = defineError(
  'workspace_member_not_found',
  404,
  'Member not found in this workspace',
)
export const alreadyWorkspaceMember = defineError(
  'already_workspace_member',
  409,
  'This account is already a member of the workspace',
)
export const lastOwner = defineError(
  'last_owner',
  409,
  'A workspace needs an owner: make another member an owner first, or delete the workspace',
)
export const documentNotFound = defineError('document_not_found', 404, 'Document not found in this workspace')
export const unknownParent = defineError('unknown_parent', 400, 'The parent is not a document of this workspace')
export const documentCycle = defineError('document_cycle', 409, 'A document cannot be below itself')
export const documentTooDeep = defineError('document_too_deep', 409, 'Documents are nested too deeply')
export const tooManyDocuments = defineError(
  'too_many_documents',
  409,
  'The workspace has the maximum number of documents; delete one first',
  { planLimit: true },
)
export const workspaceStorageFull = defineError(
  'workspace_storage_full',
  409,
  'The documents of this workspace use all storage that the plan of its owners allows',
  { planLimit: true },
)
export const documentNotEmpty = defineError(
  'document_not_empty',
  409,
  'There are documents below this one; use `cascade` to delete them too',
)
export const commentNotFound = defineError('comment_not_found', 404, 'Comment not found on this document')
export const tooManyComments = defineError('too_many_comments', 409, 'The document has the maximum number of comments')
