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
  /** Pings of the client, which the connection answers by itself, and its answers to ours. */
  on(event: 'ping' | 'pong', listener: () => void): unknown
  on(event: 'close', listener: (code: number) => void): unknown
}
