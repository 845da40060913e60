/** WebSocket connections, for hosts that have `@fastify/websocket` installed. */

export type { SocketLimits, SocketRoute, SocketServer } from '../http/sockets/socket-server.ts'
export { webSockets } from '../http/sockets/web-sockets.ts'
export type { ClientSocket } from '../ports/client-socket.ts'
