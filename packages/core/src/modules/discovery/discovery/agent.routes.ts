import { z } from 'zod'
import { formatQuery, invalidFormat, protocolTypes } from '../../../http/documents/negotiation.ts'
import { addAtEachPrefix } from '../../../http/documents/profile-addresses.ts'
import { sendProtocolDocument } from '../../../http/documents/send-with-etag.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { CACHE_CONTROL, robotsOf } from '../../../model/visibility.ts'
import type { Paywall } from '../../access/paywall/index.ts'
import { type ProfileService, profileDeleted, profileMoved, profileNotFound } from '../../profiles/profiles/index.ts'
import { shownTo } from '../../publishing/profile-documents/index.ts'
import { API_CATALOG_TYPE } from './api-catalog.ts'
import type { DocumentRoutes } from './document-routes.ts'
import { guideDocument } from './public-documents.ts'
import { agentCardSchema, apiCatalogSchema, guideSchema } from './schemas.ts'
import type { DiscoveryService } from './service.ts'

export interface AgentRouteServices {
  readonly discovery: DiscoveryService
  readonly profiles: ProfileService
  readonly paywall: Paywall
}

/** Documents for agents at fixed addresses: the guide, entry points, the catalog and the cards. */
export function agentRoutes(
  app: EepRoutes,
  services: AgentRouteServices,
  { offer, document, protocol, text }: DocumentRoutes,
): void {
  const { discovery, profiles } = services
  document(
    '/.well-known/eep/agent-guide.md',
    { operationId: 'getAgentGuide', summary: 'Get the guide for agents' },
    guideSchema,
    () => guideDocument(discovery.guide(offer())),
  )
  text(
    '/agents.txt',
    { operationId: 'getAgentsTxt', summary: 'Get entry points, patterns and rate limits for agents' },
    { type: 'text/plain; charset=utf-8', schema: z.string() },
    () => discovery.agents(offer()),
  )
  protocol(
    '/.well-known/api-catalog',
    { operationId: 'getApiCatalog', summary: 'Get the API catalogue (RFC 9727)' },
    {
      title: 'API catalogue',
      jsonType: API_CATALOG_TYPE,
      schema: apiCatalogSchema,
      headers: { link: `<${discovery.publicUrl}/.well-known/api-catalog>; rel="api-catalog"` },
    },
    () => discovery.apiCatalog(offer()),
  )
  const summary = 'Get the agent card of the service (A2A)'
  for (const [path, operationId, aliasOf] of [
    ['/.well-known/agent-card.json', 'getAgentCard', undefined],
    // The address in earlier versions of A2A.
    ['/.well-known/agent.json', 'getEarlierAgentCard', 'getAgentCard'],
  ] as const) {
    protocol(path, { operationId, summary, aliasOf }, { title: 'Agent card', schema: agentCardSchema }, () =>
      discovery.agentCard(offer()),
    )
  }

  addAtEachPrefix('/agent-card.json', ({ type, path, family }) => {
    app.get(
      path,
      {
        config: routeConfig({
          family,
          auth: 'none',
          scope: 'read:profiles',
          tag: 'public reads',
          operationId: 'getProfileAgentCard',
          summary: 'Get the agent card of a profile (A2A)',
          errors: [invalidFormat, profileNotFound, profileDeleted, profileMoved],
          produces: protocolTypes(),
        }),
        schema: {
          params: z.object({ username: z.string().max(64) }),
          querystring: formatQuery,
          response: { 200: agentCardSchema, 304: z.undefined() },
        },
      },
      async (request, reply) => {
        const known = await profiles.byAddress.getDocument(type, request.params.username, request.eep.caller)
        const { profile, restricted } = await shownTo(request, known, services)
        return sendProtocolDocument(request, reply, {
          title: 'Agent card',
          body: discovery.profileCard(offer(), profile, profiles.didOf(profile)),
          cacheControl: restricted ? 'private, no-cache' : CACHE_CONTROL[profile.visibility],
          headers: { 'eep-entity-did': profiles.didOf(profile), ...robotsOf(profile.visibility) },
        })
      },
    )
  })
}
