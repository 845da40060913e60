import type { FastifyInstance } from 'fastify'

/**
 * Reads bodies as JSON and nothing else, whatever the host reads; a body that is empty is none. Names that would reach
 * a prototype are refused.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) =>
    text === '' ? done(null, undefined) : parse(request, text, done),
  )
}
