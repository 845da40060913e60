/** The role of an account in a profile; a profile has one owner. */
export const ROLES = ['owner', 'admin', 'editor', 'viewer'] as const
/** The role of a member in the team of a profile. */
export type Role = (typeof ROLES)[number]

/** The lowest role that permits each action. Higher roles permit it too. */
const LEAST_ROLE = {
  'profile.read': 'viewer',
  'profile.edit': 'editor',
  'profile.show': 'admin',
  'profile.export': 'admin',
  'profile.rename': 'owner',
  'profile.delete': 'owner',
  'profile.transfer': 'owner',
  'team.read': 'viewer',
  'team.manage': 'admin',
  'gates.edit': 'admin',
  'content.read_drafts': 'viewer',
  'content.edit': 'editor',
  'content.publish': 'editor',
  'content.delete': 'editor',
  'messages.read': 'editor',
  'messages.send': 'editor',
  'feed.post': 'editor',
  'files.list': 'viewer',
  'files.edit': 'editor',
  'payments.read': 'admin',
  'payments.refund': 'owner',
  'audit.read': 'owner',
} as const satisfies Record<string, Role>

/** The actions on a profile. */
export type Action = keyof typeof LEAST_ROLE

/** @internal */
export const ACTIONS = Object.keys(LEAST_ROLE) as readonly Action[]

/** Whether a role permits an action; without a role, nothing is permitted. */
export const may = (role: Role | undefined, action: Action): boolean =>
  role !== undefined && ROLES.indexOf(role) <= ROLES.indexOf(LEAST_ROLE[action])
