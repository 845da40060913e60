import { expect, it } from 'vitest'
import type { Caller } from '../../../model/caller.ts'
import { actorOf, agentOfNew, reaches, reachOf } from './access.ts'

// The rules read how the caller was authenticated only.
const callerVia = (via: Caller['via']) => ({ via, scopes: via === 'key' ? [] : 'all' }) as unknown as Caller
const [ME, OTHER] = ['did:key:me', 'did:key:other']
const signed = (via: Caller['via']) => actorOf(callerVia(via), { did: ME, verified: true })
const claimed = (via: Caller['via']) => actorOf(callerVia(via), { did: ME, verified: false })

it.each([
  ['a signed request with an API key', signed('key'), [ME]],
  ['a signed request with a session', signed('bearer'), [ME]],
  ['an API key', actorOf(callerVia('key'), undefined), [null]],
  ['an API key with a claimed agent', claimed('key'), [null]],
  ['a session', actorOf(callerVia('bearer'), undefined), [ME, OTHER, null]],
  ['a cookie', actorOf(callerVia('cookie'), undefined), [ME, OTHER, null]],
  ['a session with a claimed agent', claimed('bearer'), [ME, OTHER, null]],
  ['a user of a host', actorOf(callerVia('host'), undefined), [ME, OTHER, null]],
])('lets %s reach the sessions of the right agents', (_, actor, expected) => {
  const reached = [ME, OTHER, null].filter((agentDid) => reaches(reachOf(actor), { agentDid }))
  expect(reached).toEqual(expected)
})

it('creates a session of the agent that signed', () => {
  expect(agentOfNew(undefined, signed('key'))).toBe(ME)
  expect(agentOfNew(ME, signed('bearer'))).toBe(ME)
  expect(() => agentOfNew(OTHER, signed('key'))).toThrow(expect.objectContaining({ code: 'memory_agent_mismatch' }))
})

it('creates sessions of agents for people, and not for API keys without a signature', () => {
  expect(agentOfNew(OTHER, claimed('bearer'))).toBe(OTHER)
  expect(agentOfNew(undefined, claimed('bearer'))).toBeNull()
  expect(agentOfNew(undefined, claimed('key'))).toBeNull()
  expect(() => agentOfNew(ME, claimed('key'))).toThrow(expect.objectContaining({ code: 'memory_signature_required' }))
})
