import { loggedUrl, serverOptions } from '@eep/core'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Logger, pino } from 'pino'
import type { Values } from './variables.ts'

/** Log lines are collected up to this many bytes, and at most this long, and then written together. */
const BUFFERED_BYTES = 32_768
const FLUSH_EVERY_MS = 200

const SECRET_HEADERS = [
  'authorization',
  'cookie',
  'set-cookie',
  'payment-signature',
  'sign-in-with-x',
  'payment-authorization',
  'x-api-key',
]

const loggedRequest = (request: FastifyRequest) => {
  const { method, host, ip, socket } = request
  return {
    method,
    url: loggedUrl(request),
    host,
    remoteAddress: ip,
    ...(socket.remotePort === undefined ? {} : { remotePort: socket.remotePort }),
  }
}

/** Where a host logs: JSON lines on standard error. */
export interface HostLogs {
  /** For everything that is not a request. */
  readonly logger: Logger
  /** Logs each request of a server in one line, when it is answered. */
  logRequests(server: FastifyInstance): void
  /** `frameworkErrors` of a server: answers URLs that cannot be decoded, and logs those requests too. */
  frameworkErrors(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void
}

/**
 * Writes logs outside of the requests: lines are collected and written asynchronously, and what is left is written when
 * the process exits and with each fatal line.
 */
export function createLogs({ LOG_LEVEL: level = 'info' }: Values): HostLogs {
  const destination = pino.destination({
    dest: process.stderr.fd,
    sync: false,
    minLength: BUFFERED_BYTES,
    maxWrite: 2 * BUFFERED_BYTES,
    periodicFlush: FLUSH_EVERY_MS,
  })
  const redact = SECRET_HEADERS.flatMap((name) => [`headers["${name}"]`, `*.headers["${name}"]`])
  const logger = pino({ level, redact, serializers: { req: loggedRequest } }, destination)
  // These lines hold no headers, so nothing in them has to be looked for and redacted.
  const requests = pino({ level }, destination)
  const logRequest = (request: FastifyRequest, reply: FastifyReply) =>
    requests.info(
      {
        reqId: request.id,
        req: loggedRequest(request),
        res: { statusCode: reply.statusCode },
        responseTime: reply.elapsedTime,
      },
      'request completed',
    )

  return {
    logger,
    logRequests(server) {
      server.addHook('onResponse', (request, reply, done) => {
        logRequest(request, reply)
        done()
      })
    },
    frameworkErrors(error, request, reply) {
      // No hook runs for these requests.
      reply.raw.once('close', () => logRequest(request, reply))
      serverOptions.frameworkErrors(error, request, reply)
    },
  }
}
