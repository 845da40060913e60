import { z } from 'zod'
import { sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { openApiPath } from '../../../http/openapi/openapi.ts'
import type { RegisteredRoute } from '../../../http/openapi/registered-route.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { notFound } from '../../../kernel/errors.ts'
import { lazy } from '../../../kernel/lazy.ts'
import { CACHE_CONTROL, robotsOf } from '../../../model/visibility.ts'
import type { GateService } from '../../access/gates/index.ts'
import type { Paywall } from '../../access/paywall/index.ts'
import {
  type ProfileService,
  profileDeleted,
  profileMoved,
  profileNotFound,
  usernameParams,
} from '../../profiles/profiles/index.ts'
import { agentRegistration, registrationSchema } from './agent-registration.ts'
import type { PricedDiscoveryService } from './service.ts'

/** The end of the path of agent cards of profiles, which all types have. */
const CARD = '/{username}/agent-card.json'

interface RegistrationServices {
  readonly pricedDocuments: Pick<PricedDiscoveryService, 'sellsByX402'>
  readonly profiles: ProfileService
  readonly gates: Pick<GateService, 'gateOf'>
  readonly paywall: Pick<Paywall, 'payoutsOf'>
}

/** The registration of an agent on chains, as its owner states it (ERC-8004). */
export function registrationRoutes(
  app: EepRoutes,
  { pricedDocuments, profiles, gates, paywall }: RegistrationServices,
  registered: () => readonly RegisteredRoute[],
): void {
  const hasCard = lazy(() => registered().some(({ path }) => openApiPath(path).endsWith(CARD)))
  app.get(
    '/agent/:username/agent-registration.json',
    {
      config: routeConfig({
        auth: 'none',
        scope: 'read:profiles',
        limit: 'search',
        tag: 'discovery',
        operationId: 'getAgentRegistration',
        summary: 'Get the registration of an agent as its owner states it (ERC-8004)',
        errors: [notFound, profileNotFound, profileDeleted, profileMoved],
      }),
      schema: { params: usernameParams, response: { 200: registrationSchema, 304: z.undefined() } },
    },
    async (request, reply) => {
      const profile = await profiles.byAddress.find('agent', request.params.username, request.eep.caller)
      const document = agentRegistration({
        profile,
        did: profiles.didOf(profile),
        publicUrl: profiles.publicUrl,
        gates: (await gates.gateOf(profile.id))?.config,
        hasCard: hasCard(),
        sellsByX402: await pricedDocuments.sellsByX402(profile),
        payTo: await paywall.payoutsOf(profile.ownerAccountId),
      })
      if (!document) throw notFound({ message: 'This agent states no registration' })
      const { visibility } = profile
      return sendWithEtag(request, reply, {
        body: document,
        cacheControl: visibility === 'public' ? 'public, max-age=300' : CACHE_CONTROL[visibility],
        headers: robotsOf(visibility),
      })
    },
  )
}
