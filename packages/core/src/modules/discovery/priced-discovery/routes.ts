import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { allowAllOrigins } from '../../../http/documents/allow-all-origins.ts'
import { addAtEachPrefix } from '../../../http/documents/profile-addresses.ts'
import { sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { isFreePath } from '../../../http/free-path.ts'
import { openApiPath } from '../../../http/openapi/openapi.ts'
import type { RegisteredRoute } from '../../../http/openapi/registered-route.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { lazy } from '../../../kernel/lazy.ts'
import { CACHE_CONTROL, robotsOf } from '../../../model/visibility.ts'
import type { EepLogger } from '../../../ports/logger.ts'
import {
  type ProfileService,
  profileDeleted,
  profileMoved,
  profileNotFound,
  usernameParams,
} from '../../profiles/profiles/index.ts'
import { freeOperations } from './free-operations.ts'
import type { PricedDiscoveryService } from './service.ts'

const PATH = '/openapi.json'
const TYPE = 'application/json'
const TAG = 'discovery'

const document = z
  .looseObject({
    openapi: z.string(),
    info: z.looseObject({ title: z.string(), version: z.string() }),
    paths: z.record(z.string(), z.looseObject({})),
  })
  .meta({ id: 'PricedOpenApi' })

/** Sends a document that any page may read. */
function send(request: FastifyRequest, reply: FastifyReply, body: Buffer, cacheControl: string, headers = {}) {
  allowAllOrigins(reply)
  return sendWithEtag(request, reply, { body, type: `${TYPE}; charset=utf-8`, cacheControl, headers })
}

interface PricedRoutesContext {
  readonly publicUrl: string
  readonly registered: () => readonly RegisteredRoute[]
  readonly logger: Pick<EepLogger, 'warn'> | undefined
}

/** `/openapi.json` of the service and of each profile: what is for sale, with its prices. */
export function pricedDiscoveryRoutes(
  app: EepRoutes,
  {
    pricedDocuments,
    profiles,
  }: { readonly pricedDocuments: PricedDiscoveryService; readonly profiles: ProfileService },
  { publicUrl, registered, logger }: PricedRoutesContext,
): void {
  // Below a prefix, clients reach the routes at the origin of the public URL.
  const serverUrl = app.prefix === '' ? publicUrl : new URL(publicUrl).origin + app.prefix
  const free = lazy(() =>
    freeOperations(
      registered()
        .filter(({ method, config }) => method === 'GET' && config.auth === 'none' && !config.unavailable)
        .map(({ path, config: { operationId, summary } }) => ({ path: openApiPath(path), operationId, summary })),
    ),
  )

  const site = isFreePath(app, logger, { path: PATH, option: 'pricedDiscovery.paidOpenapi' }) ? app : undefined
  site?.get(
    PATH,
    {
      config: routeConfig({
        auth: 'none',
        tag: TAG,
        operationId: 'getPricedOpenApi',
        summary: 'Get what is for sale, and its prices, as OpenAPI',
        produces: [TYPE],
      }),
      schema: { response: { 200: document, 304: z.undefined() } },
    },
    async (request, reply) => send(request, reply, await pricedDocuments.site(serverUrl, free), 'public, max-age=300'),
  )

  addAtEachPrefix(PATH, ({ type, path, family }) => {
    app.get(
      path,
      {
        config: routeConfig({
          auth: 'none',
          scope: 'read:profiles',
          // Each build reads up to 500 resources and their offers.
          limit: 'search',
          tag: TAG,
          operationId: 'getPricedOpenApiOfProfile',
          summary: 'Get what a profile sells, and its prices, as OpenAPI',
          family,
          errors: [profileNotFound, profileDeleted, profileMoved],
          produces: [TYPE],
        }),
        schema: { params: usernameParams, response: { 200: document, 304: z.undefined() } },
      },
      async (request, reply) => {
        const profile = await profiles.byAddress.find(type, request.params.username, request.eep.caller)
        const { visibility } = profile
        const cacheControl = visibility === 'public' ? 'public, max-age=300' : CACHE_CONTROL[visibility]
        return send(
          request,
          reply,
          await pricedDocuments.ofProfile(profile, serverUrl),
          cacheControl,
          robotsOf(visibility),
        )
      },
    )
  })
}
