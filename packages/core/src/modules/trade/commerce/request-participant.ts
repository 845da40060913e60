import type { FastifyRequest } from 'fastify'
import { unauthenticated } from '../../../kernel/errors.ts'
import type { Participant } from './parties.ts'

/** The sender of a request: an account with the acting profile, or the agent that signed. */
export function readParticipant({ eep, headers }: FastifyRequest): Participant {
  const { caller, agent } = eep
  const id = headers['x-active-profile-id']
  if (caller) return { caller, activeProfileId: id === undefined ? undefined : Number(id) }
  if (agent?.verified) return { did: agent.did }
  throw unauthenticated()
}
