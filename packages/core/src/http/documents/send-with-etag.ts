import { encode } from '@toon-format/toon'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { documentOf, fenced } from '../../kernel/markdown.ts'
import { isCompressible, varyByEncoding } from './compress.ts'
import { formatOf, MEDIA_TYPES } from './negotiation.ts'
import { etagOf, isKnownToClient } from './public-document.ts'

/** A response in one format. */
export interface TaggedResponse {
  /** Strings and bytes are sent unchanged; anything else is sent as JSON. */
  readonly body: unknown
  /** The ETag, for encoded bodies that of the unencoded bytes. Default: derived from the body. */
  readonly etag?: string | undefined
  /** Default: JSON. */
  readonly type?: string | undefined
  readonly cacheControl: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Set it to `false` for content that was just paid for, so that the response is never a 304. */
  readonly conditional?: boolean | undefined
}

/** Sends a response with an `ETag`, or 304 when the client has it. For several formats use `sendDocument`. */
export function sendWithEtag(request: FastifyRequest, reply: FastifyReply, answer: TaggedResponse): FastifyReply {
  const { body, cacheControl, headers = {}, type = 'application/json; charset=utf-8', conditional = true } = answer
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const etag = answer.etag ?? request.eep.representations.get(bytes, 'etag', () => etagOf(bytes))
  const isKnown = conditional && isKnownToClient(request, etag)
  reply.headers({ ...headers, etag, 'cache-control': cacheControl })
  if (isCompressible(type, bytes.length)) varyByEncoding(reply)
  return isKnown ? reply.code(304).send() : reply.type(type).send(bytes)
}

/** A document of a protocol. */
export interface ProtocolResponse extends TaggedResponse {
  /** The JSON value, or its text or bytes. The same object must always have the same value: its other formats are cached on it. */
  readonly body: object | string
  /** The heading of the Markdown. */
  readonly title: string
}

function writeAs(format: 'markdown' | 'toon', body: object | string, title: string): Buffer {
  const value: unknown = typeof body === 'string' || Buffer.isBuffer(body) ? JSON.parse(String(body)) : body
  const text =
    format === 'toon' ? encode(value) : documentOf(`# ${title}`, fenced(JSON.stringify(value, undefined, 2), 'json'))
  return Buffer.from(text)
}

/**
 * Sends a document of a protocol: as JSON, or as Markdown or TOON when the request selects it. Its route declares
 * {@link protocolTypes} as `produces` and `formatQuery` as its query.
 */
export function sendProtocolDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { title, ...answer }: ProtocolResponse,
): FastifyReply {
  const format = formatOf(request)
  const vary = answer.headers?.vary
  const headers = { ...answer.headers, vary: vary === undefined ? 'Accept' : `Accept, ${vary}` }
  if (format !== 'markdown' && format !== 'toon') return sendWithEtag(request, reply, { ...answer, headers })
  const value = answer.body
  const write = () => writeAs(format, value, title)
  // A text is a new value each time.
  const body = typeof value === 'object' ? request.eep.representations.get(value, format, write) : write()
  return sendWithEtag(request, reply, { ...answer, body, headers, etag: undefined, type: MEDIA_TYPES[format] })
}

/** Sends JSON that is serialized already. */
export const sendJson = (reply: FastifyReply, body: Buffer | string): FastifyReply =>
  reply.type(MEDIA_TYPES.json).send(body)
