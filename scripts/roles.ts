// The table of roles in docs/guides/teams.md, made from the permission table.
import { ACTIONS, type Action, may, ROLES } from '../packages/core/src/model/permission.ts'

const MEANING: Readonly<Record<Action, string>> = {
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
  'files.list': 'List all files',
  'files.edit': 'Upload and delete files',
  'payments.read': 'List sales',
  'payments.refund': 'Refund sales',
  'audit.read': 'Read its audit log',
}

/** The permissions of each role, as Markdown. */
export function roleTable(): string {
  const row = (action: Action) =>
    `| ${MEANING[action]} | \`${action}\` |${ROLES.map((role) => (may(role, action) ? ' yes ' : ' ')).join('|')}|`
  return [
    `| action | permission | ${ROLES.join(' | ')} |`,
    `|---|---|${ROLES.map(() => '---').join('|')}|`,
    ...ACTIONS.map(row),
  ].join('\n')
}
