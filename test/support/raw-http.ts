import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { TestApp } from './app.ts'

/** A response as it was written to a socket. */
export interface RawResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

function parse(text: string): RawResponse {
  const end = text.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(':')).toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ])
  return { status: Number(statusLine.split(' ')[1]), headers: Object.fromEntries(headers), body: text.slice(end + 4) }
}

/** Opens a connection to an app that listens, to send bytes that no HTTP client would send. */
export async function openConnection(app: TestApp) {
  const address = app.addresses()[0]
  if (typeof address !== 'object') throw new Error('The app does not listen')
  const socket: Socket = connect(address.port, '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', (text) => {
    received += text
  })
  // A reset after the response is how some servers close.
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
  await once(socket, 'connect')
  return {
    send: (text: string | Buffer) => socket.write(text),
    /** The response, once the server has closed the connection. */
    async response(): Promise<RawResponse> {
      await closed
      return parse(received)
    },
    received: () => received,
    closed,
    destroy: () => socket.destroy(),
  }
}

/** Sends bytes on a connection and reads until the server closes it. */
export async function exchange(app: TestApp, text: string): Promise<RawResponse> {
  const connection = await openConnection(app)
  connection.send(text)
  return connection.response()
}
