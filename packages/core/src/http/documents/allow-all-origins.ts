import type { FastifyReply } from 'fastify'

/** Lets pages of every origin read a response, with and without `Origin`: a shared cache must not keep a copy without the header. */
export function allowAllOrigins(reply: FastifyReply): void {
  if (!reply.hasHeader('access-control-allow-origin')) reply.header('access-control-allow-origin', '*')
}
