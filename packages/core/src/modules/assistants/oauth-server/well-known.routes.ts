import { etagOf } from '../../../http/documents/public-document.ts'
import type { EepRoutes } from '../../../http/routes.ts'
import { forAnyServer, type ServerPlugin } from '../../../http/server-plugin.ts'
import type { MetadataDocument } from './metadata.ts'

/** How long metadata may be cached. */
export const MAX_AGE = 'public, max-age=3600'

/** The path at which clients look for a document: between the host and the path of the public URL (RFC 8414, 3.1). */
const wellKnownPath = ({ wellKnown, suffix }: MetadataDocument, publicUrl: string): string =>
  `/.well-known/${wellKnown}${new URL(publicUrl).pathname.replace(/\/$/, '')}${suffix}`

/**
 * Warns when the server is ready and a service below a path has no documents at the root of the host, where clients look for them.
 *
 * @param warn - called once with one sentence
 */
export function warnWithoutWellKnown(
  app: EepRoutes,
  publicUrl: string,
  documents: () => readonly MetadataDocument[],
  warn: (message: string) => void,
): void {
  const { origin, pathname } = new URL(publicUrl)
  if (pathname === '/') return
  app.scope((_routes, instance) => {
    instance.addHook('onReady', async () => {
      const paths = documents().map((document) => wellKnownPath(document, publicUrl))
      const missing = paths.filter((url) => !instance.hasRoute({ method: 'GET', url }))
      if (missing.length === 0) return
      const addresses = missing.map((path) => `${origin}${path}`).join(', ')
      warn(
        `Apps look for the metadata of OAuth at ${addresses}: register app.eep.oauthServer.wellKnown at the root of the server, and let a server before it pass these addresses on`,
      )
    })
  })
}

/** A Fastify plugin that serves metadata documents at the root of the host, for a service below a path. */
export const createWellKnown = (
  publicUrl: string,
  documents: () => readonly MetadataDocument[],
): ServerPlugin<object> =>
  forAnyServer(async (server) => {
    for (const document of documents()) {
      const etag = etagOf(Buffer.from(document.body))
      server.get(wellKnownPath(document, publicUrl), (request, reply) => {
        reply.headers({ etag, 'cache-control': MAX_AGE, 'access-control-allow-origin': '*' })
        if (request.headers['if-none-match'] === etag) return reply.code(304).send()
        return reply.type('application/json; charset=utf-8').send(document.body)
      })
    }
  })
