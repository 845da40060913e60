import type { FastifyReply, FastifyRequest } from 'fastify'
import { defineError } from '../../kernel/errors.ts'

export const bodyTimeout = defineError('body_timeout', 408, 'The request body did not arrive in time')

const hasBody = ({ headers }: FastifyRequest) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/**
 * Limits the time in which a request body must arrive. A request that is still being read gets 408
 * `body_timeout`; one that was already answered has its connection closed. Forms are exempt while they are being read,
 * because uploads detect stalls themselves.
 */
export function limitBodyTime(request: FastifyRequest, reply: FastifyReply, timeoutMs: number): void {
  const { raw } = request
  if (!hasBody(request) || raw.complete) return
  const { routeOptions } = request
  const timer = setInterval(() => {
    if (raw.complete || raw.destroyed) clearInterval(timer)
    else if (reply.raw.writableFinished) raw.destroy()
    else if (reply.raw.headersSent || routeOptions.config.eep?.form) return
    // Fastify listens for errors while it reads a body, and passes them on to the error handler.
    else if (raw.listenerCount('error') > 0) raw.emit('error', bodyTimeout())
  }, timeoutMs)
  timer.unref()
  const stop = () => clearInterval(timer)
  raw.once('end', stop)
  raw.once('close', stop)
}
