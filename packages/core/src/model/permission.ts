/** The roles of an account in a profile, the highest first; a profile has one owner. */
export const ROLES = ['owner', 'admin', 'editor', 'viewer'] as const
/** The role of a member in the team of a profile. */
export type Role = (typeof ROLES)[number]

/** The roles of an account in a workspace, the highest first; a workspace has one or more owners. */
export const WORKSPACE_ROLES = ['owner', 'admin', 'editor', 'reader'] as const
/** The role of a member of a workspace. */
export type WorkspaceRole = (typeof WORKSPACE_ROLES)[number]

/** What a role permits. */
export interface Permission<Name extends string = Role> {
  /** The lowest role that permits it. Higher roles permit it too. */
  readonly role: Name
  /** What it permits, for the docs: `List all files`. */
  readonly summary: string
}

/** Permissions by their names. */
export type Permissions<Name extends string = Role> = Readonly<Record<string, Permission<Name>>>

/** The permissions of the modules that every service has, by the module. */
export const BASE_PERMISSIONS = {
  profiles: {
    'profile.read': { role: 'viewer', summary: 'Read the profile while it is private' },
    'profile.edit': { role: 'editor', summary: 'Edit the profile' },
    'profile.show': { role: 'admin', summary: 'Change its visibility' },
    'profile.export': { role: 'admin', summary: 'Export it' },
    'profile.rename': { role: 'owner', summary: 'Rename it' },
    'profile.delete': { role: 'owner', summary: 'Delete it' },
    'profile.transfer': { role: 'owner', summary: 'Offer it to another account' },
  },
  teams: {
    'team.read': { role: 'viewer', summary: 'List the team' },
    'team.manage': { role: 'admin', summary: 'Invite members, change their roles, remove them' },
  },
  gates: {
    'gates.edit': { role: 'admin', summary: 'Edit the gate: prices and other requirements' },
  },
  content: {
    'content.read_drafts': { role: 'viewer', summary: 'Read drafts, archived pages and private categories' },
    'content.edit': { role: 'editor', summary: 'Write pages and categories' },
    'content.publish': { role: 'editor', summary: 'Publish, archive and unpublish pages' },
    'content.delete': { role: 'editor', summary: 'Delete pages and categories' },
  },
  receipts: {
    'payments.read': { role: 'admin', summary: 'List sales' },
    'payments.refund': { role: 'owner', summary: 'Refund sales' },
  },
} as const satisfies Readonly<Record<string, Permissions>>

type NamesOf<Group> = Group extends unknown ? keyof Group : never

/** An action that {@link BASE_PERMISSIONS} permit. */
export type BaseAction = NamesOf<(typeof BASE_PERMISSIONS)[keyof typeof BASE_PERMISSIONS]>

/**
 * The permissions of features, and of modules of hosts, by their names. Extend it by declaration merging.
 *
 * @example
 * declare module '@eep/core' {
 *   interface EepPermissions {
 *     'quotes.edit': true
 *   }
 * }
 */
// biome-ignore lint/suspicious/noEmptyInterface: features and hosts merge into it
export interface EepPermissions {}

/** An action on a profile: the name of a permission. */
export type Action = BaseAction | keyof EepPermissions

/** Whether a role in the team of a profile permits an action; without a role, nothing is permitted. */
export type May = (role: Role | undefined, action: Action) => boolean

/** The permissions of a service. */
export interface PermissionTable {
  /** The names of all permissions. */
  readonly actions: ReadonlySet<string>
  readonly may: May
}

/** Returns whether a role permits an action, for the permissions of one kind of roles. */
export function rolesOf<Name extends string>(
  roles: readonly Name[],
  permissions: Permissions<Name>,
): (role: Name | undefined, action: string) => boolean {
  const permitted = new Map(
    Object.entries(permissions).map(([action, { role }]) => [
      action,
      new Set<Name>(roles.slice(0, roles.indexOf(role) + 1)),
    ]),
  )
  return (role, action) => role !== undefined && (permitted.get(action)?.has(role) ?? false)
}

/** Whether a role permits an action of the modules that every service has. Other actions are decided by `may` of the context. */
export const may: (role: Role | undefined, action: BaseAction) => boolean = rolesOf<Role>(
  ROLES,
  Object.assign({}, ...Object.values(BASE_PERMISSIONS)),
)

/** Joins the permissions of modules with those that every service has. */
export function createPermissionTable(modules: readonly { readonly permissions: Permissions }[]): PermissionTable {
  const all: Permissions = Object.assign(
    {},
    ...Object.values(BASE_PERMISSIONS),
    ...modules.map(({ permissions }) => permissions),
  )
  return { actions: new Set(Object.keys(all)), may: rolesOf<Role>(ROLES, all) }
}
