import type { FastifyReply, FastifyRequest } from 'fastify'
import { sha256 } from '../kernel/digest.ts'
import { matchesEtag } from './document.ts'

export interface FixedAnswerOptions {
  readonly cacheControl: string
  /** JSON unless told. */
  readonly type?: string | undefined
}

/** Answers with JSON that stays the same while the service runs; `make` is called once, at the first request. */
export function fixedAnswer(make: () => unknown, { cacheControl, type }: FixedAnswerOptions) {
  let made: { readonly body: Buffer; readonly etag: string } | undefined
  const build = () => {
    const body = Buffer.from(JSON.stringify(make()))
    return { body, etag: `"${sha256(body, 'base64url').slice(0, 22)}"` }
  }
  return async (request: FastifyRequest, reply: FastifyReply) => {
    made ??= build()
    reply.header('etag', made.etag).header('cache-control', cacheControl)
    const known = request.headers['if-none-match']
    if (known !== undefined && matchesEtag(known, made.etag)) return reply.code(304).send()
    return reply.type(type ?? 'application/json; charset=utf-8').send(made.body)
  }
}
