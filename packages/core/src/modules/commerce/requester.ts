import type { FastifyRequest } from 'fastify'
import { unauthenticated } from '../../kernel/errors.ts'
import type { Participant } from './participant.ts'

/** Whoever a request comes from: an account with the profile that acts, or the agent that signed. */
export function participantOf({ eep, headers }: FastifyRequest): Participant {
  const { caller, agent } = eep
  const id = headers['x-active-profile-id']
  if (caller) return { caller, activeProfileId: id === undefined ? undefined : Number(id) }
  if (agent?.verified) return { did: agent.did }
  throw unauthenticated()
}
