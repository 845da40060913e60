import { expect, it } from 'vitest'
import { hasScopeFor, requiredScope } from './private-scopes.ts'

it.each([
  ['entity.updated', 'everyone', undefined],
  ['gate.access_granted', 'teams', 'read:payments'],
  ['message.received', 'teams', 'read:messages'],
  ['notification.created', 'account', 'read:notifications'],
  ['agent.access.read', 'teams', 'read:events'],
  ['session.revoked', 'teams', null],
  ['subscription.paused', 'account', null],
] as const)('requires the scope of %s for %s', (type, audience, scope) => {
  expect(requiredScope(type, audience)).toBe(scope)
  expect(hasScopeFor('all', type, audience)).toBe(true)
  expect(hasScopeFor([], type, audience)).toBe(scope === undefined)
  expect(hasScopeFor([scope ?? 'write:subscriptions'], type, audience)).toBe(scope !== null)
})
