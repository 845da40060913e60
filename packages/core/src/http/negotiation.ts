import type { FastifyInstance, FastifyRequest, onSendHookHandler } from 'fastify'
import Negotiator from 'negotiator'
import { z } from 'zod'
import { defineError } from '../kernel/errors.ts'
import { memoized } from '../kernel/memoized.ts'

export const invalidFormat = defineError('invalid_format', 400, 'format is one of markdown, json, toon')

/** The representations of a public document, in order of preference. */
export const MEDIA_TYPES = {
  markdown: 'text/markdown; charset=utf-8',
  json: 'application/json; charset=utf-8',
  toon: 'text/toon; charset=utf-8',
  html: 'text/html; charset=utf-8',
} as const

export type Format = keyof typeof MEDIA_TYPES

/** A representation that an address can ask for; HTML is for those whose `Accept` prefers it. */
export type NamedFormat = Exclude<Format, 'html'>

const NAMED: readonly NamedFormat[] = ['markdown', 'json', 'toon']

/** The suffixes of URLs, and the formats they select. */
export const SUFFIXES: Readonly<Record<string, NamedFormat>> = { md: 'markdown', json: 'json', toon: 'toon' }

const BARE_TYPES = Object.fromEntries(
  Object.entries(MEDIA_TYPES).map(([format, type]) => [format, type.replace(/;.*/, '')]),
)

/** The media type of a format without its character set. */
export const mediaTypeOf = (format: Format): string => BARE_TYPES[format] ?? MEDIA_TYPES[format]

/** The formats that can be asked for by name, without the character set. */
export const FORMATS = NAMED.map((format) => ({ format, mediaType: mediaTypeOf(format) }))

const BY_MEDIA_TYPE = new Map(
  (Object.keys(MEDIA_TYPES) as Format[]).map((format): [string, Format] => [mediaTypeOf(format), format]),
)

/** What the routes of public documents declare as `produces`. */
export const DOCUMENT_TYPES: readonly string[] = [...BY_MEDIA_TYPE.keys()]

/** The query of public documents; {@link formatOf} says which values there are. */
export const formatQuery = z.object({
  format: z.string().meta({ enum: NAMED, description: 'Wins over Accept; Markdown without either' }).optional(),
})

/** A quoted string, closed or not. It matches at every quote, so that the time is linear in the length of the header. */
const QUOTED = /"(?:[^"\\]|\\.?)*"?/g

/**
 * An `Accept` header without the parameters of its media ranges but `q`: no representation here has variants that differ
 * by a parameter, so `charset=utf-8` never makes a range unmatched.
 */
export function withoutParameters(accept: string): string {
  const ranges = accept.replaceAll(QUOTED, '').split(',')
  const rangeOf = (text: string) => {
    const [type = '', ...parameters] = text.split(';').map((part) => part.trim())
    const q = parameters.find((parameter) => /^q\s*=/i.test(parameter))
    return q === undefined ? type : `${type};${q.replaceAll(/\s/g, '').toLowerCase()}`
  }
  return ranges.map(rangeOf).join(',')
}

/** Chooses among media types by an `Accept` header. The same few headers come again and again, so each is parsed once. */
const chooser = (types: readonly string[]) =>
  memoized(
    (accept): string | undefined =>
      new Negotiator({ headers: { accept: withoutParameters(accept) } }).mediaTypes([...types])[0],
  )

const documentType = chooser(DOCUMENT_TYPES)
const errorType = chooser(['application/json', 'application/problem+json', ...DOCUMENT_TYPES])

const isNamed = (value: unknown): value is NamedFormat => (NAMED as readonly unknown[]).includes(value)

const queryFormat = ({ query }: FastifyRequest): unknown => (query as { readonly format?: unknown } | undefined)?.format

/**
 * Chooses the representation: the suffix of the address wins over the query `format`, and that over `Accept`, whose
 * q-values count; nothing that fits is Markdown, never 406.
 *
 * @throws `invalid_format` for a `format` that does not exist
 */
export function formatOf(request: FastifyRequest): Format {
  const { accept } = request.headers
  const named = queryFormat(request)
  if (named !== undefined && !isNamed(named)) throw invalidFormat({ details: { allowed: NAMED } })
  const { suffix } = request.eep
  if (suffix ?? named) return suffix ?? named ?? 'markdown'
  return (accept !== undefined && BY_MEDIA_TYPE.get(documentType(accept) ?? '')) || 'markdown'
}

/** Whether an error is shown to a person: a browser opens an address and asks for no format by name. */
export function showsErrorsAsHtml(request: FastifyRequest): boolean {
  const { method, headers, eep, routeOptions } = request
  if ((method !== 'GET' && method !== 'HEAD') || routeOptions?.config.eep?.problems) return false
  if (eep?.suffix !== undefined || queryFormat(request) !== undefined) return false
  return headers.accept !== undefined && errorType(headers.accept) === 'text/html'
}

/** Spares answers to clients that take no compressed ones the hook of @fastify/compress, which would find that out last. */
export function compressOnRequest(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if ((route as { readonly compress?: false }).compress === false) return
    const hooks = [route.onSend ?? []].flat()
    // @fastify/compress adds its hook after all others.
    const compress = hooks.pop() as onSendHookHandler
    route.onSend = [
      ...hooks,
      function (request, reply, payload, done) {
        if (request.headers['accept-encoding'] === undefined) done(null, payload)
        else compress.call(this, request, reply, payload, done)
      },
    ]
  })
}
