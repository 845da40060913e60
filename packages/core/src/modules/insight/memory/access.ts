import { isEepError } from '../../../kernel/errors.ts'
import type { Agent } from '../../../model/agent.ts'
import { type Caller, isLimited } from '../../../model/caller.ts'
import type { May } from '../../../model/permission.ts'
import type { MemoryOwner, MemorySession } from '../../../ports/storage/memory.ts'
import type { Readers } from '../../../ports/storage/storage.ts'
import type { ProfileService } from '../../profiles/profiles/index.ts'
import { memoryAgentMismatch, memorySessionNotFound, memorySignatureRequired } from './errors.ts'

/** The user of a session: an account, and the agent that signed the request, if one did. */
export interface MemoryActor {
  readonly caller: Caller
  /** An agent without a signature is only a claim, so it is undefined. */
  readonly agentDid: string | undefined
}

export const actorOf = (caller: Caller, agent: Agent | undefined): MemoryActor => ({
  caller,
  agentDid: agent?.verified ? agent.did : undefined,
})

/**
 * The sessions that an actor reaches in the profiles that it may act for: an agent those of its DID, an API key without an agent those
 * without a DID, and a person who is signed in all of them.
 */
export function reachOf({ caller, agentDid }: MemoryActor): MemoryOwner {
  if (agentDid !== undefined) return { did: agentDid }
  return isLimited(caller) ? { did: null } : 'any'
}

/**
 * Whether an actor reaches a session.
 * @internal
 */
export const reaches = (owner: MemoryOwner, { agentDid }: Pick<MemorySession, 'agentDid'>): boolean =>
  owner === 'any' || owner.did === agentDid

/**
 * The agent of a new session. Default: the agent that signed the request, else none.
 *
 * @throws `memory_agent_mismatch`, `memory_signature_required` for a session that the actor would not reach
 */
export function agentOfNew(asked: string | undefined, actor: MemoryActor): string | null {
  const { caller, agentDid } = actor
  if (agentDid !== undefined) {
    if (asked !== undefined && asked !== agentDid) throw memoryAgentMismatch()
    return agentDid
  }
  if (asked !== undefined && isLimited(caller)) throw memorySignatureRequired()
  return asked ?? null
}

export interface SessionAccessDeps {
  readonly read: Readers<'memory'>
  readonly profiles: Pick<ProfileService, 'get' | 'roleOf'>
  readonly clock: () => Date
  readonly may: May
}

/** Returns a function that reads a session for an actor. */
export function createSessionAccess({ read, profiles, clock, may }: SessionAccessDeps) {
  async function mayAct(profileId: number, caller: Caller): Promise<boolean> {
    try {
      return may(await profiles.roleOf(await profiles.get(profileId, caller), caller), 'memory.use')
    } catch (error) {
      if (isEepError(error) && error.status === 404) return false
      throw error
    }
  }

  /** @throws `memory_session_not_found` also for sessions that have expired or that the actor does not reach */
  return async function requireSession(id: string, actor: MemoryActor): Promise<MemorySession> {
    const session = await read.memory.getSession(id, clock())
    if (!session || !reaches(reachOf(actor), session) || !(await mayAct(session.profileId, actor.caller))) {
      throw memorySessionNotFound()
    }
    return session
  }
}

export type RequireSession = ReturnType<typeof createSessionAccess>
