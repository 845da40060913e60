import { z } from 'zod'
import { type Link, linkHeader, offeredLinks } from '../../../http/documents/links.ts'
import { formatQuery, invalidFormat, protocolTypes } from '../../../http/documents/negotiation.ts'
import { sendProtocolDocument } from '../../../http/documents/send-with-etag.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { CACHE_CONTROL, robotsOf } from '../../../model/visibility.ts'
import type { Profile } from '../../../ports/storage/profiles.ts'
import { profilePath } from './did.ts'
import { didDeactivated, didMethodNotSupported, didNotFound, invalidDid } from './errors.ts'
import { eventLinks } from './event-links.ts'
import { type DidResolution, resolveDid } from './resolve-did.ts'
import type { ProfileService } from './service.ts'

const RESOLUTION = 'application/did-resolution'

const resolution = z
  .object({
    didDocument: z.looseObject({ id: z.string() }),
    didResolutionMetadata: z.object({ contentType: z.string() }),
    didDocumentMetadata: z.object({
      created: z.string().optional(),
      updated: z.string().optional(),
      canonicalId: z.string().optional(),
    }),
  })
  .meta({ id: 'DidResolution' })

const SERVICE_LINKS: readonly Link[] = [
  { rel: 'service-desc', href: '/docs/openapi.json', type: 'application/json' },
  { rel: 'eep', href: '/.well-known/eep.json', type: 'application/json' },
]

function linksOf(did: string, profile: Profile | undefined): readonly Link[] {
  const links = [...eventLinks(did), ...SERVICE_LINKS]
  if (!profile) return links
  const path = profilePath(profile)
  return [
    { rel: 'describes', href: path },
    { rel: 'contents', href: `${path}/content` },
    { rel: 'did', href: `${path}/did.json`, type: 'application/did+json' },
    { rel: 'agent-card', href: `${path}/agent-card.json`, type: 'application/json' },
    ...links,
  ]
}

/** Resolves the DIDs of this service over HTTP (W3C DID Resolution). */
export function resolveRoutes(
  app: EepRoutes,
  profiles: ProfileService,
  ownDocument: () => DidResolution['didDocument'],
): void {
  app.get(
    '/resolve',
    {
      config: routeConfig({
        auth: 'none',
        scope: 'read:profiles',
        tag: 'discovery',
        operationId: 'resolveDid',
        summary: 'Resolve the DID of a profile or of the service, with metadata',
        errors: [invalidDid, didNotFound, didDeactivated, didMethodNotSupported, invalidFormat],
        produces: protocolTypes(),
        otherTypes: [RESOLUTION],
      }),
      schema: {
        // An invalid DID is reported in the format of DID resolution, not as an invalid query.
        querystring: formatQuery.extend({
          did: z
            .string()
            .max(2048)
            .default('')
            .meta({ examples: ['did:web:example.com:u:ada'] }),
        }),
        response: { 200: resolution, 304: z.undefined() },
      },
    },
    async (request, reply) => {
      const { profile, ...body } = await resolveDid(request.query.did, profiles, ownDocument, request.eep.caller)
      const visibility = profile?.visibility ?? 'public'
      const { site } = request.eep
      const did = String(body.didDocument.id)
      const asked = request.headers.accept?.includes(RESOLUTION) ? { type: RESOLUTION } : {}
      return sendProtocolDocument(request, reply, {
        title: 'DID resolution',
        body,
        ...asked,
        cacheControl: CACHE_CONTROL[visibility],
        headers: {
          ...robotsOf(visibility),
          'eep-entity-did': did,
          link: linkHeader(offeredLinks(linksOf(did, profile), site), site.basePath),
        },
      })
    },
  )
}
