import { once } from 'node:events'
import type { ClientRequest, IncomingMessage, OutgoingHttpHeaders, Server } from 'node:http'
import { type Duplex, duplexPair, Readable } from 'node:stream'
import type { ReadableStream, ReadableStreamDefaultReader, ReadableStreamReadResult } from 'node:stream/web'
import { nodeHttp } from '../../kernel/node-http.ts'
import type { RoutedServer } from './routed-server.ts'

/** Options of {@link toFetchHandler}. `Context` is what the server passes after the request. */
export interface FetchHandlerOptions<Context extends readonly unknown[]> {
  /**
   * Returns the address of the client. Requests are counted by it, so do not take it from a header that clients can set.
   * Requests without an address are counted together.
   */
  clientAddress(request: Request, ...context: Context): string | undefined
}

/** Answers a fetch-style request. */
export type FetchHandler<Context extends readonly unknown[]> = (
  request: Request,
  ...context: Context
) => Promise<Response>

/** Hop-by-hop headers. They describe the in-memory connection, not that of the client, so they are not forwarded. */
const HOP_BY_HOP = new Set([
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Whether a header field passes; `connection: close` does: the application did not read the whole body. */
const passes = (name: string, value: string) =>
  name === 'connection' ? value.toLowerCase() === 'close' : !HOP_BY_HOP.has(name)

/** Statuses for which `new Response()` accepts no body. */
const WITHOUT_BODY = new Set([204, 205, 304])

/** The limit of clients is for them to set: whatever the application sends is passed on. */
const MAX_RESPONSE_HEADERS_BYTES = 1_048_576

/** Nginx's "client closed request". It is never received. */
const CLIENT_CLOSED_REQUEST = 499

/** An address that no client has. */
const UNKNOWN_ADDRESS = '::'

/** Opens a connection to a server, in memory, and returns the client's end. */
function connectTo(server: Server, remoteAddress: string): Duplex {
  const [clientSide, serverSide] = duplexPair()
  // Not every supported Node passes the end of one side on to the other.
  clientSide.once('close', () => serverSide.destroy())
  serverSide.once('close', () => clientSide.destroy())
  // A side whose peer has gone reports it to the request or response; without listeners it would end the process.
  for (const side of [clientSide, serverSide]) side.on('error', () => {})
  server.emit('connection', Object.assign(serverSide, { remoteAddress }))
  return clientSide
}

/** The body of a request: its reader, and the first part if it had to be read. */
interface Body {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>
  readonly first?: ReadableStreamReadResult<Uint8Array> | undefined
}

const notAsLong = () => new TypeError('The length of the request body does not match Content-Length')

/**
 * The body of a request; undefined without one. Some servers give every DELETE a stream, so where no header announces a body,
 * the first part decides.
 *
 * @throws TypeError when a body was announced and is missing, except for GET and HEAD, where a `Request` cannot have one
 */
async function bodyOf({ body, headers, method }: Request): Promise<Body | undefined> {
  const length = headers.get('content-length')
  if (length === '0') return undefined
  if (body === null) {
    if (length === null || method === 'GET' || method === 'HEAD') return undefined
    throw notAsLong()
  }
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  if (length !== null || headers.has('transfer-encoding')) return { reader }
  const first = await reader.read()
  return first.done ? undefined : { reader, first }
}

function headersOf(request: Request, { host }: URL, hasBody: boolean): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { host }
  for (const [name, value] of request.headers) if (passes(name, value)) headers[name] = value
  // So that the response closes the connection only when the application wants that.
  headers.connection = 'keep-alive'
  // Node sends the body of a DELETE without saying where it ends.
  if (hasBody && headers['content-length'] === undefined) headers['transfer-encoding'] = 'chunked'
  // The application would wait for the bytes; Node adds the length 0 where a method needs it.
  if (!hasBody) delete headers['content-length']
  return headers
}

/**
 * Sends the body of a request, or what the application reads of it.
 *
 * @throws TypeError when it is not as long as announced: the bytes after it would begin another request
 */
async function send({ reader, first }: Body, outgoing: ClientRequest): Promise<void> {
  const closed = new AbortController()
  outgoing.once('close', () => {
    closed.abort()
    // Ends a read in progress. Cancelling would end the client's connection before it got the response.
    reader.releaseLock()
  })
  const announced = outgoing.getHeader('content-length')
  let sent = 0
  for (let part = first ?? (await reader.read()); !part.done; part = await reader.read()) {
    sent += part.value.byteLength
    if (announced !== undefined && sent > Number(announced)) break
    if (!outgoing.write(part.value)) await once(outgoing, 'drain', closed)
  }
  if (announced !== undefined && sent !== Number(announced)) throw notAsLong()
  outgoing.end()
}

function toResponse(incoming: IncomingMessage, method: string): Response {
  const status = incoming.statusCode ?? 500
  const headers = new Headers()
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = incoming.rawHeaders.slice(index, index + 2)
    if (passes(name.toLowerCase(), value)) headers.append(name, value)
  }
  const empty = method === 'HEAD' || WITHOUT_BODY.has(status)
  if (empty) incoming.resume()
  const body = empty ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>)
  return new Response(body, { status, headers })
}

/**
 * Returns a Fastify application as a fetch-style handler, for Hono, route handlers of Next.js and other servers on Node.
 * The application does not listen: the handler calls `app.ready()` with the first request, and `app.close()` remains
 * yours to call.
 *
 * Each request passes through Node's HTTP implementation on a connection in memory. Bodies are streamed in both directions and
 * wait for a slow client. A client that disconnects (`request.signal`, or a cancelled response body) closes that
 * connection, so that the application stops working on the request.
 *
 * Paths: the application gets the whole path of `request.url`. Register the plugin with the prefix under which the handler is
 * mounted, and do not let the server remove the prefix.
 *
 * Errors: rejects when the application cannot start, when the body of the request fails, and when the application ends a
 * response before its headers. The application handles errors of requests.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/embed/other-servers.md
 * @example
 * const app = Fastify(serverOptions)
 * await app.register(eep, { prefix: '/eep', publicUrl, secret, storage })
 * const handle = toFetchHandler(app, { clientAddress: (_request, address: string) => address })
 */
export function toFetchHandler<Context extends readonly unknown[] = []>(
  app: RoutedServer,
  { clientAddress }: FetchHandlerOptions<Context>,
): FetchHandler<Context> {
  // It never listens, so its time limits do not run; the server in front has limits, and the service has its own for bodies.
  const server = nodeHttp.createServer((request, response) => app.routing(request, response))
  return async (request, ...context) => {
    await app.ready()
    const { signal, method } = request
    if (signal.aborted) return new Response(null, { status: CLIENT_CLOSED_REQUEST })
    const url = new URL(request.url)
    const body = await bodyOf(request)
    const outgoing = nodeHttp.request({
      method,
      path: url.pathname + url.search,
      headers: headersOf(request, url, body !== undefined),
      maxHeaderSize: MAX_RESPONSE_HEADERS_BYTES,
      createConnection: () => connectTo(server, clientAddress(request, ...context) || UNKNOWN_ADDRESS),
    })
    const abort = () => outgoing.destroy()
    signal.addEventListener('abort', abort)
    outgoing.once('close', () => signal.removeEventListener('abort', abort))

    const { promise: responded, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    // Once there is a response, `reject` has no effect: what the application did not read of the body no longer matters.
    outgoing.once('response', (response) => {
      response.once('close', () => outgoing.destroy())
      resolve(response)
    })
    outgoing.on('error', reject)
    if (body) send(body, outgoing).catch((error) => outgoing.destroy(error))
    else outgoing.end()
    try {
      return toResponse(await responded, method)
    } catch (error) {
      if (signal.aborted) return new Response(null, { status: CLIENT_CLOSED_REQUEST })
      throw error
    }
  }
}
