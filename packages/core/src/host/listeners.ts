import { once } from 'node:events'
import { type AddressInfo, createServer, type Server as NetServer } from 'node:net'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import * as fastify from 'fastify'
import type { EepOptions } from '../framework/eep.ts'
import { eep } from '../framework/plugin.ts'
import { serverOptions } from '../http/server-options.ts'
import { ConfigurationError } from './configuration-error.ts'
import type { HostParts } from './host-adapter.ts'
import type { DemoFetch, HostDefinition } from './host-definition.ts'
import { createLogs, type HostLogs } from './logging.ts'
import { type MetricsServer, serveMetrics } from './metrics-server.ts'
import type { ServiceValues } from './variables/service.ts'

export const DEFAULT_PORT = 3000
/** Both loopback addresses. A browser allows passkeys on this name, and not on an address. */
export const DEFAULT_HOST = 'localhost'

/** The time for running requests to finish when the host stops. */
const LAST_REQUESTS_MS = 5_500

/** Creates a server that logs JSON lines to standard error. Standard output is for people and scripts. */
function createListener({ EEP_TRUST_PROXY: proxies = false }: ServiceValues, logs: HostLogs): FastifyInstance {
  const listener = fastify.fastify({
    ...serverOptions,
    frameworkErrors: logs.frameworkErrors,
    childLoggerFactory: logs.childLoggerFactory,
    trustProxy: typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies,
    loggerInstance: logs.logger as FastifyBaseLogger,
    // Fastify logs two lines per request. Older versions do not export the class, and importing this entry must not fail with them.
    logController: new fastify.LogController({ disableRequestLogging: true }),
  })
  logs.logRequests(listener)
  return listener
}

/** Returns the URL of a listener for this machine. */
export function urlOf(host: string, port: number): string {
  const here = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host]
  return `http://${here ?? (host.includes(':') ? `[${host}]` : host)}:${port}`
}

const portOf = (server: NetServer): number => (server.address() as AddressInfo).port

/** Finds a free port. The base URL contains the port, so it is needed before the listener opens. */
async function freePort(host: string): Promise<number> {
  const probe = createServer().listen(0, host)
  await once(probe, 'listening').catch((error) => refuseToListen(error, 'PORT', host, 0))
  const port = portOf(probe)
  probe.close()
  await once(probe, 'close')
  return port
}

/** Sends requests to a listener, also before it listens. */
const fetchFrom =
  (listener: FastifyInstance, url: string): DemoFetch =>
  async (path, init) => {
    const request = new Request(new URL(path, url), init)
    const answer = await listener.inject({
      method: request.method as 'GET',
      url: path,
      headers: Object.fromEntries(request.headers),
      payload: Buffer.from(await request.arrayBuffer()),
    })
    return new Response(answer.rawPayload.length === 0 ? null : new Uint8Array(answer.rawPayload), {
      status: answer.statusCode,
      headers: Object.entries(answer.headers).flatMap(([name, value]) =>
        value === undefined ? [] : [value].flat().map((each): [string, string] => [name, String(each)]),
      ),
    })
  }

/** The service behind one listener or two: paths as they are, with the routes of the host, and with `/api` before each. */
export async function createListeners(
  { routes }: Pick<HostDefinition, 'routes'>,
  values: ServiceValues,
  metrics: HostParts['metrics'],
  optionsAt: (publicUrl: string) => EepOptions,
) {
  const { HOST: host = DEFAULT_HOST, EEP_GATEWAY_PORT: gatewayPort } = values
  const port = values.PORT === 0 ? await freePort(host) : (values.PORT ?? DEFAULT_PORT)
  const url = urlOf(host, port)

  const logs = await createLogs(values)
  const clean = createListener(values, logs)
  await clean.register(eep, optionsAt(values.EEP_BASE_URL ?? url))
  if (routes) await clean.register(async (scope) => routes(scope))
  const { countRequest } = clean.eep
  const gateway = gatewayPort === undefined ? undefined : createListener(values, logs)
  await gateway?.register(clean.eep.http, { prefix: '/api' })
  await gateway?.register(async (outside) => {
    outside.addHook('onRequest', countRequest)
    // Crawlers read this file at the root only.
    outside.get('/robots.txt', (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send(clean.eep.robotsTxt('/api')),
    )
    outside.setNotFoundHandler((request, reply) =>
      reply
        .code(404)
        .header('x-request-id', request.id)
        .send({ error: { code: 'not_found', message: 'Paths on this listener begin with /api' } }),
    )
  })
  // Hooks run in reverse order, so background work continues until the gateway has handled all requests.
  clean.addHook('onClose', async () => gateway?.close())
  await clean.ready()
  // Announce the URL only when the service is ready.
  await clean.eep.start()

  let metricsServer: MetricsServer | undefined

  return {
    eep: clean.eep,
    url,
    fetch: fetchFrom(clean, url),

    /** Opens the ports and prints the URLs, the main listener last. */
    async listen(): Promise<readonly string[]> {
      const lines: string[] = []
      if (metrics?.port !== undefined) {
        const { registry, port: metricsPort } = metrics
        metricsServer = await serveMetrics(registry, host, metricsPort).catch((error) =>
          refuseToListen(error, 'METRICS_PORT', host, metricsPort),
        )
        lines.push(`metrics on ${urlOf(host, metricsServer.port)}/metrics`)
      }
      if (gateway && gatewayPort !== undefined) {
        const opened = await listenOn(gateway, 'EEP_GATEWAY_PORT', host, gatewayPort)
        lines.push(`gateway listening on ${urlOf(host, opened)}/api`)
      }
      await listenOn(clean, 'PORT', host, port)
      return [...lines, `listening on ${url}`]
    },

    /** Accepts no more connections, and returns when all requests are handled or timed out. */
    async close(): Promise<void> {
      const servers = gateway ? [gateway, clean] : [clean]
      const everyServer = (does: 'closeIdleConnections' | 'closeAllConnections') => () => {
        for (const { server } of servers) server[does]()
      }
      // Otherwise a connection with a running request would be kept open for another request.
      const sweep = setInterval(everyServer('closeIdleConnections'), 50)
      const limit = setTimeout(everyServer('closeAllConnections'), LAST_REQUESTS_MS)
      await Promise.all([...servers, ...(metricsServer ? [metricsServer] : [])].map((server) => server.close()))
      clearInterval(sweep)
      clearTimeout(limit)
    },
  }
}

async function listenOn(
  listener: FastifyInstance,
  variable: PortVariable,
  host: string,
  port: number,
): Promise<number> {
  await listener.listen({ host, port }).catch((error) => refuseToListen(error, variable, host, port))
  return portOf(listener.server)
}

type PortVariable = 'PORT' | 'EEP_GATEWAY_PORT' | 'METRICS_PORT'

/** Explains in terms of the configuration why a port did not open. */
function refuseToListen(error: NodeJS.ErrnoException, variable: PortVariable, host: string, port: number): never {
  const problem = {
    EADDRINUSE: `${variable} ${port} is taken on ${host}; stop what listens there, or choose another port`,
    EACCES: `${variable} ${port} may not be opened by this user; choose one above 1023`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine`,
    ENOTFOUND: `HOST ${host} is not known to this machine`,
  }[error.code ?? '']
  throw new ConfigurationError([problem ?? `${variable} ${port} cannot be opened on ${host}: ${error.message}`], {
    cause: error,
  })
}
