import { z } from 'zod'
import { defineEvent } from '../../../runtime/events/define-event.ts'

const bot = z.object({ origin: z.string(), verified: z.boolean() }).nullable()
const agent = { agentDid: z.string().nullable(), agentId: z.string(), verified: z.boolean(), bot }
const agentSignal = {
  agent_did: z.string().nullable().describe('The DID that the agent claims; null for an agent with an API key alone'),
  agent_id: z.string().describe('An id of the agent that is specific to this profile'),
  verified: z.boolean().describe('Whether the agent signed the request with a key of its DID'),
  bot: bot.describe(
    'The operator that the request names in `Signature-Agent`, and whether its signature proves it; null for none',
  ),
}

export const resourceRead = defineEvent('agents.resource_read', {
  audience: 'team',
  subject: 'profile',
  data: z.object({ ...agent, resource: z.string(), path: z.string() }),
  signal: {
    types: {
      'agent.access.read': z.object({
        entity_id: z.int(),
        ...agentSignal,
        resource: z.string().describe('The resource, by its name in gate configurations'),
        path: z.string(),
      }),
    },
    of: ({ agentDid, agentId, verified, bot: signer, resource, path }, { profileId }) => ({
      type: 'agent.access.read',
      data: { entity_id: profileId, agent_did: agentDid, agent_id: agentId, verified, bot: signer, resource, path },
      subject: path,
    }),
  },
  summary: 'An agent read a profile, page or file; at most one event per minute for each agent and resource',
})

export const resourceFound = defineEvent('agents.resource_found', {
  audience: 'team',
  subject: 'profile',
  data: z.object({ ...agent, resource: z.string().nullable(), path: z.string() }),
  signal: {
    types: {
      'agent.access.search': z.object({
        entity_id: z.int(),
        ...agentSignal,
        resource: z
          .string()
          .nullable()
          .describe('The best result of this profile, by its name in gate configurations; null for a post'),
        path: z.string(),
      }),
    },
    of: ({ agentDid, agentId, verified, bot: signer, resource, path }, { profileId }) => ({
      type: 'agent.access.search',
      data: { entity_id: profileId, agent_did: agentDid, agent_id: agentId, verified, bot: signer, resource, path },
      subject: path,
    }),
  },
  summary:
    'A search by an agent returned results of a profile; at most one event per minute for each agent and resource',
})

export const agentAccessEvents = [resourceRead, resourceFound] as const
