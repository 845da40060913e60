import type { IncomingMessage } from 'node:http'

/** Whether a request is a WebSocket upgrade. */
export const isSocketUpgrade = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket'

const TOKEN_PROTOCOL = 'bearer.'

/**
 * Copies the token of a subprotocol `bearer.<token>` to the `Authorization` header. Browsers cannot set headers on a
 * WebSocket, so pages pass their token this way.
 */
export function readProtocolToken({ headers }: Pick<IncomingMessage, 'headers'>): void {
  if (headers.authorization !== undefined) return
  const protocols = headers['sec-websocket-protocol']?.split(',').map((protocol) => protocol.trim())
  const token = protocols?.find((protocol) => protocol.startsWith(TOKEN_PROTOCOL))
  if (token !== undefined) headers.authorization = `Bearer ${token.slice(TOKEN_PROTOCOL.length)}`
}
