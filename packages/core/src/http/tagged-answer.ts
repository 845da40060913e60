import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, matchesEtag } from './document.ts'

/** An answer in one format, as it stands at this moment. */
export interface TaggedAnswer {
  /** Text as it is; anything else as JSON. */
  readonly body: unknown
  /** JSON unless told. */
  readonly type?: string | undefined
  readonly cacheControl: string
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Answers with an `ETag`, or 304 when the client has it. What has more than one format is a document instead. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, answer: TaggedAnswer): FastifyReply {
  const { body, cacheControl, headers = {}, type = 'application/json; charset=utf-8' } = answer
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const etag = etagOf(bytes)
  reply.headers({ ...headers, etag, 'cache-control': cacheControl })
  const known = request.headers['if-none-match']
  if (known !== undefined && matchesEtag(known, etag)) return reply.code(304).send()
  return reply.type(type).send(bytes)
}
