import { PassThrough, type Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify'
import { defineError } from '../../kernel/errors.ts'

export const bodyTimeout = defineError('body_timeout', 408, 'The request body did not arrive in time')

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Fastify ignores the bodies of these methods. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD'])

/** A stream that counts the bytes of a payload, as Fastify asks of `preParsing` hooks. */
class LimitedBody extends PassThrough {
  receivedEncodedLength = 0
}

/**
 * Returns a stream of the same bytes that fails with `body_timeout` when they have not all arrived in time, whatever arrives until
 * then.
 */
function limited(payload: Readable, reply: FastifyReply, timeoutMs: number): LimitedBody {
  const body = new LimitedBody()
  const timer = setTimeout(() => body.destroy(bodyTimeout()), timeoutMs).unref()
  const stop = () => clearTimeout(timer)
  // Fastify listens only while it reads: after 413, an error would end the process.
  body.on('error', () => {})
  payload.on('data', (chunk: Buffer) => {
    body.receivedEncodedLength += chunk.length
  })
  payload.once('end', stop)
  payload.once('error', (error) => body.destroy(error))
  payload.once('close', () => {
    stop()
    if (!payload.readableEnded) body.destroy()
  })
  // The client may still be sending, and a connection that is not read stalls.
  const drop = () => {
    stop()
    payload.unpipe(body)
    payload.resume()
  }
  body.once('close', drop)
  reply.raw.once('finish', drop)
  payload.pipe(body)
  return body
}

/**
 * Limits the time in which the whole body of a request must arrive. Forms are exempt, because uploads detect stalls themselves.
 */
export const limitBodyTime =
  (timeoutMs: number): preParsingHookHandler =>
  (request, reply, payload, done) => {
    const isExempt = WITHOUT_BODY.has(request.method) || request.routeOptions.config.eep?.form !== undefined
    if (isExempt || !hasBody(request) || request.raw.complete) done(null, payload)
    else done(null, limited(payload as Readable, reply, timeoutMs))
  }

/** Closes the connection of a request that was answered long before its body arrived. */
export function closeUnfinished(request: FastifyRequest, reply: FastifyReply, timeoutMs: number): void {
  const { raw } = request
  if (!hasBody(request) || raw.complete) return
  const timer = setInterval(() => {
    if (raw.complete || raw.destroyed) clearInterval(timer)
    else if (reply.raw.writableFinished) raw.destroy()
  }, timeoutMs)
  timer.unref()
  const stop = () => clearInterval(timer)
  raw.once('end', stop)
  raw.once('close', stop)
}
