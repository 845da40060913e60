import type { FastifyRequest } from 'fastify'
import type { AgentRead } from '../model/agent.ts'
import type { Profile } from '../ports/storage/profiles.ts'

/** Receives reads by agents. It returns immediately and does not throw. */
export type OnAgentRead = (read: AgentRead) => void

/**
 * Reports a read that is granted, for the team of the profile. Reads of people, of anonymous clients and of the account that
 * owns the profile are not reported.
 */
export function reportRead(
  { eep }: FastifyRequest,
  { id, ownerAccountId }: Pick<Profile, 'id' | 'ownerAccountId'>,
  { name, path }: { readonly name: string; readonly path: string },
): void {
  const { agent, caller } = eep
  if (agent === undefined && caller?.keyId === undefined) return
  if (caller?.account.id === ownerAccountId) return
  eep.onAgentRead?.({
    profileId: id,
    resource: name,
    path,
    did: agent?.did,
    verified: agent?.verified ?? false,
    keyId: caller?.keyId,
  })
}
