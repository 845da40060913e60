import { encode } from '@toon-format/toon'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sha256 } from '../kernel/digest.ts'
import { defineError } from '../kernel/errors.ts'
import { ifMatchHolds } from '../kernel/if-match.ts'
import type { JsonObject } from '../kernel/json.ts'
import { ENCODERS, type Encoding, encodingFor, varyOf } from './encodings.ts'
import { htmlHeaders, type Page, writePage } from './html/page.ts'
import { type HtmlView, hrefOn, type Site } from './html/view.ts'
import type { KeptAnswer } from './kept-answers.ts'
import { type Link, linkHeader, offeredLinks } from './links.ts'
import {
  type FeedFormat,
  FORMATS,
  type Format,
  formatOf,
  MEDIA_TYPES,
  mediaTypeOf,
  type NamedFormat,
  type SuffixFormat,
} from './negotiation.ts'

/**
 * A public document with the representations Markdown, JSON, TOON and HTML. Rendered representations are cached as long as
 * the object lives.
 */
export interface PublicDocument {
  /** The tree that JSON and TOON carry. */
  readonly data: JsonObject
  /** The same for reading, made when first asked for. */
  readonly markdown: () => string
  /** The HTML. Default: rendered from the Markdown. */
  readonly html?: ((site: Site) => HtmlView) | undefined
  /** For feed readers. A route whose `produces` are `FEED_TYPES` has it. */
  readonly feed?: DocumentFeed | undefined
  /** The path, without a suffix, of a feed that belongs to it. Its page names that feed to feed readers. */
  readonly feedPath?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly links?: readonly Link[] | undefined
  /** `public, max-age=60`, or `private` for what not everybody may read. */
  readonly cacheControl: string
}

/** A feed as feed readers take it, and its path without a suffix. */
export interface DocumentFeed extends Readonly<Record<FeedFormat, () => string>> {
  readonly path: string
}

const VARY = 'Accept'
const RESTRICTED_VARY = 'Accept, Authorization, Cookie, X-API-Key, X-EEP-Payer-Wallet'

/** The bytes of one representation and the headers that always go with them. */
interface Representation {
  readonly body: Buffer
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
  /** What a 304 repeats: not the headers that describe the bytes. */
  readonly validators: Readonly<Record<string, string>>
  /** The bytes as they were compressed for those who asked first. */
  readonly encoded: Partial<Record<Encoding, Buffer>>
}

const WRITERS: Readonly<Record<SuffixFormat, (document: PublicDocument) => string>> = {
  json: ({ data }) => JSON.stringify(data),
  toon: ({ data }) => encode(data),
  markdown: ({ markdown }) => markdown(),
  jsonFeed: (document) => feedOf(document).jsonFeed(),
  atom: (document) => feedOf(document).atom(),
}

function feedOf({ feed }: PublicDocument): DocumentFeed {
  if (!feed) throw new TypeError('A document of a route for feeds has no feed')
  return feed
}

const FRONT_MATTER = /^---\n[\s\S]*?\n---\n/
const NAMES: Readonly<Record<NamedFormat, string>> = { markdown: 'Markdown', json: 'JSON', toon: 'TOON' }

// The address that is shown with another query: a page of a list has no canonical URL.
const ALTERNATES = FORMATS.map(({ format, mediaType }) => ({
  name: NAMES[format],
  type: mediaType,
  href: `?format=${format}`,
}))

const FEED_ALTERNATES = [
  { name: 'JSON Feed', type: mediaTypeOf('jsonFeed'), suffix: '.json' },
  { name: 'Atom', type: mediaTypeOf('atom'), suffix: '.atom' },
]

/** The page of a document. */
function writeHtml(document: PublicDocument, site: Site): Promise<Page> {
  const { html, markdown, feed, feedPath, links = [] } = document
  const feedsAt = (path: string | undefined) =>
    FEED_ALTERNATES.flatMap(({ suffix, ...alternate }) =>
      path === undefined ? [] : [{ ...alternate, href: hrefOn(site, `${path}${suffix}`) }],
    )
  const linked = (rel: string) => links.find((link) => link.rel === rel)?.href
  const view = html?.(site) ?? { markdown: markdown().replace(FRONT_MATTER, ''), sections: true }
  return writePage(view, site, {
    canonical: linked('canonical'),
    alternates: [...ALTERNATES, ...feedsAt(feed?.path)],
    feeds: feedsAt(feedPath),
    next: linked('next'),
  })
}

type Made = Representation | Promise<Representation>
const representations = new WeakMap<PublicDocument, Map<string, Made>>()

function finish(document: PublicDocument, format: Format, site: Site, text: string): Representation {
  const body = Buffer.from(text)
  const etag = etagOf(body)
  const validators = {
    ...document.headers,
    ...(document.links ? { link: linkHeader(offeredLinks(document.links, site), site.basePath) } : {}),
    'cache-control': document.cacheControl,
    vary: varyOf(VARY, body),
    etag,
  }
  const forPeople = format === 'html' ? htmlHeaders(site) : {}
  const headers = { ...validators, ...forPeople, 'content-type': MEDIA_TYPES[format] }
  return { body, etag, validators, headers, encoded: {} }
}

function represent(document: PublicDocument, format: Format, site: Site): Made {
  const ofDocument = representations.get(document) ?? new Map<string, Made>()
  representations.set(document, ofDocument)
  const key = `${format} ${site.basePath}`
  const known = ofDocument.get(key)
  if (known) return known

  const made =
    format === 'html'
      ? writeHtml(document, site).then(({ markup, isFinal }) => {
          if (!isFinal) ofDocument.delete(key)
          return finish(document, format, site, markup)
        })
      : finish(document, format, site, WRITERS[format](document))
  ofDocument.set(key, made)
  return made
}

/** The strong validator of these bytes. */
export const etagOf = (bytes: Uint8Array): string => `"${sha256(bytes, 'base64url').slice(0, 22)}"`

/** Whether one of the listed validators is this one; the comparison is weak (RFC 9110, 13.1.2). */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}

export const representationChanged = defineError(
  'representation_changed',
  412,
  'The representation does not match If-Match',
)

/**
 * Evaluates `If-Match` and `If-None-Match` of a read, in this order (RFC 9110, 13.2.2). Returns whether the client has
 * the representation already, so that the answer is 304.
 *
 * @throws `representation_changed` (412) when `If-Match` does not name it
 */
export function isKnownToClient({ headers }: FastifyRequest, etag: string): boolean {
  if (!ifMatchHolds(headers['if-match'], etag)) throw representationChanged()
  const known = headers['if-none-match']
  return known !== undefined && matchesEtag(known, etag)
}

/** What a document that everyone may read is made of, and when it becomes stale by itself. */
export type SharedDocument = Pick<KeptAnswer, 'dependsOn' | 'until'>

export interface SendOptions {
  /** The answer to everyone who shows nothing. Without it, each request asks the route. */
  readonly shared?: SharedDocument | undefined
  /** False for content that was just paid for: it is sent whole. */
  readonly conditional?: boolean | undefined
  /** Not everybody may read it: no shared cache keeps it, and it varies with the payer. */
  readonly restricted?: boolean | undefined
}

/**
 * Answers with a document in the format the client prefers, or 304 when the client has it. Returns a promise only while the
 * document is being written.
 */
export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  document: PublicDocument,
  options: SendOptions = {},
): FastifyReply | Promise<FastifyReply> {
  const made = represent(document, formatOf(request), request.eep.site)
  if (made instanceof Promise) {
    return made.then((representation) => sendRepresentation(request, reply, representation, options))
  }
  const { shared, conditional = true, restricted = false } = options
  // Larger ones fill the memory, and take longer to send than to find.
  if (shared && conditional && !restricted && made.body.length <= MAX_KEPT_BYTES) {
    request.eep.keep?.({ ...shared, send: (again, answer) => sendRepresentation(again, answer, made, {}) })
  }
  return sendRepresentation(request, reply, made, options)
}

const MAX_KEPT_BYTES = 65_536

function sendRepresentation(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag, headers, validators, encoded }: Representation,
  { conditional = true, restricted = false }: SendOptions,
): FastifyReply {
  const isKnown = conditional && isKnownToClient(request, etag)
  reply.headers(isKnown ? validators : headers)
  if (restricted) reply.headers({ 'cache-control': 'private, no-cache', vary: varyOf(RESTRICTED_VARY, body) })
  if (isKnown) return reply.code(304).send()
  const accepts = request.headers['accept-encoding'] !== undefined
  const encoding = accepts && request.eep.compresses ? encodingFor(request, body) : undefined
  if (encoding === undefined) return reply.send(body)
  const bytes = encoded[encoding] ?? ENCODERS[encoding](body)
  encoded[encoding] = bytes
  return reply.header('content-encoding', encoding).send(bytes)
}
