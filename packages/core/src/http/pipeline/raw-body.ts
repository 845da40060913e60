import type { FastifyInstance } from 'fastify'

/** Gives the routes of this scope the raw bytes of their body, to verify signatures. */
export function readRawBodies(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

/** Returns the raw body; empty when there was none. */
export const rawBodyOf = ({ body }: { readonly body: unknown }): Uint8Array =>
  Buffer.isBuffer(body) ? body : Buffer.alloc(0)

/** The maximum size of a webhook of a billing processor, in bytes. */
export const MAX_MESSAGE = 1_048_576
