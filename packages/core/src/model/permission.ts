/** The roles of an account in a profile, the highest first; a profile has one owner. */
export const ROLES = ['owner', 'admin', 'editor', 'viewer'] as const
/** The role of a member in the team of a profile. */
export type Role = (typeof ROLES)[number]

/** The roles of an account in a workspace, the highest first; a workspace has one or more owners. */
export const WORKSPACE_ROLES = ['owner', 'admin', 'editor', 'reader'] as const
/** The role of a member of a workspace. */
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number]

/** The kinds of things that accounts have roles in, with their roles. */
const ROLES_IN = { profile: ROLES, workspace: WORKSPACE_ROLES } as const

/** The lowest role that permits each action, by the subject of the action. Higher roles permit it too. */
const LEAST_ROLE = {
  profile: {
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
    'memory.use': 'editor',
    'files.list': 'viewer',
    'files.edit': 'editor',
    'files.own': 'owner',
    'payments.read': 'admin',
    'payments.refund': 'owner',
    'audit.read': 'owner',
  },
  workspace: {
    'workspace.read': 'reader',
    'workspace.edit': 'admin',
    'workspace.rename': 'owner',
    'workspace.delete': 'owner',
    'members.manage': 'admin',
    'owners.manage': 'owner',
    'documents.edit': 'editor',
    'documents.delete': 'editor',
    'documents.publish': 'editor',
    'documents.comment': 'reader',
    'comments.moderate': 'admin',
  },
} as const satisfies { readonly [Kind in keyof typeof ROLES_IN]: Readonly<Record<string, RoleIn<Kind>>> }

type RoleIn<Kind extends keyof typeof ROLES_IN> = (typeof ROLES_IN)[Kind][number]

/** The actions on a profile. */
export type Action = keyof (typeof LEAST_ROLE)['profile']
/** The actions on a workspace. */
export type WorkspaceAction = keyof (typeof LEAST_ROLE)['workspace']

type AnyAction = Action | WorkspaceAction
type RoleFor<Which extends AnyAction> = Which extends Action ? Role : WorkspaceRole

/** @internal */
export const ACTIONS = Object.keys(LEAST_ROLE.profile) as readonly Action[]
/** @internal */
export const WORKSPACE_ACTIONS = Object.keys(LEAST_ROLE.workspace) as readonly WorkspaceAction[]

/** The roles that permit each action. */
const PERMITTED: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...Object.entries(LEAST_ROLE.profile).map(([action, least]) => rowOf(ROLES, action, least)),
  ...Object.entries(LEAST_ROLE.workspace).map(([action, least]) => rowOf(WORKSPACE_ROLES, action, least)),
])

function rowOf<Name extends string>(roles: readonly Name[], action: string, least: Name) {
  return [action, new Set<string>(roles.slice(0, roles.indexOf(least) + 1))] as const
}

/** Whether a role permits an action; without a role, nothing is permitted. */
export const may = <Which extends AnyAction>(role: RoleFor<Which> | undefined, action: Which): boolean =>
  role !== undefined && (PERMITTED.get(action)?.has(role) ?? false)
