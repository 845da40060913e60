import { defineError } from '../../kernel/errors.ts'

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
