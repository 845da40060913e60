/** WebSocket connections, for hosts that have `@fastify/websocket` installed. */

export type { ClientSocket, SocketLimits, SocketRoute, SocketServer } from './http/sockets/socket-server.ts'
export { webSockets } from './http/sockets/web-sockets.ts'
