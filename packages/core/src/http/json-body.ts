import type { FastifyInstance } from 'fastify'
import { defineError } from '../kernel/errors.ts'
import { isSignedRequest } from './agent.ts'
import { unsupportedMediaType } from './error-handler.ts'
import { hasIdempotencyKey } from './idempotency/keep-answers.ts'
import { requireStorable } from './storable.ts'

export const nestedTooDeeply = defineError('nested_too_deeply', 400, 'The body is nested too deeply')

const MAX_DEPTH = 64

/** Escapes of NUL and of surrogates. JSON holds neither without an escape once it is decoded. */
const ESCAPED = /\\u(?:0000|d[89a-f])/i

/** Whether JSON is nested deeper than any valid body; determined from the text, before it is parsed. */
function isTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (inString) {
      if (character === '\\') at += 1
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{' || character === '[') {
      depth += 1
      if (depth > MAX_DEPTH) return true
    } else if (character === '}' || character === ']') depth -= 1
  }
  return false
}

/**
 * Reads bodies as JSON, and forms where a route takes one, whatever the host reads; a body that is empty is none. Names that would reach
 * a prototype are refused.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (isSignedRequest(request) || hasIdempotencyKey(request)) request.eep.sentBody = text
    if (text === '') return done(null, undefined)
    if (isTooDeep(text)) return done(nestedTooDeeply())
    if (!ESCAPED.test(text)) return parse(request, text, done)
    return parse(request, text, (error, body) => {
      if (error) return done(error, undefined)
      try {
        requireStorable(body, 'body')
      } catch (refusal) {
        return done(refusal as Error, undefined)
      }
      done(null, body)
    })
  })
  // The route itself reads it; everywhere else it is as unknown as any other type.
  app.addContentTypeParser('multipart/form-data', (request, body, done) => {
    if (request.routeOptions.config.eep?.form) done(null, body)
    else done(unsupportedMediaType())
  })
}
