import type { Recipients } from './envelope.ts'

/** The scopes that API keys need to receive private events, by type or by the beginning of the type. */
const SCOPES: readonly (readonly [type: string, scope: string])[] = [
  ['gate.access_granted', 'read:payments'],
  ['message.', 'read:messages'],
  ['notification.', 'read:notifications'],
]

/** The scope of other events of teams: that of streams. */
const TEAM_SCOPE = 'read:events'

/**
 * Returns the scope that an API key needs to receive events of a type, `undefined` when it needs none, and null when keys never
 * receive them: events of sessions and of accounts.
 */
export function requiredScope(type: string, audience: Recipients['kind']): string | null | undefined {
  if (audience === 'everyone') return undefined
  if (type.startsWith('session.')) return null
  const known = SCOPES.find(([start]) => type === start || (start.endsWith('.') && type.startsWith(start)))
  return known?.[1] ?? (audience === 'teams' ? TEAM_SCOPE : null)
}

/** Whether a credential with these scopes may receive events of a type. Sessions have all scopes. */
export function hasScopeFor(scopes: readonly string[] | 'all', type: string, audience: Recipients['kind']): boolean {
  if (scopes === 'all') return true
  const required = requiredScope(type, audience)
  return required === undefined || (required !== null && scopes.includes(required))
}
