import { z } from 'zod'
import { allowAllOrigins } from '../../../http/documents/allow-all-origins.ts'
import { sendWithEtag } from '../../../http/documents/send-with-etag.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { MetadataDocument } from './metadata.ts'
import { resourceMetadataSchema, serverMetadataSchema } from './schemas.ts'
import { MAX_AGE } from './well-known.routes.ts'

const shared = { auth: 'none', hasOwnToken: true, tag: 'oauth-server' } as const

/** The metadata of the authorization server and of the resources of the service. */
export function metadataRoutes(app: EepRoutes, documents: () => readonly MetadataDocument[]): void {
  const bodyOf = (wellKnown: MetadataDocument['wellKnown'], suffix: string): string => {
    const document = documents().find((candidate) => candidate.wellKnown === wellKnown && candidate.suffix === suffix)
    if (!document) throw notFound()
    return document.body
  }

  app.get(
    '/.well-known/oauth-authorization-server',
    {
      config: routeConfig({
        ...shared,
        operationId: 'getOAuthServerMetadata',
        summary: 'Get the metadata of the authorization server (RFC 8414)',
      }),
      schema: { response: { 200: serverMetadataSchema, 304: z.undefined() } },
    },
    async (request, reply) => {
      allowAllOrigins(reply)
      return sendWithEtag(request, reply, { body: bodyOf('oauth-authorization-server', ''), cacheControl: MAX_AGE })
    },
  )

  for (const { wellKnown, suffix } of documents()) {
    if (wellKnown !== 'oauth-protected-resource') continue
    app.get(
      `/.well-known/oauth-protected-resource${suffix}`,
      {
        config: routeConfig({
          ...shared,
          operationId: `getOAuthResourceMetadata${suffix === '' ? '' : suffix.endsWith('/account') ? 'OfMcpAccount' : 'OfMcp'}`,
          aliasOf: suffix === '' ? undefined : 'getOAuthResourceMetadata',
          summary: `Get the metadata of ${suffix === '' ? 'the service' : suffix} as a resource (RFC 9728)`,
        }),
        schema: { response: { 200: resourceMetadataSchema, 304: z.undefined() } },
      },
      async (request, reply) => {
        allowAllOrigins(reply)
        return sendWithEtag(request, reply, { body: bodyOf(wellKnown, suffix), cacheControl: MAX_AGE })
      },
    )
  }
}
