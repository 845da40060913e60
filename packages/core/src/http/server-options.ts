import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { defineError } from '../kernel/errors.ts'

const invalidUrl = defineError('invalid_url', 400, 'The path of this URL cannot be decoded')
const urlTooLong = defineError('url_too_long', 414, 'A part of the path of this URL is too long')

/**
 * Options for a Fastify server that carries the service, for what a plugin cannot set: room for long DIDs in a path, and
 * the body of our errors also where a URL is refused before any route is found. `Fastify({ ...serverOptions })`
 */
export const serverOptions = {
  routerOptions: { maxParamLength: 1024 },
  frameworkErrors(error: FastifyError, _request: FastifyRequest, reply: FastifyReply) {
    const { code, status, message } = error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? urlTooLong() : invalidUrl()
    reply.code(status).header('cache-control', 'no-store').send({ error: { code, message } })
  },
}
