// The tables of roles in docs/guides/teams.md and docs/guides/workspaces.md, made from the permission table.
import {
  ACTIONS,
  type Action,
  may,
  ROLES,
  WORKSPACE_ACTIONS,
  WORKSPACE_ROLES,
  type WorkspaceAction,
} from '../packages/core/src/model/permission.ts'

const MEANING: Readonly<Record<Action | WorkspaceAction, string>> = {
  'profile.read': 'Read the profile while it is private',
  'profile.edit': 'Edit the profile',
  'profile.show': 'Change its visibility',
  'profile.export': 'Export it',
  'profile.rename': 'Rename it',
  'profile.delete': 'Delete it',
  'profile.transfer': 'Offer it to another account',
  'team.read': 'List the team',
  'team.manage': 'Invite members, change their roles, remove them',
  'gates.edit': 'Edit the gate: prices and other requirements',
  'content.read_drafts': 'Read drafts, archived pages and private categories',
  'content.edit': 'Write pages and categories',
  'content.publish': 'Publish, archive and unpublish pages',
  'content.delete': 'Delete pages and categories',
  'messages.read': 'Read its conversations',
  'messages.send': 'Send messages, delete and block',
  'feed.post': 'Post updates and delete them',
  'memory.use': 'Read and write the memory of its agents',
  'files.list': 'List all files',
  'files.edit': 'Upload and delete files',
  'files.own': 'List and delete files by the routes of the owner',
  'payments.read': 'List sales',
  'payments.refund': 'Refund sales',
  'audit.read': 'Read its audit log',
  'workspace.read': 'Read the workspace, its members, documents and activity',
  'workspace.edit': 'Edit its name and description',
  'workspace.rename': 'Change its slug',
  'workspace.delete': 'Delete it',
  'members.manage': 'Invite members, change their roles, remove them',
  'owners.manage': 'Make members owners, and change or remove owners',
  'documents.edit': 'Write documents, move them, restore versions',
  'documents.delete': 'Delete documents',
  'documents.publish': 'Publish documents as pages, with the permission to publish in the profile',
  'documents.comment': 'Comment on documents, and delete own comments',
  'comments.moderate': 'Delete comments of others',
}

const tableOf = <Name extends string, Which extends Action | WorkspaceAction>(
  actions: readonly Which[],
  roles: readonly Name[],
  isAllowed: (role: Name, action: Which) => boolean,
): string => {
  const row = (action: Which) =>
    `| ${MEANING[action]} | \`${action}\` |${roles.map((role) => (isAllowed(role, action) ? ' yes ' : ' ')).join('|')}|`
  return [
    `| action | permission | ${roles.join(' | ')} |`,
    `|---|---|${roles.map(() => '---').join('|')}|`,
    ...actions.map(row),
  ].join('\n')
}

/** The permissions of each role in a profile, as Markdown. */
export const roleTable = (): string => tableOf(ACTIONS, ROLES, may)

/** The permissions of each role in a workspace, as Markdown. */
export const workspaceRoleTable = (): string => tableOf(WORKSPACE_ACTIONS, WORKSPACE_ROLES, may)
