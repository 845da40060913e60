import { describe, expect, it } from 'vitest'
import {
  BASE_PERMISSIONS,
  createPermissionTable,
  ROLES,
  type Role,
  rolesOf,
  WORKSPACE_ROLES,
  type WorkspaceRole,
} from '../model/permission.ts'
import { everyModule } from '../testing/every-module.ts'
import { mayInWorkspace, type WorkspaceAction, workspacePermissions } from './insight/workspaces/permissions.ts'

/** The whole table, written out: who may do what in a profile, and in a workspace. */
const IN_PROFILES: Readonly<Record<string, readonly Role[]>> = {
  'profile.read': ['owner', 'admin', 'editor', 'viewer'],
  'profile.edit': ['owner', 'admin', 'editor'],
  'profile.show': ['owner', 'admin'],
  'profile.export': ['owner', 'admin'],
  'profile.rename': ['owner'],
  'profile.delete': ['owner'],
  'profile.transfer': ['owner'],
  'team.read': ['owner', 'admin', 'editor', 'viewer'],
  'team.manage': ['owner', 'admin'],
  'gates.edit': ['owner', 'admin'],
  'content.read_drafts': ['owner', 'admin', 'editor', 'viewer'],
  'content.edit': ['owner', 'admin', 'editor'],
  'content.publish': ['owner', 'admin', 'editor'],
  'content.delete': ['owner', 'admin', 'editor'],
  'messages.read': ['owner', 'admin', 'editor'],
  'messages.send': ['owner', 'admin', 'editor'],
  'feed.post': ['owner', 'admin', 'editor'],
  'memory.use': ['owner', 'admin', 'editor'],
  'files.list': ['owner', 'admin', 'editor', 'viewer'],
  'files.edit': ['owner', 'admin', 'editor'],
  'files.own': ['owner'],
  'payments.read': ['owner', 'admin'],
  'payments.refund': ['owner'],
  'audit.read': ['owner'],
  'apps.limit': ['owner'],
}

const IN_WORKSPACES: Readonly<Record<WorkspaceAction, readonly WorkspaceRole[]>> = {
  'workspace.read': ['owner', 'admin', 'editor', 'reader'],
  'workspace.edit': ['owner', 'admin'],
  'workspace.rename': ['owner'],
  'workspace.delete': ['owner'],
  'members.manage': ['owner', 'admin'],
  'owners.manage': ['owner'],
  'documents.edit': ['owner', 'admin', 'editor'],
  'documents.delete': ['owner', 'admin', 'editor'],
  'documents.publish': ['owner', 'admin', 'editor'],
  'documents.comment': ['owner', 'admin', 'editor', 'reader'],
  'comments.moderate': ['owner', 'admin'],
}

const { actions: known, may } = createPermissionTable(everyModule)
/** Checks of either kind: a role of one kind permits no action on the other. */
type Permits = (role: string | undefined, action: string) => boolean

it('keeps in the base only permissions of modules that exist', () => {
  const names: readonly string[] = everyModule.map(({ name }) => name)
  expect(Object.keys(BASE_PERMISSIONS).filter((name) => !names.includes(name))).toEqual([])
})

it('permits nothing to a role that it does not know', () => {
  const permits = rolesOf(ROLES, { 'quotes.edit': { role: 'viewer', summary: 'Edit quotes' } }) as Permits
  expect(permits('reader', 'quotes.edit')).toBe(false)
})

describe.each([
  { kind: 'profiles', allowed: IN_PROFILES, actions: [...known], roles: ROLES, manage: 'team.manage', permits: may },
  {
    kind: 'workspaces',
    allowed: IN_WORKSPACES,
    actions: Object.keys(workspacePermissions),
    roles: WORKSPACE_ROLES,
    manage: 'members.manage',
    permits: mayInWorkspace,
  },
])('the permissions of $kind', ({ allowed, actions, roles, manage, permits: check }) => {
  const rows: Readonly<Record<string, readonly string[]>> = allowed
  const permits = check as Permits

  it('are written out here as a whole', () => {
    expect(Object.keys(rows).sort()).toEqual([...actions].sort())
  })

  it('allow no one to grant a role above their own: managers of members can do everything that members can', () => {
    const managers = roles.filter((role) => permits(role, manage))
    const highest = roles.find((role) => role !== 'owner')
    expect(managers.length).toBeGreaterThan(0)
    for (const role of managers) {
      for (const action of actions) {
        expect(permits(role, action) || !permits(highest, action), `${role}, ${action}`).toBe(true)
      }
    }
  })

  for (const action of actions) {
    it(`let exactly ${rows[action]?.join(', ')} do ${action}`, () => {
      const everyone = [...new Set<string>([...ROLES, ...WORKSPACE_ROLES])]
      expect(everyone.filter((role) => permits(role, action))).toEqual(
        everyone.filter((role) => rows[action]?.includes(role as never)),
      )
      expect(permits(undefined, action)).toBe(false)
    })
  }
})
