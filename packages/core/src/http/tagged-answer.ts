import type { FastifyReply, FastifyRequest } from 'fastify'
import { MEDIA_TYPES } from './negotiation.ts'
import { etagOf, isKnownToClient } from './public-document.ts'

/** A response in one format. */
export interface TaggedAnswer {
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

// Caches the ETag of bytes that are sent repeatedly.
const etags = new WeakMap<Buffer, string>()

function keptEtag(bytes: Buffer): string {
  const known = etags.get(bytes)
  if (known !== undefined) return known
  const made = etagOf(bytes)
  etags.set(bytes, made)
  return made
}

/** Sends a response with an `ETag`, or 304 when the client has it. For several formats use `sendDocument`. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, answer: TaggedAnswer): FastifyReply {
  const { body, cacheControl, headers = {}, type = 'application/json; charset=utf-8', conditional = true } = answer
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const etag = answer.etag ?? keptEtag(bytes)
  const isKnown = conditional && isKnownToClient(request, etag)
  reply.headers({ ...headers, etag, 'cache-control': cacheControl })
  return isKnown ? reply.code(304).send() : reply.type(type).send(bytes)
}

/** Sends JSON that is serialized already. */
export const sendJson = (reply: FastifyReply, body: Buffer | string): FastifyReply =>
  reply.type(MEDIA_TYPES.json).send(body)
