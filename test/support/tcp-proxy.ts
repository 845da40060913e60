import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export interface TcpProxy {
  /** The address of the target with the host and port of the proxy. */
  readonly url: string
  /** Cuts every connection and refuses new ones. */
  cut(): Promise<void>
  /** Accepts connections again, on the same port. */
  restore(): Promise<void>
  /** Forwards new connections to another server. */
  redirect(target: string): void
  close(): Promise<void>
}

/** A door to a server that a test can shut: clients then see what they see when the server is down. */
export async function startTcpProxy(target: string): Promise<TcpProxy> {
  let { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let server: Server | undefined

  const forward = (client: Socket) => {
    const upstream = connect(Number(port), hostname)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
      socket.pipe(other)
    }
  }
  const listen = async (on: number) => {
    server = createServer(forward).listen(on, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const cut = async () => {
    const closed = server && new Promise((resolve) => server?.close(resolve))
    server = undefined
    for (const socket of sockets) socket.destroy()
    await closed
  }

  const redirect = (to: string) => {
    ;({ hostname, port } = new URL(to))
  }

  const own = await listen(0)
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = `${own}`
  // A database is reached through the proxy and not through its Unix socket.
  url.searchParams.delete('host')
  return { url: url.href, cut, close: cut, restore: async () => void (await listen(own)), redirect }
}
