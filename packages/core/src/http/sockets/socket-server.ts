import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RouteConfig } from '../routes.ts'

/** A WebSocket connection: the part of the `WebSocket` of `ws` that the service uses. */
export interface ClientSocket {
  /** Bytes that were sent and are still held in this process. */
  readonly bufferedAmount: number
  /** Sends a text; `done` is called when it has left this process, or cannot. */
  send(text: string, done?: (error?: Error) => void): void
  /** Asks for a sign of life; every WebSocket client answers by itself. */
  ping(): void
  close(code: number, reason: string): void
  /** Ends the connection without a handshake. */
  terminate(): void
  on(event: 'message', listener: (data: Buffer, isBinary: boolean) => void): unknown
  on(event: 'pong', listener: () => void): unknown
  on(event: 'close', listener: (code: number) => void): unknown
}

/** A route that accepts WebSocket connections. */
export interface SocketRoute {
  readonly path: string
  readonly config: RouteConfig
  readonly schema: object
  /** Checks an upgrade after the hooks of the service and before it is accepted; refuses by throwing. */
  admit(request: FastifyRequest): void
  /** Answers a request that does not ask for an upgrade. */
  plain(request: FastifyRequest, reply: FastifyReply): unknown
  /** Called for each connection. */
  accept(socket: ClientSocket, request: FastifyRequest): void
}

/** The limits of the connections of a listener. */
export interface SocketLimits {
  /** The longest frame, in bytes; a longer one closes the connection with 1009. */
  readonly maxFrameBytes: number
}

/** Accepts WebSocket connections. `webSockets()` of `@eep/core/sockets` makes one. */
export interface SocketServer {
  /** Adds routes to a listener of the service. */
  addRoutes(app: FastifyInstance, routes: readonly SocketRoute[], limits: SocketLimits): void
}
