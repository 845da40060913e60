import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { defineError, type EepError, isEepError } from '../kernel/errors.ts'
import { nodeHttp } from '../kernel/node-http.ts'
import { bodyTimeout } from './pipeline/body-timeout.ts'
import { READABLE_ANYWHERE } from './pipeline/cors.ts'
import { headersOf } from './pipeline/error-headers.ts'
import { listenerStateOf } from './pipeline/listener-state.ts'
import { EEP_VERSION } from './pipeline/protocol-version.ts'
import { requestIdOf } from './pipeline/request-id.ts'

export const invalidUrl = defineError('invalid_url', 400, 'The URL path cannot be decoded')
export const urlTooLong = defineError('url_too_long', 414, 'A segment of the URL path is too long')
export const malformedRequest = defineError('malformed_request', 400, 'The request is not valid HTTP')
const headersTooLarge = defineError('headers_too_large', 431, 'The request headers are too large')

/** The longest path parameter, in characters. DIDs of long host names must fit. */
const MAX_PARAM_LENGTH = 1024

/**
 * Checks that the router of a server accepts every DID of the service as a path parameter.
 *
 * @throws Error that names the option to set, when the limit of the router is too low
 */
export function requireRoomForDids(app: FastifyInstance, longestDid: number): void {
  const { routerOptions, maxParamLength = 100 } = app.initialConfig
  const limit = routerOptions?.maxParamLength ?? maxParamLength
  if (limit >= longestDid) return
  throw new Error(
    `This Fastify server limits path parameters to ${limit} characters, but DIDs of this service can have ${longestDid}. Create the server with Fastify({ ...serverOptions }) or set routerOptions.maxParamLength`,
  )
}

const errorText = ({ code, message, details }: EepError) => JSON.stringify({ error: { code, message, details } })

const ALWAYS = {
  ...READABLE_ANYWHERE,
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
  'eep-version': EEP_VERSION,
  // Other responses differ by origin where some origins may send cookies.
  vary: 'Origin',
  'x-content-type-options': 'nosniff',
}

/** Answers a URL that the router cannot process. Such requests count toward rate limits. */
async function answerFrameworkError(cause: FastifyError, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  let error = cause.code === 'FST_ERR_MAX_PARAM_LENGTH' ? urlTooLong() : invalidUrl()
  try {
    await listenerStateOf(request.server)?.countRequest(request, reply, 'default')
  } catch (refusal) {
    if (isEepError(refusal)) error = refusal
  }
  reply
    .code(error.status)
    .headers(headersOf(error))
    .headers(ALWAYS)
    .header('x-request-id', request.id)
    .send(errorText(error))
}

/**
 * Whether a request has exactly one `Host`, as HTTP/1.1 requires (RFC 9112, 3.2). Node keeps the first of several, so only the raw
 * headers show them.
 */
export function hasOneHost({ httpVersionMajor, httpVersionMinor, rawHeaders }: IncomingMessage): boolean {
  if (httpVersionMajor !== 1) return true
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  return hosts === 1 || (hosts === 0 && httpVersionMinor === 0)
}

/**
 * Whether a request of HTTP/1.0 came before the earlier one of its connection was answered: its response has no socket yet. HTTP/1.0
 * has no pipelining, and `maxRequestsPerSocket` limits the requests of HTTP/1.1 only.
 */
export const isPipelined = ({ httpVersion }: IncomingMessage, { socket }: ServerResponse): boolean =>
  httpVersion === '1.0' && socket === null

type ClientError = Error & { readonly code?: string | undefined }

const PARSER_ERRORS: Readonly<Record<string, () => EepError>> = {
  HPE_HEADER_OVERFLOW: headersTooLarge,
  ERR_HTTP_REQUEST_TIMEOUT: bodyTimeout,
}

/** The parser reports each further part of a malformed request; only the first is answered. */
const answered = new WeakSet<Socket>()

/** Answers requests that the HTTP parser rejects. Such requests count toward rate limits, and are not rejected by them. */
async function answerClientError(app: FastifyInstance, cause: ClientError, socket: Socket): Promise<void> {
  if (cause.code === 'ECONNRESET' || socket.destroyed || answered.has(socket)) return
  answered.add(socket)
  try {
    writeClientError(cause, socket, await listenerStateOf(app)?.countConnection(socket))
  } catch (error) {
    app.log.error({ err: error }, 'a malformed request could not be counted')
    writeClientError(cause, socket)
  }
}

/**
 * Writes the answer, unless a response to an earlier request is being written. Only `_httpMessage` shows it; Node's own handler
 * reads it too.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/decisions/response-of-a-socket.md
 */
function writeClientError(cause: ClientError, socket: Socket, counted: Readonly<Record<string, string>> = {}): void {
  if (socket.destroyed) return
  const { _httpMessage: current } = socket as Socket & { _httpMessage?: { readonly headersSent: boolean } | null }
  if (!socket.writable || current?.headersSent) {
    socket.destroy(cause)
    return
  }
  const error = (PARSER_ERRORS[cause.code ?? ''] ?? malformedRequest)()
  const body = errorText(error)
  const headers = {
    ...ALWAYS,
    ...counted,
    'x-request-id': randomUUID(),
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${error.status} ${nodeHttp.STATUS_CODES[error.status]}`, ...lines, '', body].join('\r\n'))
  // Otherwise a client that does not close its side would keep the connection open.
  socket.destroySoon()
}

/** The type of {@link serverOptions}. It names no types of Fastify, whose comparison would cost hosts thousands of types. */
export interface ServerOptions {
  readonly routerOptions: { readonly maxParamLength: number }
  readonly requestTimeout: number
  readonly keepAliveTimeout: number
  readonly maxRequestsPerSocket: number
  readonly http: { readonly headersTimeout: number; readonly requireHostHeader: boolean }
  readonly return503OnClosing: boolean
  genReqId(request: { readonly headers: IncomingHttpHeaders }): string
  frameworkErrors(error: object, request: object, reply: object): void
  clientErrorHandler(this: object, error: Error & { readonly code?: string | undefined }, socket: Socket): void
}

/**
 * Options for the Fastify server, for settings that a plugin cannot make: room for long DIDs in paths, connection timeouts,
 * request ids, answers to requests that arrive while the server closes, and the error format of the service for requests that
 * fail before routing.
 *
 * `requestTimeout` (2 hours) applies to a whole request, so that slow uploads of large files succeed. The service limits
 * the time of other bodies with `bodyTimeoutMs`.
 *
 * `maxRequestsPerSocket` closes a connection after 100 requests; clients and proxies open another one. Without it, a client that sends
 * thousands of requests together, without reading, has them all processed. Requests that it sent beyond the hundredth get an empty 503.
 *
 * A request without a `Host` header, or with two, is refused by the routes of the service; one without reaches the routes of
 * the host, as with HTTP/1.0.
 *
 * @example
 * const app = Fastify({ ...serverOptions, logger: true })
 */
export const serverOptions: ServerOptions = {
  routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
  requestTimeout: 2 * 60 * 60_000,
  // Longer than the usual 60 seconds of load balancers, so that they close idle connections first.
  keepAliveTimeout: 72_000,
  // One read of a connection has up to 64 KB, which can be 2,400 requests. Node answers those above the limit with an empty 503.
  maxRequestsPerSocket: 100,
  // Requests without `Host` are refused by the service, in its error format.
  http: { headersTimeout: 30_000, requireHostHeader: false },
  // A closing server answers the requests that it has read, with `Connection: close`.
  return503OnClosing: false,
  genReqId: ({ headers }) => requestIdOf(headers),
  frameworkErrors(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
    void answerFrameworkError(error, request, reply)
  },
  clientErrorHandler(this: FastifyInstance, error: ClientError, socket: Socket): void {
    void answerClientError(this, error, socket)
  },
}
