import { describe, expect, it } from 'vitest'
import { ACTIONS, type Action, may, ROLES, type Role } from '../../model/permission.ts'

/** The whole table, written out: who may do what. */
const ALLOWED: Readonly<Record<Action, readonly Role[]>> = {
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
  'files.list': ['owner', 'admin', 'editor', 'viewer'],
  'files.edit': ['owner', 'admin', 'editor'],
  'payments.read': ['owner', 'admin'],
  'payments.refund': ['owner'],
  'audit.read': ['owner'],
}

describe('the permission table', () => {
  it('is written out here as a whole', () => {
    expect(Object.keys(ALLOWED).sort()).toEqual([...ACTIONS].sort())
  })

  it('allows no one to grant a role above their own: managers of a team can do everything that members can', () => {
    const managers = ROLES.filter((role) => may(role, 'team.manage'))
    const highest = ROLES.find((role) => role !== 'owner')
    for (const role of managers) {
      for (const action of ACTIONS) expect(may(role, action) || !may(highest, action), `${role}, ${action}`).toBe(true)
    }
  })

  for (const action of ACTIONS) {
    for (const role of ROLES) {
      const allowed = ALLOWED[action].includes(role)
      it(`${allowed ? 'lets' : 'keeps'} ${role} ${allowed ? 'do' : 'from'} ${action}`, () => {
        expect(may(role, action)).toBe(allowed)
      })
    }
    it(`denies ${action} to outsiders`, () => {
      expect(may(undefined, action)).toBe(false)
    })
  }
})
