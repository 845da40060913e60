import type { FastifyReply, FastifyRequest } from 'fastify'
import { MEDIA_TYPES } from './negotiation.ts'
import { etagOf, isKnownToClient } from './public-document.ts'

/** The current response in one format. */
export interface TaggedAnswer {
  /** Text and bytes as they are; anything else as JSON. */
  readonly body: unknown
  /** Of the same bytes before they were encoded, when they are. */
  readonly etag?: string | undefined
  /** Default: JSON. */
  readonly type?: string | undefined
  readonly cacheControl: string
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** False for what was just paid for: it is sent whole. */
  readonly conditional?: boolean | undefined
}

// Responses that are sent often are stored as bytes, with their validator.
const etags = new WeakMap<Buffer, string>()

function keptEtag(bytes: Buffer): string {
  const known = etags.get(bytes)
  if (known !== undefined) return known
  const made = etagOf(bytes)
  etags.set(bytes, made)
  return made
}

/** Answers with an `ETag`, or 304 when the client has it. For several formats, use a document. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, answer: TaggedAnswer): FastifyReply {
  const { body, cacheControl, headers = {}, type = 'application/json; charset=utf-8', conditional = true } = answer
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const etag = answer.etag ?? keptEtag(bytes)
  const isKnown = conditional && isKnownToClient(request, etag)
  reply.headers({ ...headers, etag, 'cache-control': cacheControl })
  return isKnown ? reply.code(304).send() : reply.type(type).send(bytes)
}

/** Answers with JSON that is serialized already. */
export const sendJson = (reply: FastifyReply, body: Buffer | string): FastifyReply =>
  reply.type(MEDIA_TYPES.json).send(body)
