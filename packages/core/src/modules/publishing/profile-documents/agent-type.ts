import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { CoreContext } from '../../../framework/module/context.ts'
import { AGENT_TYPES, type AgentType } from '../../../model/agent-type.ts'
import {
  dependsOnReader,
  hasTeamItems,
  type ProfileService,
  type PublicProfile,
} from '../../profiles/profiles/index.ts'

const agentType = z
  .enum(AGENT_TYPES)
  .optional()
  .describe('The type of the agent: sections for it come first. Default: general')

const AGENT_TYPE_QUERY = { agent_type: agentType }
const AGENT_TYPE_HEADER = z.looseObject({ 'x-eep-agent-type': agentType })

/** What modules add to the documents of profiles. */
export type ProfileParts = CoreContext['profileParts']

/** Whether a part of profiles depends on the type of the agent that reads. */
export const dependsOnType = (parts: ProfileParts): boolean => parts.some(({ part }) => part.forReaders !== undefined)

/** The keys of the parts that gates can close. */
export const partKeys = (parts: ProfileParts): readonly string[] =>
  parts.flatMap(({ part: { key, resource } }) => (resource === undefined ? [] : [key]))

/** Adds the type of the agent to the input of a read, in services with parts that depend on it. */
export const withAgentType = <Query extends z.ZodObject>(querystring: Query, isOffered: boolean) =>
  isOffered
    ? // Handlers read the type by `agentTypeOf`, so the query keeps the type of the other parameters.
      { querystring: querystring.extend(AGENT_TYPE_QUERY) as unknown as Query, headers: AGENT_TYPE_HEADER }
    : { querystring }

/** The type that a request names: the query takes precedence over the header. */
function agentTypeOf({ query, headers }: FastifyRequest): AgentType | undefined {
  // Both are validated by the schemas of the route, and missing in services without such parts.
  const named = query as { readonly agent_type?: AgentType }
  return named.agent_type ?? (headers['x-eep-agent-type'] as AgentType | undefined)
}

/** The reader of a profile, as its parts need it. The role is only looked up when something is for the team. */
export async function partReaderOf(
  request: FastifyRequest,
  known: Pick<PublicProfile, 'profile' | 'parts'>,
  { roleOf }: Pick<ProfileService, 'roleOf'>,
) {
  const agentType = dependsOnReader(known) ? agentTypeOf(request) : undefined
  const { caller } = request.eep
  const isTeam = caller !== undefined && hasTeamItems(known) && (await roleOf(known.profile, caller)) !== undefined
  return { agentType, isTeam }
}
