import { describe, expect, it } from 'vitest'
import { keyPermissions, requireKeyPermissions } from './key-permissions.ts'

const READ_SCOPES = ['read:content', 'read:gates', 'read:profiles']
const SCOPES = [...READ_SCOPES, 'write:content', 'write:gates', 'manage:keys']
const session = { scopes: 'all' } as const
const soon = new Date('2030-01-01T00:00:00Z')
const later = new Date('2031-01-01T00:00:00Z')

describe('a session', () => {
  it('gives a key of a session all read scopes without an end or a profile by default', () => {
    expect(keyPermissions({}, session, SCOPES)).toEqual({ scopes: READ_SCOPES, expiresAt: null, profileId: null })
  })

  it('gives a key of a session the requested scopes, each once', () => {
    const wanted = { scopes: ['manage:keys', 'write:gates', 'manage:keys'], expiresAt: soon, profileId: 7 }
    expect(keyPermissions(wanted, session, SCOPES)).toEqual({ ...wanted, scopes: ['manage:keys', 'write:gates'] })
  })
})

describe('a key', () => {
  const maker = { scopes: ['manage:keys', 'read:content'], expiresAt: soon, profileId: 7 }

  it('gives a key that it creates its expiry, its profile and those default scopes that it has', () => {
    expect(keyPermissions({}, maker, SCOPES)).toEqual({ scopes: ['read:content'], expiresAt: soon, profileId: 7 })
  })

  it('can create a key with fewer scopes than it has', () => {
    const less = { scopes: ['manage:keys'], expiresAt: new Date(soon.getTime() - 1), profileId: 7 }
    expect(keyPermissions(less, maker, SCOPES)).toEqual(less)
  })

  it.each([
    ['another scope', { scopes: ['manage:keys', 'write:gates'] }, 'insufficient_scope', { required: ['write:gates'] }],
    ['a later end', { expiresAt: later }, 'key_scope_escalation', { expires_at: soon.toISOString() }],
    ['no end', { expiresAt: null }, 'key_scope_escalation', { expires_at: soon.toISOString() }],
    ['another profile', { profileId: 8 }, 'key_scope_escalation', { profile_id: 7 }],
    ['all profiles', { profileId: null }, 'key_scope_escalation', { profile_id: 7 }],
  ])('cannot create a key with %s', (_what, wanted, code, details) => {
    expect(() => keyPermissions(wanted, maker, SCOPES)).toThrow(expect.objectContaining({ code, status: 403, details }))
  })

  it('cannot change a key with broader permissions', () => {
    const further = { scopes: ['write:gates'], expiresAt: soon, profileId: 7 }
    expect(() => requireKeyPermissions(further, maker)).toThrow(expect.objectContaining({ code: 'insufficient_scope' }))
    expect(() => requireKeyPermissions(further, session)).not.toThrow()
  })
})
