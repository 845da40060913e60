import { describe, expect, it } from 'vitest'
import {
  ACTIONS,
  type Action,
  may,
  ROLES,
  type Role,
  WORKSPACE_ACTIONS,
  WORKSPACE_ROLES,
  type WorkspaceAction,
  type WorkspaceRole,
} from './permission.ts'

/** The whole table, written out: who may do what in a profile, and in a workspace. */
const IN_PROFILES: Readonly<Record<Action, readonly Role[]>> = {
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

const EVERY_ROLE = [...new Set([...ROLES, ...WORKSPACE_ROLES])]
/** Roles and actions of either kind: a role of one kind permits no action on the other. */
const permits = may as (role: string | undefined, action: string) => boolean

describe.each([
  { kind: 'profiles', allowed: IN_PROFILES, actions: ACTIONS, roles: ROLES, manage: 'team.manage' },
  {
    kind: 'workspaces',
    allowed: IN_WORKSPACES,
    actions: WORKSPACE_ACTIONS,
    roles: WORKSPACE_ROLES,
    manage: 'members.manage',
  },
])('the permissions of $kind', ({ allowed, actions, roles, manage }) => {
  const rows: Readonly<Record<string, readonly string[]>> = allowed

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
    for (const role of EVERY_ROLE) {
      const isAllowed = rows[action]?.includes(role) ?? false
      it(`${isAllowed ? 'let' : 'keep'} ${role} ${isAllowed ? 'do' : 'from'} ${action}`, () => {
        expect(permits(role, action)).toBe(isAllowed)
      })
    }
    it(`deny ${action} to outsiders`, () => {
      expect(permits(undefined, action)).toBe(false)
    })
  }
})
