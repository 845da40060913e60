import { etagOf } from '../../../http/documents/public-document.ts'
import { forAnyServer, type ServerPlugin } from '../../../http/server-plugin.ts'
import type { MetadataDocument } from './metadata.ts'

/** How long metadata may be cached. */
export const MAX_AGE = 'public, max-age=3600'

/** The path at which clients look for a document: between the host and the path of the public URL (RFC 8414, 3.1). */
const wellKnownPath = ({ wellKnown, suffix }: MetadataDocument, publicUrl: string): string =>
  `/.well-known/${wellKnown}${new URL(publicUrl).pathname.replace(/\/$/, '')}${suffix}`

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
