import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { MetricsRegistry } from '../ports/metrics.ts'

/** A server for metrics only. */
export interface MetricsServer {
  readonly port: number
  close(): Promise<void>
}

/** Serves `/metrics` without a token. The port must not be reachable from outside. */
export async function serveMetrics(registry: MetricsRegistry, host: string, port: number): Promise<MetricsServer> {
  // Not imported above, because that would load all of undici.
  const { createServer } = await import('node:http')
  const server = createServer((request, response) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || request.url?.split('?')[0] !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    registry.render().then(
      ({ contentType, body }) => response.writeHead(200, { 'content-type': contentType }).end(body),
      () => response.writeHead(500).end(),
    )
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    // A server that listens on a port has an address.
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
