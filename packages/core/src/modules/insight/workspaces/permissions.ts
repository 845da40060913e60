import { type Permissions, rolesOf, WORKSPACE_ROLES, type WorkspaceRole } from '../../../model/permission.ts'

/** What the roles in a workspace permit. */
export const workspacePermissions = {
  'workspace.read': { role: 'reader', summary: 'Read the workspace, its members, documents and activity' },
  'workspace.edit': { role: 'admin', summary: 'Edit its name and description' },
  'workspace.rename': { role: 'owner', summary: 'Change its slug' },
  'workspace.delete': { role: 'owner', summary: 'Delete it' },
  'members.manage': { role: 'admin', summary: 'Invite members, change their roles, remove them' },
  'owners.manage': { role: 'owner', summary: 'Make members owners, and change or remove owners' },
  'documents.edit': { role: 'editor', summary: 'Write documents, move them, restore versions' },
  'documents.delete': { role: 'editor', summary: 'Delete documents' },
  'documents.publish': {
    role: 'editor',
    summary: 'Publish documents as pages, with the permission to publish in the profile',
  },
  'documents.comment': { role: 'reader', summary: 'Comment on documents, and delete own comments' },
  'comments.moderate': { role: 'admin', summary: 'Delete comments of others' },
} as const satisfies Permissions<WorkspaceRole>

/** An action on a workspace. */
export type WorkspaceAction = keyof typeof workspacePermissions

/** Whether a role in a workspace permits an action; without a role, nothing is permitted. */
export const mayInWorkspace: (role: WorkspaceRole | undefined, action: WorkspaceAction) => boolean =
  rolesOf<WorkspaceRole>(WORKSPACE_ROLES, workspacePermissions)
