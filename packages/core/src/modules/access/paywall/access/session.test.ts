import { describe, expect, it } from 'vitest'
import { createKeyring } from '../../../../kernel/keyring.ts'
import { createGateSessions, type GateSession } from './session.ts'

const began = Date.parse('2026-01-01T00:00:00Z') / 1_000
const did = 'did:web:profiles.example:u:ada'
const session: GateSession = {
  agent_did: 'did:web:agents.example',
  issuer_did: 'did:web:profiles.example',
  tiers: ['inner'],
  iat: began,
  exp: began + 3_600,
  refresh_threshold: began + 3_240,
  context_id: did,
  gate_version: '1',
}

/** The sessions of an instance with this secret, when the session can be renewed. */
const sessionsOf = (secret: string) =>
  createGateSessions({
    read: {},
    clock: () => new Date(session.refresh_threshold * 1_000),
    keyring: createKeyring([secret]),
    serviceDid: session.issuer_did,
    didOf: () => did,
  })

describe('the id of a session', () => {
  const { idOf, renew } = sessionsOf('a secret')

  it('is the same on every instance, and after renewals', () => {
    const renewed = renew(session)?.session ?? session
    expect(renewed.exp).toBeGreaterThan(session.exp)
    expect([idOf(renewed), sessionsOf('a secret').idOf(session)]).toEqual([idOf(session), idOf(session)])
  })

  it('cannot be computed from its claims without the secret', () => {
    expect(sessionsOf('another secret').idOf(session)).not.toBe(idOf(session))
  })
})
