import { encode } from '@toon-format/toon'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sha256 } from '../../kernel/digest.ts'
import { ifMatchHolds, matchesEtag } from '../../kernel/entity-tags.ts'
import { defineError } from '../../kernel/errors.ts'
import type { JsonObject } from '../../kernel/json.ts'
import { keepLanguage } from '../html/chosen-language.ts'
import { type Html, html } from '../html/html.ts'
import { type Page, writePage } from '../html/page.ts'
import { type ActionSubject, loadActionStates } from '../html/page-actions.ts'
import { type HtmlView, headOf, hrefOn, type Site } from '../html/view.ts'
import { siteOfViewer, type Viewer } from '../html/viewer.ts'
import { ENCODERS, type Encoding, encodingFor, MIN_COMPRESSED_BYTES } from './encodings.ts'
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
import type { CachedResponse } from './response-cache.ts'

/**
 * A public document with Markdown, JSON, TOON and HTML representations. They are cached as long as the object, so that a document never
 * changes and has nothing of a caller.
 */
export interface PublicDocument {
  /** The data of JSON and TOON. */
  readonly data: JsonObject
  /** Returns the Markdown. Called once, on first use. */
  readonly markdown: () => string
  /** The HTML. Default: rendered from the Markdown. */
  readonly html?: ((site: Site) => HtmlView) | undefined
  /** The formats for feed readers. Required on routes whose `produces` is `FEED_TYPES`. */
  readonly feed?: DocumentFeed | undefined
  /** The path, without a suffix, of the document's feed. The HTML page links to it. */
  readonly feedPath?: string | undefined
  /** The query that selects the document; the HTML page repeats it in links to the other formats. Default: none. */
  readonly query?: string | undefined
  /** Whether the document is useful only as an HTML page, which then links to no other formats. Default: false. */
  readonly isPageOnly?: boolean | undefined
  /** What the buttons of its HTML page are about. Default: it has none. */
  readonly subjects?: readonly ActionSubject[] | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly links?: readonly Link[] | undefined
  /** The request headers besides `Accept` that it depends on. Default: none. */
  readonly vary?: string | undefined
  /** `public, max-age=60`, or `private` for restricted documents. */
  readonly cacheControl: string
}

/** The feed formats of a document, and the path of the feed without a suffix. */
export interface DocumentFeed extends Readonly<Record<FeedFormat, () => string>> {
  readonly path: string
}

const VARY = 'Accept'
/** The headers by which audiences of readers differ. */
export const VARIES_BY_READER = 'Signature-Agent, Sec-Fetch-Mode'
const RESTRICTED_VARY = 'Accept, Authorization, Cookie, X-API-Key, X-EEP-Payer-Wallet'

/** What `Vary` names besides where the decision of a gate depends on the reader: a list that begins with a comma, or nothing. */
export const varyOfReader = ({ eep }: FastifyRequest): string => (eep.variesByReader ? `, ${VARIES_BY_READER}` : '')

/** The bytes of one representation, and what describes them. */
interface Representation {
  readonly body: Buffer
  readonly etag: string
  /** The links of the document that the listener serves. */
  readonly links: string | undefined
  /** What browsers must know about the bytes of a page: the scripts in it, for example. */
  readonly policies: Page['headers'] | undefined
  /** Compressed bytes, cached on first use. */
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
  if (!feed) throw new TypeError('A route with feeds returned a document without a feed')
  return feed
}

const FRONT_MATTER = /^---\n[\s\S]*?\n---\n/
const NAMES: Readonly<Record<NamedFormat, string>> = { markdown: 'Markdown', json: 'JSON', toon: 'TOON' }

// Pages of a list have no canonical URL, because the query selects them.
const alternatesOf = ({ query, isPageOnly }: PublicDocument) =>
  isPageOnly
    ? []
    : FORMATS.map(({ format, mediaType }) => ({
        name: NAMES[format],
        type: mediaType,
        href: `?${query ? `${query}&` : ''}format=${format}`,
      }))

const FEED_ALTERNATES = [
  { name: 'JSON Feed', type: mediaTypeOf('jsonFeed'), suffix: '.json' },
  { name: 'Atom', type: mediaTypeOf('atom'), suffix: '.atom' },
]

/** Writes the HTML page of a document. */
function writeHtml(document: PublicDocument, site: Site, notice?: Html): Promise<Page> {
  const { html: viewOf, markdown, feed, feedPath, links = [] } = document
  const feedsAt = (path: string | undefined) =>
    FEED_ALTERNATES.flatMap(({ suffix, ...alternate }) =>
      path === undefined ? [] : [{ ...alternate, href: hrefOn(site, `${path}${suffix}`) }],
    )
  const linked = (rel: string) => links.find((link) => link.rel === rel)?.href
  // Only documents about the service, which are in English, have no `html`.
  const view = viewOf?.(site) ?? { markdown: markdown().replace(FRONT_MATTER, ''), textLanguage: 'en', sections: true }
  return writePage(notice ? { ...view, head: (id) => html`${notice}${headOf(view, id)}` } : view, site, {
    canonical: linked('canonical'),
    alternates: [...alternatesOf(document), ...feedsAt(feed?.path)],
    feeds: feedsAt(feedPath),
    next: linked('next'),
    query: document.query ?? '',
  })
}

/**
 * Returns the `Vary` of a representation, with `accept-encoding` if its bytes are long enough to be compressed. It is the
 * same for compressed and uncompressed responses and for 304, so that caches select between them. It is lower case, so that
 * the @fastify/compress of a host finds it and does not add it again.
 */
const varyOf = (vary: string, { length }: Buffer): string =>
  length < MIN_COMPRESSED_BYTES ? vary : `${vary}, accept-encoding`

type Made = Representation | Promise<Representation>

function finish(document: PublicDocument, site: Site, text: string, policies?: Page['headers']): Representation {
  const body = Buffer.from(text)
  const links = document.links && linkHeader(offeredLinks(document.links, site), site.basePath)
  return { body, etag: etagOf(body), links, policies, encoded: {} }
}

function represent(document: PublicDocument, format: Format, { site, representations }: FastifyRequest['eep']): Made {
  const variant = format === 'html' ? `html ${site.language}` : format
  return representations.get(document, variant, (): Made => {
    if (format !== 'html') return finish(document, site, WRITERS[format](document))
    return writeHtml(document, site).then(({ markup, headers, isFinal }) => {
      if (!isFinal) representations.forget(document, variant)
      return finish(document, site, markup, headers)
    })
  })
}

/** Returns the strong ETag of these bytes. */
export const etagOf = (bytes: Uint8Array): string => `"${sha256(bytes, 'base64url').slice(0, 22)}"`

export const representationChanged = defineError(
  'representation_changed',
  412,
  'The representation does not match If-Match',
)

/**
 * Evaluates `If-Match` and `If-None-Match` of a read, in this order (RFC 9110, 13.2.2). Returns whether to respond with 304,
 * because the client has the representation already.
 *
 * @throws `representation_changed` (412) when `If-Match` does not name it
 */
export function isKnownToClient({ headers }: FastifyRequest, etag: string): boolean {
  if (!ifMatchHolds(headers['if-match'], etag)) throw representationChanged()
  const known = headers['if-none-match']
  return known !== undefined && matchesEtag(known, etag)
}

/** The profile and account that a public response depends on, when it expires, and how it is counted. */
export type SharedDocument = Pick<CachedResponse, 'dependsOn' | 'until' | 'visit'>

export interface SendOptions {
  /**
   * Caches the response for anonymous requests; a restricted one only for the readers that the gate opens it for by their audience.
   * Default: every request reaches the route.
   */
  readonly shared?: SharedDocument | undefined
  /** Set it to `false` for content that was just paid for, so that the response is never a 304. */
  readonly conditional?: boolean | undefined
  /** Set it for documents that not everyone may read: shared caches must not store them, and they vary by payer. */
  readonly restricted?: boolean | undefined
  /** Returns the patterns that the viewer of an HTML page holds at the profile of the document. Default: none are shown. */
  readonly held?: (() => Promise<Viewer['held']>) | undefined
}

/**
 * Sends a document in the format that the client prefers, or 304. Returns a promise only while the document is being
 * rendered.
 */
export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  document: PublicDocument,
  options: SendOptions = {},
): FastifyReply | Promise<FastifyReply> {
  const format = formatOf(request)
  const { notice, site } = request.eep
  if (format === 'html' && (notice || site.viewer)) return sendOwnPage(request, reply, document, options)
  const made = represent(document, format, request.eep)
  if (made instanceof Promise) {
    return made.then((representation) =>
      sendRepresentation(request, reply, { document, format, representation }, options),
    )
  }
  const chosen: Chosen = { document, format, representation: made }
  const { shared, conditional = true, restricted = false } = options
  // Larger responses use too much memory, and sending them takes longer than finding them.
  const isShared = !restricted || request.eep.readerVariant !== undefined
  if (shared && conditional && isShared && made.body.length <= MAX_CACHED_BYTES) {
    const send: CachedResponse['send'] = (again, answer) => sendRepresentation(again, answer, chosen, { restricted })
    request.eep.cacheResponse?.({ ...shared, send })
  }
  return sendRepresentation(request, reply, chosen, options)
}

const MAX_CACHED_BYTES = 65_536

/** Returns the site for the page of a viewer, with what its buttons and prices show of the viewer. */
async function siteFor(
  request: FastifyRequest,
  reply: FastifyReply,
  { subjects = [] }: PublicDocument,
  { held }: SendOptions,
): Promise<Site> {
  const site = await siteOfViewer(request, reply)
  const { viewer } = site
  if (!viewer) return site
  const onError = (err: unknown) => request.log.error({ err }, 'the buttons of a page were written without their state')
  const states = await loadActionStates(site, subjects, viewer.caller, onError)
  return { ...site, viewer: { ...viewer, states, held: await held?.() } }
}

/** Sends the HTML page of a document to one visitor: with its menu and buttons, or with a notice. It is never cached, and has no ETag. */
async function sendOwnPage(
  request: FastifyRequest,
  reply: FastifyReply,
  document: PublicDocument,
  options: SendOptions,
): Promise<FastifyReply> {
  const site = await siteFor(request, reply, document, options)
  const { markup, headers } = await writeHtml(document, site, request.eep.notice)
  const others = document.vary === undefined ? '' : `, ${document.vary}`
  const vary = `${RESTRICTED_VARY}, Accept-Language${others}${varyOfReader(request)}`
  keepLanguage(request, reply)
  const own = { ...headers, 'cache-control': 'private, no-store', vary, 'content-type': MEDIA_TYPES.html }
  return reply.headers({ ...document.headers, ...own }).send(markup)
}

/** A representation of a document in a format. */
interface Chosen {
  readonly document: PublicDocument
  readonly format: Format
  readonly representation: Representation
}

/** Adds the links of a document to those that its gate set. */
function addLinks(reply: FastifyReply, links: string): void {
  const before = reply.getHeader('link')
  reply.header('link', before === undefined ? links : `${links}, ${String(before)}`)
}

function sendRepresentation(
  request: FastifyRequest,
  reply: FastifyReply,
  { document, format, representation }: Chosen,
  { conditional = true, restricted = false }: SendOptions,
): FastifyReply {
  const { body, etag, links, policies, encoded } = representation
  if (format === 'html') keepLanguage(request, reply)
  const isKnown = conditional && isKnownToClient(request, etag)
  const others = document.vary === undefined ? '' : `, ${document.vary}`
  // A browser that signs in must not show the page of before.
  const ofPage = restricted || others.includes('Cookie') ? ', Accept-Language' : ', Accept-Language, Cookie'
  const vary =
    (restricted ? RESTRICTED_VARY : VARY) + (format === 'html' ? ofPage : '') + others + varyOfReader(request)
  if (document.headers) reply.headers(document.headers)
  if (links !== undefined) addLinks(reply, links)
  reply
    .header('cache-control', restricted ? 'private, no-cache' : document.cacheControl)
    .header('vary', varyOf(vary, body))
    .header('etag', etag)
  if (isKnown) return reply.code(304).send()
  if (policies) reply.headers(policies)
  reply.header('content-type', MEDIA_TYPES[format])
  const accepts = request.headers['accept-encoding'] !== undefined
  const encoding = accepts && request.eep.compresses ? encodingFor(request, body) : undefined
  if (encoding === undefined) return reply.send(body)
  const bytes = encoded[encoding] ?? ENCODERS[encoding](body)
  encoded[encoding] = bytes
  return reply.header('content-encoding', encoding).send(bytes)
}
