import type { IncomingHttpHeaders } from 'node:http'
import { defineError } from '../../kernel/errors.ts'

export const conflictingAgentDid = defineError(
  'conflicting_agent_did',
  400,
  'X-EEP-Agent-DID and EEP-Agent-DID name different agents',
)

/**
 * Returns the DID of the agent that a request claims to come from, unverified, from either of the two headers.
 *
 * @throws `conflicting_agent_did` when they name different agents
 */
export function claimedAgentDid(headers: IncomingHttpHeaders): string | undefined {
  const [first, second] = [nameIn(headers['x-eep-agent-did']), nameIn(headers['eep-agent-did'])]
  if (first !== undefined && second !== undefined && first !== second) throw conflictingAgentDid()
  return first ?? second
}

const nameIn = (value: string | string[] | undefined): string | undefined => value?.toString().trim() || undefined
