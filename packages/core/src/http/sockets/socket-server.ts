import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { RouteConfig } from '../routes.ts'

/** A WebSocket connection: the part of the `WebSocket` of `ws` that the service uses. */
export interface ClientSocket {
  /** The number of bytes that are queued in this process. */
  readonly bufferedAmount: number
  /** Sends a text message. `done` is called when it was written to the network, or failed. */
  send(text: string, done?: (error?: Error) => void): void
  /** Sends a ping. WebSocket clients answer it automatically. */
  ping(): void
  close(code: number, reason: string): void
  /** Closes the connection without a closing handshake. */
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
  /** Checks an upgrade after the hooks of the service and before it is accepted. Throws to reject it. */
  admit(request: FastifyRequest): void
  /** Handles requests without an upgrade. */
  plain(request: FastifyRequest, reply: FastifyReply): unknown
  /** Handles an accepted connection. */
  accept(socket: ClientSocket, request: FastifyRequest): void
}

/** The limits of the connections of a listener. */
export interface SocketLimits {
  /** The maximum size of a frame, in bytes. Larger ones close the connection with 1009. */
  readonly maxFrameBytes: number
}

/** Accepts WebSocket connections. Create one with `webSockets()` of `@eep/core/sockets`. */
export interface SocketServer {
  /** Adds routes to a listener of the service. */
  addRoutes(app: FastifyInstance, routes: readonly SocketRoute[], limits: SocketLimits): void
}
