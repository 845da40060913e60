import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { sendPage } from '../../../http/html/html-forms.ts'
import { type EepRoutes, routeConfig } from '../../../http/routes.ts'
import {
  defineError,
  type EepError,
  forbidden,
  insufficientScope,
  notFound,
  unauthenticated,
} from '../../../kernel/errors.ts'
import { lazy } from '../../../kernel/lazy.ts'
import { isApp } from '../../../model/caller.ts'
import type { McpEra, McpObject, McpToolkit } from '../../../ports/mcp-toolkit.ts'
import { storageUnavailable } from '../../../ports/storage/storage.ts'
import { tooManyStreams } from '../../events/signals/index.ts'
import { challenged, requireCredential } from './challenges.ts'
import { connectView } from './connect-html.ts'
import { isStranger, senderAs } from './dispatch.ts'
import { LISTEN, type Listening } from './listening/listen.routes.ts'
import { INVALID_REQUEST } from './protocol-error.ts'
import { isRebound, isTooDeep, readMessage } from './request-checks.ts'
import { messageAnswer, messageBody } from './schemas.ts'
import { type Catalogue, type ServedRequest, type ServingSettings, servingFor } from './serving.ts'
import { isObject } from './tools/schema.ts'

const methodNotAllowed = defineError('method_not_allowed', 405, 'Use POST here')

const EVENT_STREAM = 'text/event-stream'

/** What the transport of MCP sends beside the headers of other routes. */
const CORS_HEADERS = 'MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id'

export interface McpRoutesOptions {
  readonly path: string
  readonly maxBodyBytes: number
  readonly toolkit: McpToolkit
  readonly settings: ServingSettings
  /** Answers requests that listen for changes; undefined when changes are not reported. */
  readonly listening: Listening | undefined
  /** Returns what is served; complete once the server is ready. Throws a TypeError for tools that contradict each other. */
  readonly catalogue: () => Catalogue
}

/** The routes of the server: `POST` for messages, at an address for everyone and at one for callers with a credential. */
export function mcpRoutes(app: EepRoutes, options: McpRoutesOptions): void {
  const { path, maxBodyBytes, toolkit, settings, listening, catalogue } = options
  const { publicUrl } = settings
  const served = new WeakMap<Request, ServedRequest>()

  const handler = lazy(() =>
    toolkit.createHandler({
      maxBodyBytes,
      // Malformed messages of clients are not errors of the service.
      onError: () => {},
      serve(request, era) {
        const servedRequest = served.get(request)
        if (!servedRequest) throw new Error('The server of MCP was asked for a request of another listener')
        return servingFor(catalogue(), settings, servedRequest, era)
      },
    }),
  )

  /** Sends what the library answers. A stream is awaited, and sent as its one message, unless the client asked for more. */
  async function send(reply: FastifyReply, response: Response, isStreamed: boolean): Promise<FastifyReply> {
    reply.code(response.status).header('cache-control', 'private, no-store')
    const type = response.headers.get('content-type')
    if (type !== null) reply.type(type)
    const { body } = response
    if (body === null) return reply.send()
    if (!type?.startsWith(EVENT_STREAM)) return reply.send(await response.text())
    if (!isStreamed) {
      const text = await response.text()
      const message = onlyMessage(text)
      return message === undefined ? reply.send(text) : reply.type('application/json').send(message)
    }
    reply.header('x-accel-buffering', 'no')
    // The types of the library and of Node name the same class.
    return reply.send(Readable.fromWeb(body as ReadableStream))
  }

  async function answer(request: FastifyRequest, reply: FastifyReply, isForAccounts: boolean): Promise<FastifyReply> {
    if (isRebound(request, publicUrl)) throw forbidden({ message: 'Pages of other sites cannot use this address' })
    const { identified, agent } = request.eep
    if (identified.refusal) throw challenged(identified.refusal)
    const { caller } = identified
    if (isForAccounts && !caller) throw challenged(unauthenticated())
    const message = isTooDeep(request.body) ? undefined : readMessage(request.body)
    if (!message) {
      const error = { code: INVALID_REQUEST, message: 'The body must be one message of JSON-RPC' }
      return reply.code(400).send({ jsonrpc: '2.0', id: null, error })
    }
    requireCredential(message, catalogue().byName, { caller, isAgent: agent?.verified === true })

    const outerOf = (body: McpObject, signal: AbortSignal) =>
      new Request(`${publicUrl}${path}`, {
        method: 'POST',
        headers: headersOf(request),
        body: JSON.stringify(body),
        signal,
      })
    if (listening && message.method === LISTEN) {
      const asServed = {
        caller,
        isStranger: isStranger(request),
        send: senderAs(request, reply, new AbortController().signal),
        refuseScope() {},
      }
      const serve = (era: McpEra) => servingFor(catalogue(), settings, asServed, era)
      return listening(request, reply, { message, outerOf, serve })
    }

    const closed = new AbortController()
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) closed.abort()
    })
    const outer = outerOf(message, closed.signal)
    let missing: unknown
    served.set(outer, {
      caller,
      isStranger: isStranger(request),
      send: senderAs(request, reply, closed.signal),
      refuseScope(details) {
        if (caller !== undefined && isApp(caller)) missing = details
      },
    })
    const response = await (await handler()).handle(outer, message)
    // Before anything of it is sent, because the outcome of a call of an app decides the status.
    const isStreamed = wantsStream(message) && !(caller && isApp(caller) && ENDING.has(String(message.method)))
    const completed = isStreamed ? response : await complete(response)
    if (missing !== undefined) throw insufficientScope({ details: missing })
    return send(reply, completed, isStreamed)
  }

  for (const [address, isForAccounts] of [
    [path, false],
    [`${path}/account`, true],
  ] as const) {
    const suffix = isForAccounts ? 'OfAccount' : ''
    const shared = {
      auth: 'none',
      limit: 'mcp',
      tag: 'assistants',
      tokensOnly: true,
      resource: address,
      corsHeaders: CORS_HEADERS,
    } as const
    app.post(
      address,
      {
        bodyLimit: maxBodyBytes,
        config: routeConfig({
          ...shared,
          readsOnly: true,
          staysOpen: 'sometimes',
          operationId: `sendMcpMessage${suffix}`,
          summary: isForAccounts ? 'Send a message of MCP, signed in' : 'Send a message of MCP',
          produces: ['application/json', EVENT_STREAM],
          errors: [unauthenticated, insufficientScope, forbidden, tooManyStreams, storageUnavailable],
        }),
        schema: {
          body: messageBody,
          response: { 200: messageAnswer, 202: z.undefined(), 400: messageAnswer, 404: messageAnswer },
        },
      },
      async (request, reply) => {
        await answer(request, reply, isForAccounts)
        return reply
      },
    )
    app.get(
      address,
      {
        config: routeConfig({
          ...shared,
          operationId: `getMcpPage${suffix}`,
          aliasOf: isForAccounts ? 'getMcpPage' : undefined,
          summary: 'Get the page that explains how to connect an assistant',
          produces: ['text/html'],
          errors: [methodNotAllowed],
        }),
        schema: { response: { 200: z.string() } },
      },
      async (request, reply) => {
        // Programs that open a stream of the earlier transport expect exactly this.
        if (!request.headers.accept?.includes('text/html')) throw notAllowed(reply)
        return sendPage(
          request,
          reply,
          connectView(request.eep.site, { name: settings.info.title, url: publicUrl + path, tools: catalogue().tools }),
        )
      },
    )
    app.delete(
      address,
      {
        config: routeConfig({
          ...shared,
          operationId: `endMcpSession${suffix}`,
          aliasOf: isForAccounts ? 'endMcpSession' : undefined,
          summary: 'End a session of MCP',
          errors: [methodNotAllowed],
        }),
        schema: { response: { 204: z.undefined() } },
      },
      async (_request, reply) => {
        throw notAllowed(reply)
      },
    )
  }
}

function notAllowed(reply: FastifyReply): EepError {
  reply.header('allow', 'GET, HEAD, POST, OPTIONS')
  return methodNotAllowed()
}

/** The requests that may need a scope, and that end by themselves. */
const ENDING = new Set(['tools/call', 'resources/read'])

/** Whether a message asks for more than its result: progress, or a stream of changes. */
function wantsStream({ method, params }: McpObject): boolean {
  const { _meta: meta } = isObject(params) ? params : {}
  return method === LISTEN || (isObject(meta) && meta.progressToken !== undefined)
}

/** Reads a response to its end. */
async function complete(response: Response): Promise<Response> {
  const { status, headers } = response
  return response.body === null ? response : new Response(await response.text(), { status, headers })
}

/** The message of a stream of server-sent events that has exactly one. */
function onlyMessage(text: string): string | undefined {
  const [first, ...others] = text.split('\n').filter((line) => line.startsWith('data: '))
  return others.length === 0 ? first?.slice('data: '.length) : undefined
}

/** The headers that the transport reads, and its type. */
function headersOf({ headers }: FastifyRequest): Headers {
  const own = new Headers()
  for (const name of [
    'accept',
    'content-type',
    'mcp-protocol-version',
    'mcp-method',
    'mcp-name',
    'mcp-session-id',
    'last-event-id',
  ]) {
    const value = headers[name]
    if (typeof value === 'string') own.set(name, value)
  }
  return own
}

/** Answers below a prefix that the public URL does not have: clients compare the address that they use with the documented one. */
export function misplacedMcpRoute(app: EepRoutes, path: string, publicUrl: string): void {
  app.post(
    path,
    {
      config: routeConfig({
        auth: 'none',
        alias: true,
        readsOnly: true,
        tag: 'assistants',
        operationId: '',
        summary: '',
      }),
    },
    async () => {
      throw notFound({ message: `The server of MCP is at ${publicUrl}${path}` })
    },
  )
}
