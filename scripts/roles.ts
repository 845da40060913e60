// The table of roles in docs/guides/teams.md, made from the permission table.
import { ACTIONS, type Action, may, ROLES } from '../packages/core/src/model/permission.ts'

const MEANING: Readonly<Record<Action, string>> = {
  'profile.read': 'See the profile while it is private',
  'profile.edit': 'Change what the profile says',
  'profile.show': 'Change who may read it',
  'profile.rename': 'Give it another username',
  'profile.delete': 'Remove it for good',
  'profile.transfer': 'Offer it to another owner',
  'team.read': 'See who is in the team',
  'team.manage': 'Invite, change roles, take members out',
  'gates.edit': 'Set prices and other terms of access',
  'content.read_drafts': 'See drafts, archived pages and private categories',
  'content.edit': 'Write pages and categories',
  'content.publish': 'Publish pages, archive them, take them back',
  'content.delete': 'Remove pages and categories',
  'files.list': 'See all files',
  'files.edit': 'Add and remove files',
  'payments.read': 'See what was sold',
  'payments.refund': 'Give the money of a sale back',
}

/** The permissions of each role, as Markdown. */
export function roleTable(): string {
  const row = (action: Action) =>
    `| ${MEANING[action]} | \`${action}\` |${ROLES.map((role) => (may(role, action) ? ' yes ' : ' ')).join('|')}|`
  return [`| | | ${ROLES.join(' | ')} |`, `|---|---|${ROLES.map(() => '---').join('|')}|`, ...ACTIONS.map(row)].join(
    '\n',
  )
}
