import { EventEmitter } from 'node:events'
import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import fastifyWebsocket from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import { spreadOut } from '../../kernel/spread-out.ts'
import type { SocketLimits, SocketRoute, SocketServer } from './socket-server.ts'
import { isSocketUpgrade } from './socket-upgrade.ts'

/** Browsers fail a connection whose subprotocols are all refused, so one is always chosen: not the one with the token, if possible. */
const chooseProtocol = (protocols: ReadonlySet<string>): string | false =>
  [...protocols].find((protocol) => !protocol.startsWith('bearer.')) ?? [...protocols][0] ?? false

/** Headers of a response that do not belong into the head of a connection. */
const NOT_OF_UPGRADES = new Set(['cache-control', 'connection', 'content-length', 'content-type', 'vary'])

const CLOSE_WITHIN_MS = 1_000
const GOING_AWAY = 1001
const INTERNAL_ERROR = 1011

type UpgradeServer = Server & { shouldUpgradeCallback?: (request: IncomingMessage) => boolean }

/** The servers whose upgrades reach a scope already. */
const dispatched = new WeakSet<Server>()

/**
 * Where one scope of a server listens for upgrades. Upgrades are dispatched to the router once for each server, however many
 * scopes have routes for them, and only those to a WebSocket: clients that offer HTTP/2 (`Upgrade: h2c`) get an
 * ordinary answer.
 */
function upgradesOf(app: FastifyInstance): Server {
  const upgrades = new EventEmitter()
  const server = app.server as UpgradeServer
  // The plugin calls nothing but `on`, `emit` and `removeListener`.
  if (dispatched.has(server)) return upgrades as Server
  dispatched.add(server)
  const hasOthers = () => server.listenerCount('upgrade') > 1
  // Node 24.9 and later ask before they hand a connection over.
  server.shouldUpgradeCallback = (request) => isSocketUpgrade(request) || hasOthers()
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (isSocketUpgrade(request)) upgrades.emit('upgrade', request, socket, head)
    else if (!hasOthers()) answerPlainly(app, request, socket)
    closeAfterAnswer(socket)
  })
  return upgrades as Server
}

/** Answers a request whose connection was handed over although it does not ask for a WebSocket. */
function answerPlainly(app: FastifyInstance, request: IncomingMessage, socket: Socket): void {
  const response = new ServerResponse(request)
  socket.on('error', () => socket.destroy())
  response.assignSocket(socket)
  app.routing(request, response)
}

/** No further request is read from a connection that was handed over, so an answer ends it. */
function closeAfterAnswer(socket: Socket & { _httpMessage?: ServerResponse | null }): void {
  const response = socket._httpMessage
  if (!response) return
  response.shouldKeepAlive = false
  response.once('finish', () => socket.destroySoon())
}

function addRoutes(app: FastifyInstance, routes: readonly SocketRoute[], { maxFrameBytes }: SocketLimits): void {
  app.register(async (scope) => {
    if (!scope.hasDecorator('websocketServer')) {
      await scope.register(fastifyWebsocket, {
        options: { server: upgradesOf(scope), maxPayload: maxFrameBytes, handleProtocols: chooseProtocol },
        errorHandler(error, socket, request) {
          request.log.info({ err: error }, 'a WebSocket connection failed')
          // A connection that broke is closing already, with the code for what was wrong.
          if (socket.readyState === socket.OPEN) socket.close(INTERNAL_ERROR, 'internal_error')
        },
        preClose: (done) => done(),
      })
    }
    const heads = new WeakMap<IncomingMessage, readonly string[]>()
    scope.websocketServer.on('headers', (lines, request) => {
      lines.push(...(heads.get(request) ?? []))
    })
    scope.addHook('preClose', async () => {
      const { clients } = scope.websocketServer
      const withinMs = spreadOut(clients, (client) => client.close(GOING_AWAY, 'going_away'))
      setTimeout(() => {
        for (const client of clients) client.terminate()
      }, withinMs + CLOSE_WITHIN_MS).unref()
    })
    for (const { path, config, schema, admit, plain, accept } of routes) {
      scope.route({
        method: 'GET',
        url: path,
        config: { eep: config },
        schema,
        preHandler: async (request, reply) => {
          if (!request.ws) return
          admit(request)
          const headers = Object.entries(reply.getHeaders()).filter(([name]) => !NOT_OF_UPGRADES.has(name))
          heads.set(
            request.raw,
            headers.map(([name, value]) => `${name}: ${value}`),
          )
        },
        handler: plain,
        wsHandler: accept,
      })
    }
  })
}

/**
 * Accepts WebSocket connections with `@fastify/websocket`, which the host installs. A host that uses that plugin for its
 * own routes registers it before the service, which then shares it.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/guides/sockets.md
 * @example
 * await app.register(eep, { publicUrl, secret, storage, sockets: { server: webSockets() } })
 */
export const webSockets = (): SocketServer => ({ addRoutes })
