import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { defineError, type EepError, isEepError } from '../kernel/errors.ts'
import { bodyTimeout } from './body-timeout.ts'
import { listenerStateOf } from './listener-state.ts'
import { EEP_VERSION } from './version.ts'

const invalidUrl = defineError('invalid_url', 400, 'The path of this URL cannot be decoded')
const urlTooLong = defineError('url_too_long', 414, 'A part of the path of this URL is too long')
const malformedRequest = defineError('malformed_request', 400, 'The request is not valid HTTP')
const headersTooLarge = defineError('headers_too_large', 431, 'The request headers are too large')

/** The longest path parameter, in characters: room for the DIDs of long host names. */
const MAX_PARAM_LENGTH = 1024

/**
 * Checks that the router of a server accepts every DID of the service as a path parameter.
 *
 * @throws Error when the limit of the router is lower, with what to set
 */
export function requireRoomForDids(app: FastifyInstance, longestDid: number): void {
  const { routerOptions, maxParamLength = 100 } = app.initialConfig
  const limit = routerOptions?.maxParamLength ?? maxParamLength
  if (limit >= longestDid) return
  throw new Error(
    `Path parameters of this Fastify server may have ${limit} characters, but DIDs of this service can have ${longestDid}: create the server with Fastify({ ...serverOptions }) or set routerOptions.maxParamLength`,
  )
}

const errorText = ({ code, message, details }: EepError) => JSON.stringify({ error: { code, message, details } })

const ALWAYS = {
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
  'eep-version': EEP_VERSION,
  'x-content-type-options': 'nosniff',
}

/** Answers a URL for which no route can be looked up. It counts as a request like any other. */
async function answerFrameworkError(cause: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  let error = cause.code === 'FST_ERR_MAX_PARAM_LENGTH' ? urlTooLong() : invalidUrl()
  try {
    await listenerStateOf(request.server)?.countRequest(request, reply, 'default')
  } catch (refusal) {
    if (isEepError(refusal)) error = refusal
  }
  for (const [name, value] of Object.entries(error.headers)) reply.header(name, value)
  reply.code(error.status).headers(ALWAYS).send(errorText(error))
}

type ClientError = Error & { readonly code?: string | undefined }

const PARSER_ERRORS: Readonly<Record<string, () => EepError>> = {
  HPE_HEADER_OVERFLOW: headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: bodyTimeout,
}

/** Answers bytes that the HTTP parser rejects, unless a response to an earlier request is being written. */
function answerClientError(cause: ClientError, socket: Socket): void {
  if (cause.code === 'ECONNRESET' || socket.destroyed) return
  const { _httpMessage: current } = socket as Socket & { _httpMessage?: { readonly headersSent: boolean } | null }
  if (!socket.writable || current?.headersSent) {
    socket.destroy(cause)
    return
  }
  const error = (PARSER_ERRORS[cause.code ?? ''] ?? malformedRequest)()
  const body = errorText(error)
  const headers = { ...ALWAYS, 'content-length': Buffer.byteLength(body), connection: 'close' }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines, '', body].join('\r\n'))
  // A client that does not close its side would keep the connection.
  socket.destroySoon()
}

/**
 * Options for a Fastify server that carries the service, for what a plugin cannot set: room for long DIDs in paths,
 * time limits for connections, and the error format of the service where a request fails before a route is found.
 *
 * `requestTimeout` (2 hours) bounds a whole request, so that slow uploads of large files still pass. The service itself
 * limits the time of other bodies with `bodyTimeoutMs`.
 *
 * @example
 * const app = Fastify({ ...serverOptions, logger: true })
 */
export const serverOptions = {
  routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
  requestTimeout: 2 * 60 * 60_000,
  // Longer than the 60 seconds of common load balancers, so that they close idle connections first.
  keepAliveTimeout: 72_000,
  http: { headersTimeout: 30_000 },
  frameworkErrors(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
    void answerFrameworkError(error, request, reply)
  },
  clientErrorHandler: answerClientError,
}
