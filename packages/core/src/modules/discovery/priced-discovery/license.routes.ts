import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { allowAllOrigins } from '../../../http/documents/allow-all-origins.ts'
import { addAtEachPrefix } from '../../../http/documents/profile-addresses.ts'
import { sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { isFreePath } from '../../../http/free-path.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { notFound } from '../../../kernel/errors.ts'
import { robotsOf } from '../../../model/visibility.ts'
import type { EepLogger } from '../../../ports/logger.ts'
import {
  type ProfileService,
  profileDeleted,
  profileMoved,
  profileNotFound,
  usernameParams,
} from '../../profiles/profiles/index.ts'
import { RSL_TYPE } from './license-document.ts'
import type { PricedDiscoveryService } from './service.ts'

/** The path of the terms of the service, and below a profile of those of the profile. */
const LICENSE = '/license.xml'

const response = { 200: z.string(), 304: z.undefined() }
const shared = { auth: 'none', tag: 'discovery', produces: [RSL_TYPE] } as const

function send(request: FastifyRequest, reply: FastifyReply, body: Buffer | undefined, headers = {}) {
  if (!body) throw notFound({ message: 'Nothing is sold here now' })
  allowAllOrigins(reply)
  const type = `${RSL_TYPE}; charset=utf-8`
  return sendWithEtag(request, reply, { body, type, cacheControl: 'public, max-age=300', headers })
}

interface LicenseServices {
  readonly pricedDocuments: Pick<PricedDiscoveryService, 'license' | 'licenseOfProfile'>
  readonly profiles: ProfileService
}

/**
 * Adds the terms of the service and of each profile as RSL. Both are 404 while nothing is sold.
 *
 * @returns whether the service has the path of its terms; a host that has its own route there keeps it
 */
export function licenseRoutes(
  app: EepRoutes,
  { pricedDocuments, profiles }: LicenseServices,
  logger: Pick<EepLogger, 'warn'> | undefined,
): boolean {
  const isFree = isFreePath(app, logger, { path: LICENSE, option: 'discovery.rsl' })
  if (isFree) {
    app.get(
      LICENSE,
      {
        config: routeConfig({
          ...shared,
          operationId: 'getLicense',
          summary: 'Get the terms for crawlers, and where those of sellers are (RSL 1.0)',
          errors: [notFound],
        }),
        schema: { response },
      },
      async (request, reply) => send(request, reply, await pricedDocuments.license()),
    )
  }
  addAtEachPrefix(LICENSE, ({ type, path, family }) => {
    app.get(
      path,
      {
        config: routeConfig({
          ...shared,
          scope: 'read:profiles',
          // Each build reads up to 500 resources and their offers.
          limit: 'search',
          operationId: 'getLicenseOfProfile',
          summary: 'Get the terms and prices of a profile for crawlers (RSL 1.0)',
          family,
          errors: [notFound, profileNotFound, profileDeleted, profileMoved],
        }),
        schema: { params: usernameParams, response },
      },
      async (request, reply) => {
        const profile = await profiles.byAddress.find(type, request.params.username, request.eep.caller)
        return send(request, reply, await pricedDocuments.licenseOfProfile(profile), robotsOf(profile.visibility))
      },
    )
  })
  return isFree
}
