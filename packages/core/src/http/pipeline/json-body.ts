import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { defineError } from '../../kernel/errors.ts'
import { hasIdempotencyKey } from '../idempotency/replay-responses.ts'
import { isSignedRequest } from './agent.ts'
import { assertStorableText } from './assert-storable-text.ts'
import { malformedJson, unsupportedMediaType } from './error-handler.ts'

export const nestedTooDeeply = defineError('nested_too_deeply', 400, 'The body is nested too deeply')

const MAX_DEPTH = 64

/** Escapes of NUL and surrogates. Decoded JSON text contains neither unescaped. */
const ESCAPED = /\\u(?:0000|d[89a-f])/i

/** Whether JSON is nested deeper than any valid body. Scans the text, before it is parsed. */
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
 * Parses bodies as JSON, or forms on routes that accept them, independently of the parsers of the host. An empty body
 * counts as none. Member names that would reach a prototype are rejected.
 */
export function readJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    // Decoding would replace the wrong bytes, and the changed text would be stored.
    if (!isUtf8(bytes)) return done(malformedJson(), undefined)
    const text = bytes.toString()
    if (isSignedRequest(request) || hasIdempotencyKey(request)) request.eep.sentBody = text
    if (text === '') return done(null, undefined)
    if (isTooDeep(text)) return done(nestedTooDeeply())
    if (!ESCAPED.test(text)) return parse(request, text, done)
    return parse(request, text, (error, body) => {
      if (error) return done(error, undefined)
      try {
        assertStorableText(body, 'body')
      } catch (refusal) {
        return done(refusal as Error, undefined)
      }
      done(null, body)
    })
  })
  // Routes that accept forms read the stream themselves. Elsewhere the type is not supported.
  app.addContentTypeParser('multipart/form-data', (request, body, done) => {
    if (request.routeOptions.config.eep?.form) done(null, body)
    else done(unsupportedMediaType())
  })
}
