import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { allowAllOrigins } from '../../../http/documents/allow-all-origins.ts'
import { sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { isFreePath } from '../../../http/free-path.ts'
import { openApiPath } from '../../../http/openapi/openapi.ts'
import type { RegisteredRoute } from '../../../http/openapi/registered-route.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { notFound } from '../../../kernel/errors.ts'
import { lazy } from '../../../kernel/lazy.ts'
import { CACHE_CONTROL, robotsOf } from '../../../model/visibility.ts'
import type { EepLogger } from '../../../ports/logger.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
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
/** The end of the paths of registrations. */
const FILE = '/agent-registration.json'

interface RegistrationServices {
  readonly pricedDocuments: Pick<PricedDiscoveryService, 'sellsByX402'>
  readonly profiles: ProfileService
  readonly gates: Pick<GateService, 'gateOf'>
  readonly paywall: Pick<Paywall, 'payoutsOf'>
  /** Undefined in a service without lists. */
  readonly discovery?:
    | {
        readonly hasSiteIndex: boolean
        readonly siteIndex: { onlyAgent(): string | undefined | Promise<string | undefined> }
      }
    | undefined
}

interface RegistrationContext {
  readonly registered: () => readonly RegisteredRoute[]
  readonly logger: Pick<EepLogger, 'warn'> | undefined
}

/** The registration of an agent on chains, as its owner states it (ERC-8004). */
export function registrationRoutes(
  app: EepRoutes,
  { pricedDocuments, profiles, gates, paywall, discovery }: RegistrationServices,
  { registered, logger }: RegistrationContext,
): void {
  const hasCard = lazy(() => registered().some(({ path }) => openApiPath(path).endsWith(CARD)))
  async function send(request: FastifyRequest, reply: FastifyReply, profile: Profile) {
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
    allowAllOrigins(reply)
    return sendWithEtag(request, reply, {
      body: document,
      cacheControl: visibility === 'public' ? 'public, max-age=300' : CACHE_CONTROL[visibility],
      headers: robotsOf(visibility),
    })
  }

  const shared = { auth: 'none', limit: 'search', tag: 'discovery' } as const
  const response = { 200: registrationSchema, 304: z.undefined() }
  app.get(
    `/agent/:username${FILE}`,
    {
      config: routeConfig({
        ...shared,
        scope: 'read:profiles',
        operationId: 'getAgentRegistration',
        summary: 'Get the registration of an agent as its owner states it (ERC-8004)',
        errors: [notFound, profileNotFound, profileDeleted, profileMoved],
      }),
      schema: { params: usernameParams, response },
    },
    async (request, reply) =>
      send(request, reply, await profiles.byAddress.find('agent', request.params.username, request.eep.caller)),
  )

  const path = `/.well-known${FILE}`
  if (!discovery || !isFreePath(app, logger, { path, option: 'discovery.agentRegistration' })) return
  app.get(
    path,
    {
      config: routeConfig({
        ...shared,
        operationId: 'getOnlyAgentRegistration',
        summary: 'Get the registration of the only agent of the service (ERC-8004)',
        errors: [notFound],
      }),
      schema: { response },
    },
    async (request, reply) => {
      const username = discovery.hasSiteIndex ? await discovery.siteIndex.onlyAgent() : undefined
      if (username === undefined) throw notFound({ message: 'This service has no agent, or more than one' })
      return send(request, reply, await profiles.byAddress.find('agent', username, undefined))
    },
  )
}
