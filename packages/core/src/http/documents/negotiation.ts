import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { z } from 'zod'
import { defineError } from '../../kernel/errors.ts'
import { memoized } from '../../kernel/memoized.ts'

export const invalidFormat = defineError('invalid_format', 400, 'format must be markdown, json or toon')

/** The media types of public documents and feeds. */
export const MEDIA_TYPES = {
  markdown: 'text/markdown; charset=utf-8',
  json: 'application/json; charset=utf-8',
  toon: 'text/toon; charset=utf-8',
  html: 'text/html; charset=utf-8',
  jsonFeed: 'application/feed+json; charset=utf-8',
  atom: 'application/atom+xml; charset=utf-8',
} as const

export type Format = keyof typeof MEDIA_TYPES

/** The formats for feed readers. */
export type FeedFormat = 'jsonFeed' | 'atom'

/** The formats that a URL can select. HTML is only selected by `Accept`. */
export type NamedFormat = Exclude<Format, 'html' | FeedFormat>

const NAMED: readonly NamedFormat[] = ['markdown', 'json', 'toon']

/** The formats that a suffix of a URL can select. */
export type SuffixFormat = Exclude<Format, 'html'>

const BARE_TYPES = Object.fromEntries(
  Object.entries(MEDIA_TYPES).map(([format, type]) => [format, type.replace(/;.*/, '')]),
)

/** Returns the media type of a format without its charset. */
export const mediaTypeOf = (format: Format): string => BARE_TYPES[format] ?? MEDIA_TYPES[format]

/** The formats that can be selected by name, without the charset. */
export const FORMATS = NAMED.map((format) => ({ format, mediaType: mediaTypeOf(format) }))

const BY_MEDIA_TYPE = new Map(
  (Object.keys(MEDIA_TYPES) as Format[]).map((format): [string, Format] => [mediaTypeOf(format), format]),
)

/** The `produces` of public documents, in order of preference. */
export const DOCUMENT_TYPES: readonly string[] = (['markdown', 'json', 'toon', 'html'] as const).map(mediaTypeOf)

/** The `produces` of feeds, in order of preference. */
export const FEED_TYPES: readonly string[] = [...DOCUMENT_TYPES, mediaTypeOf('jsonFeed'), mediaTypeOf('atom')]

const protocolLists = new Map<string, readonly string[]>()

/**
 * Returns the `produces` of documents of a protocol, which are JSON by default, and Markdown or TOON on request.
 * `jsonType` is the media type of the JSON. Default: `application/json`.
 */
export function protocolTypes(jsonType: string = mediaTypeOf('json')): readonly string[] {
  const list = protocolLists.get(jsonType)
  if (list) return list
  const types = [jsonType, mediaTypeOf('markdown'), mediaTypeOf('toon')]
  protocolLists.set(jsonType, types)
  return types
}

/** Returns the suffixes of a route's URLs and the formats they select; empty for routes without documents. */
export function suffixesOf(
  produces: readonly string[] | undefined,
): Readonly<Record<string, SuffixFormat>> | undefined {
  if (produces === DOCUMENT_TYPES) return { md: 'markdown', json: 'json', toon: 'toon' }
  // Feed readers expect a JSON Feed at `.json`.
  return produces === FEED_TYPES ? { md: 'markdown', json: 'jsonFeed', toon: 'toon', atom: 'atom' } : undefined
}

/** The OpenAPI document adds the default of each route. */
export const FORMAT_DESCRIPTION = 'Takes precedence over Accept'

/** The query of public documents. {@link formatOf} checks its value. */
export const formatQuery = z.object({
  format: z.string().meta({ enum: NAMED, description: FORMAT_DESCRIPTION }).optional(),
})

/** A quoted string, closed or not. It matches at every quote, so that matching takes linear time. */
const QUOTED = /"(?:[^"\\]|\\.?)*"?/g

/**
 * Removes the parameters of media ranges other than `q`. No representation has variants that differ by a parameter, so for
 * example `charset=utf-8` must not prevent a match.
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

/** Chooses among media types by an `Accept` header. Memoized, because clients send the same few headers. */
const chooser = (types: readonly string[]) =>
  memoized(
    (accept: string): string | undefined =>
      new Negotiator({ headers: { accept: withoutParameters(accept) } }).mediaTypes([...types])[0],
  )

const documentType = chooser(DOCUMENT_TYPES)
const feedType = chooser(FEED_TYPES)
/** Clients may ask for the JSON of a protocol under its own media type and as plain JSON. */
const protocolType = memoized((jsonType: string) =>
  chooser([...new Set([...protocolTypes(jsonType), mediaTypeOf('json')])]),
)
const errorType = chooser(['application/json', 'application/problem+json', ...DOCUMENT_TYPES])

const isNamed = (value: unknown): value is NamedFormat => (NAMED as readonly unknown[]).includes(value)

/** The query parameter `format`, in any case. */
function queryFormat({ query }: FastifyRequest): unknown {
  const { format } = (query ?? {}) as { readonly format?: unknown }
  return typeof format === 'string' ? format.toLowerCase() : format
}

/**
 * Chooses the representation: by the suffix of the URL, then by the query parameter `format`, then by `Accept` with its
 * q-values. If nothing matches: Markdown, or JSON for documents of a protocol, but never 406.
 *
 * @throws `invalid_format` for a `format` that does not exist
 */
export function formatOf(request: FastifyRequest): Format {
  const { accept } = request.headers
  const named = queryFormat(request)
  if (named !== undefined && !isNamed(named)) throw invalidFormat({ details: { allowed: NAMED } })
  const { suffix } = request.eep
  const byUrl = suffix ?? named
  if (byUrl) return byUrl
  const produces = request.routeOptions?.config.eep?.produces
  const [jsonType = ''] = produces ?? []
  const isProtocol = produces !== undefined && produces === protocolLists.get(jsonType)
  const byDefault = isProtocol ? 'json' : 'markdown'
  if (accept === undefined) return byDefault
  const choose = isProtocol ? protocolType(jsonType) : produces === FEED_TYPES ? feedType : documentType
  return BY_MEDIA_TYPE.get(choose(accept) ?? '') ?? byDefault
}

/** Whether a browser submits an HTML form. */
const sendsForm = ({ method, routeOptions }: FastifyRequest): boolean =>
  method === 'POST' && routeOptions?.config.eep?.produces?.every((type) => type === 'text/html') === true

/** Whether to answer errors with a page: a browser opens a URL that selects no format, or submits an HTML form. */
export function showsErrorsAsHtml(request: FastifyRequest): boolean {
  const { method, headers, eep, routeOptions } = request
  if ((method !== 'GET' && method !== 'HEAD' && !sendsForm(request)) || routeOptions?.config.eep?.problems) return false
  if (eep?.suffix !== undefined || queryFormat(request) !== undefined) return false
  return headers.accept !== undefined && errorType(headers.accept) === 'text/html'
}
