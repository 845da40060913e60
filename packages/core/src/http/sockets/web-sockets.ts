import { EventEmitter } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type {} from '@fastify/websocket'
import type { FastifyInstance } from 'fastify'
import { assertInstalled } from '../../kernel/assert-installed.ts'
import { nodeHttp } from '../../kernel/node-http.ts'
import { stagger } from '../../kernel/stagger.ts'
import type { EepRoutes } from '../routes.ts'
import type { SocketLimits, SocketRoute, SocketServer } from './socket-server.ts'
import { isSocketUpgrade } from './socket-upgrade.ts'

/** The subprotocol of the service. */
const EEP = 'eep'

/**
 * Selects `eep`, or nothing when the client offers only protocols that the service does not speak (RFC 6455, 4.2.2). A client
 * that offers only its token gets it back, because browsers fail a connection whose offer is not answered.
 */
function chooseProtocol(protocols: ReadonlySet<string>): string | false {
  if (protocols.has(EEP)) return EEP
  const [first = false, ...others] = protocols
  const isToken = (protocol: string) => protocol.startsWith('bearer.')
  return first !== false && [first, ...others].every(isToken) ? first : false
}

/** Response headers that are omitted from the 101 response. */
const NOT_OF_UPGRADES = new Set(['cache-control', 'connection', 'content-length', 'content-type', 'vary'])

const CLOSE_WITHIN_MS = 1_000
const GOING_AWAY = 1001
const INTERNAL_ERROR = 1011

type UpgradeServer = Server & { shouldUpgradeCallback?: (request: IncomingMessage) => boolean }

/** The servers whose upgrades are dispatched already. */
const dispatched = new WeakSet<Server>()

/**
 * Returns the object on which one scope of a server listens for upgrades. Each server dispatches an upgrade to the router
 * once, however many scopes have WebSocket routes. Only WebSocket upgrades are dispatched; clients that offer HTTP/2
 * (`Upgrade: h2c`) get a regular response.
 */
function upgradesOf(app: FastifyInstance): Server {
  const upgrades = new EventEmitter()
  const server = app.server as UpgradeServer
  // The plugin only calls `on`, `emit` and `removeListener`.
  if (dispatched.has(server)) return upgrades as Server
  dispatched.add(server)
  const hasOthers = () => server.listenerCount('upgrade') > 1
  // Node 24.9 and later call `shouldUpgradeCallback` before they emit `upgrade`.
  server.shouldUpgradeCallback = (request) => isSocketUpgrade(request) || hasOthers()
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (isSocketUpgrade(request)) upgrades.emit('upgrade', request, socket, head)
    else if (!hasOthers()) answerPlainly(app, request, socket)
    closeAfterAnswer(socket)
  })
  return upgrades as Server
}

/** Handles an upgrade request that is not for a WebSocket as a regular request. */
function answerPlainly(app: FastifyInstance, request: IncomingMessage, socket: Socket): void {
  const response = new nodeHttp.ServerResponse(request)
  socket.on('error', () => socket.destroy())
  response.assignSocket(socket)
  // With an upgrade Node removes its listener, without which a response that waited for the client never goes on.
  socket.on('drain', () => response.emit('drain'))
  app.routing(request, response)
}

/**
 * Node reads no further request from an upgraded connection, so the response must close it. Only `_httpMessage` names the
 * response of a request before the upgrade, which may be one of the host.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/decisions/response-of-a-socket.md
 */
function closeAfterAnswer(socket: Socket & { _httpMessage?: ServerResponse | null }): void {
  const response = socket._httpMessage
  if (!response) return
  response.shouldKeepAlive = false
  response.once('finish', () => socket.destroySoon())
}

function addRoutes(app: EepRoutes, sockets: readonly SocketRoute[], { maxFrameBytes }: SocketLimits): void {
  app.scope(async (routes, scope) => {
    if (!scope.hasDecorator('websocketServer')) {
      const { default: fastifyWebsocket } = await import('@fastify/websocket')
      await scope.register(fastifyWebsocket, {
        options: { server: upgradesOf(scope), maxPayload: maxFrameBytes, handleProtocols: chooseProtocol },
        errorHandler(error, socket, request) {
          request.log.info({ err: error }, 'a WebSocket connection failed')
          // After an error the connection is closing already, with the matching close code.
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
      const withinMs = stagger(clients, (client) => client.close(GOING_AWAY, 'going_away'))
      setTimeout(() => {
        for (const client of clients) client.terminate()
      }, withinMs + CLOSE_WITHIN_MS).unref()
    })
    for (const { path, config, schema, admit, plain, accept } of sockets) {
      routes.route({
        method: 'GET',
        url: path,
        config: { eep: config },
        schema,
        preHandler: async (request, reply) => {
          if (!request.ws) return
          await admit(request)
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
 * Accepts WebSocket connections with `@fastify/websocket`, which the host must install. A host that uses that plugin for
 * its own routes must register it before the service, which then shares it.
 *
 * @throws MissingPackagesError when it is not installed
 */
export function webSockets(): SocketServer {
  assertInstalled('@fastify/websocket')
  return { addRoutes }
}
