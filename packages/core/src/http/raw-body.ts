import type { FastifyInstance } from 'fastify'

/** Lets routes of this scope read their body as it came: signatures are over bytes. */
export function readRawBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

/** The body of such a route; no bytes when there was none. */
export const rawBodyOf = ({ body }: { readonly body: unknown }): Uint8Array =>
  Buffer.isBuffer(body) ? body : Buffer.alloc(0)

/** How long a message of a processor may be. */
export const MAX_MESSAGE = 1_048_576
