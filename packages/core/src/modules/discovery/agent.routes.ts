import { z } from 'zod'
import { type EepRoutes, facts } from '../../http/routes.ts'
import { sendTagged } from '../../http/tagged-answer.ts'
import { CACHE_CONTROL, robotsOf } from '../../http/visibility-headers.ts'
import type { GateService } from '../gates/index.ts'
import {
  PREFIX_BY_TYPE,
  PROFILE_TYPES,
  type ProfileService,
  profileMoved,
  profileNotFound,
  shownTo,
} from '../profiles/index.ts'
import { API_CATALOG_TYPE } from './api-catalog.ts'
import { agentCardSchema, apiCatalogSchema } from './schemas.ts'
import type { Served } from './served.ts'
import type { DiscoveryService } from './service.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

export interface AgentRouteServices {
  readonly discovery: DiscoveryService
  readonly profiles: ProfileService
  readonly gates: GateService
}

/** What agents look for at fixed addresses: the guide, entry points, the catalogue and the cards. */
export function agentRoutes(app: EepRoutes, services: AgentRouteServices, { offer, text }: Served): void {
  const { discovery, profiles } = services
  text(
    '/.well-known/eep/agent-guide.md',
    'How an agent works with this service',
    { type: 'text/markdown; charset=utf-8', schema: z.string() },
    () => discovery.guide(offer()),
  )
  text(
    '/agents.txt',
    'Entry points, patterns and pacing for agents',
    { type: 'text/plain; charset=utf-8', schema: z.string() },
    () => discovery.agents(offer()),
  )
  text(
    '/.well-known/api-catalog',
    'The catalogue of APIs (RFC 9727)',
    {
      type: API_CATALOG_TYPE,
      schema: apiCatalogSchema,
      headers: { link: `<${discovery.publicUrl}/.well-known/api-catalog>; rel="api-catalog"` },
    },
    () => discovery.apiCatalog(offer()),
  )
  for (const path of ['/.well-known/agent-card.json', '/.well-known/agent.json']) {
    text(path, 'The agent card of the service (A2A)', { type: JSON_TYPE, schema: agentCardSchema }, () =>
      discovery.agentCard(offer()),
    )
  }

  for (const type of PROFILE_TYPES) {
    app.get(
      `/${PREFIX_BY_TYPE[type]}/:username/agent-card.json`,
      {
        config: facts({
          auth: 'none',
          scope: 'read:profiles',
          tag: 'public reads',
          summary: 'The agent card of a profile (A2A)',
          errors: [profileNotFound, profileMoved],
        }),
        schema: {
          params: z.object({ username: z.string().max(64) }),
          response: { 200: agentCardSchema, 304: z.undefined() },
        },
      },
      async (request, reply) => {
        const known = await profiles.getPublic(type, request.params.username, request.eep.caller)
        const { profile, restricted } = await shownTo(request, known, services)
        return sendTagged(request, reply, {
          body: discovery.profileCard(offer(), profile, profiles.didOf(profile)),
          cacheControl: restricted ? 'private, no-cache' : CACHE_CONTROL[profile.visibility],
          headers: { 'eep-entity-did': profiles.didOf(profile), ...robotsOf(profile.visibility) },
        })
      },
    )
  }
}
