import type { FastifyRequest } from 'fastify'
import type { AgentAccess } from '../model/agent.ts'
import type { Profile } from '../ports/storage/profiles.ts'

/** Receives what agents read and find. It returns immediately and does not throw. */
export type OnAgentAccess = (access: AgentAccess) => void

type Owned = Pick<Profile, 'id' | 'ownerAccountId'>

/** The agent of a request, for a profile; undefined for people, anonymous clients and the account that owns the profile. */
function agentOf({ agent, caller }: FastifyRequest['eep'], { id, ownerAccountId }: Owned) {
  if (agent === undefined && caller?.keyId === undefined) return undefined
  if (caller?.account.id === ownerAccountId) return undefined
  return { profileId: id, did: agent?.did, verified: agent?.verified ?? false, keyId: caller?.keyId }
}

/**
 * Reports a read that is granted, for the team of the profile. Reads of people, of anonymous clients and of the account that
 * owns the profile are not reported.
 */
export function reportRead(
  { eep }: FastifyRequest,
  profile: Owned,
  { name, path }: { readonly name: string; readonly path: string },
): void {
  const agent = agentOf(eep, profile)
  if (agent) eep.onAgentAccess?.({ kind: 'read', ...agent, resource: name, path })
}

/**
 * Reports the results of a search, best first: to the team of each profile the best one of that profile. Searches of people, of
 * anonymous clients and of the account that owns the profile are not reported.
 */
export function reportSearch(
  { eep }: FastifyRequest,
  found: readonly { readonly profile: Owned; readonly resource: string | null; readonly path: string }[],
): void {
  const reported = new Set<number>()
  for (const { profile, resource, path } of found) {
    const agent = agentOf(eep, profile)
    if (!agent || reported.has(profile.id)) continue
    reported.add(profile.id)
    eep.onAgentAccess?.({ kind: 'search', ...agent, resource, path })
  }
}
