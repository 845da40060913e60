import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ClientSocket } from '../../ports/client-socket.ts'
import type { EepRoutes, RouteConfig } from '../routes.ts'

/** A route that accepts WebSocket connections. */
export interface SocketRoute {
  readonly path: string
  readonly config: RouteConfig
  readonly schema: object
  /** Checks an upgrade after the hooks of the service and before it is accepted. Throws to reject it. */
  admit(request: FastifyRequest): void | Promise<void>
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

/** Accepts WebSocket connections. */
export interface SocketServer {
  /** Adds routes to a listener of the service. */
  addRoutes(app: EepRoutes, routes: readonly SocketRoute[], limits: SocketLimits): void
}
