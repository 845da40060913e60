import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AGENT_TYPES, type AgentType } from '../../../model/agent-type.ts'
import type { ProfileService, PublicProfile } from '../../profiles/profiles/index.ts'

const agentType = z
  .enum(AGENT_TYPES)
  .optional()
  .describe('The type of the agent: sections for it come first. Default: general')

const AGENT_TYPE_QUERY = { agent_type: agentType }
const AGENT_TYPE_HEADER = z.looseObject({ 'x-eep-agent-type': agentType })

/** Adds the type of the agent to the input of a read, in services that have sections. */
export const withAgentType = <Query extends z.ZodObject>(querystring: Query, hasSections: boolean) =>
  hasSections
    ? // Handlers read the type by `agentTypeOf`, so the query keeps the type of the other parameters.
      { querystring: querystring.extend(AGENT_TYPE_QUERY) as unknown as Query, headers: AGENT_TYPE_HEADER }
    : { querystring }

/** The type that a request names: the query takes precedence over the header. */
function agentTypeOf({ query, headers }: FastifyRequest): AgentType | undefined {
  // Both are validated by the schemas of the route, and missing in services without sections.
  const named = query as { readonly agent_type?: AgentType }
  return named.agent_type ?? (headers['x-eep-agent-type'] as AgentType | undefined)
}

/** The reader of a profile, as its sections need it. The role is only looked up when a section is for the team. */
export async function sectionReaderOf(
  request: FastifyRequest,
  { profile, sections }: Pick<PublicProfile, 'profile' | 'sections'>,
  { roleOf }: Pick<ProfileService, 'roleOf'>,
) {
  const agentType = sections === undefined ? undefined : agentTypeOf(request)
  const { caller } = request.eep
  const hasTeamSections = caller !== undefined && sections?.some(({ visibility }) => visibility === 'team') === true
  const isTeam = hasTeamSections && (await roleOf(profile, caller)) !== undefined
  return { agentType, isTeam }
}
