import type { IncomingMessage } from 'node:http'

/** Whether a request asks for a WebSocket. */
export const isSocketUpgrade = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket'

const TOKEN_PROTOCOL = 'bearer.'

/**
 * Pages in browsers cannot set headers of a WebSocket, so they pass their token as a subprotocol, `bearer.<token>`. From
 * here on it counts like an `Authorization` header.
 */
export function readProtocolToken({ headers }: Pick<IncomingMessage, 'headers'>): void {
  if (headers.authorization !== undefined) return
  const protocols = headers['sec-websocket-protocol']?.split(',').map((protocol) => protocol.trim())
  const token = protocols?.find((protocol) => protocol.startsWith(TOKEN_PROTOCOL))
  if (token !== undefined) headers.authorization = `Bearer ${token.slice(TOKEN_PROTOCOL.length)}`
}
