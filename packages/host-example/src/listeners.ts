import { once } from 'node:events'
import { type AddressInfo, createServer, type Server as NetServer } from 'node:net'
import { type EepOptions, eep, serverOptions } from '@eep/core'
import type { RateLimitStore } from '@eep/core/ports'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { ConfigurationError, payerProofOf } from './config.ts'
import { createLogs, type HostLogs } from './logging.ts'
import { addMailPages, TRANSFERS_PAGE } from './pages.ts'
import type { Values } from './variables.ts'

const DEFAULT_PORT = 3000

/** How long a client may take over a request that is under way when the host stops. */
const LAST_REQUESTS_MS = 6_000

/** A server that logs JSON lines to standard error; standard output is for what a person or a script waits for. */
function createListener({ EEP_TRUST_PROXY: proxies = false }: Values, logs: HostLogs): FastifyInstance {
  const listener = Fastify({
    ...serverOptions,
    frameworkErrors: logs.frameworkErrors,
    childLoggerFactory: logs.childLoggerFactory,
    trustProxy: typeof proxies === 'number' ? (_address, hop) => hop < proxies : proxies,
    loggerInstance: logs.logger as FastifyBaseLogger,
    // Fastify logs two lines per request.
    logController: new LogController({ disableRequestLogging: true }),
  })
  logs.logRequests(listener)
  return listener
}

/** The address of a listener as this machine reaches it. */
function urlOf(host: string, port: number): string {
  const here = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host]
  return `http://${here ?? (host.includes(':') ? `[${host}]` : host)}:${port}`
}

const portOf = (server: NetServer): number => (server.address() as AddressInfo).port

/** A free port: the base URL names the port, so it is needed before the listener has one. */
async function freePort(host: string): Promise<number> {
  const probe = createServer().listen(0, host)
  await once(probe, 'listening').catch((error) => refuseToListen(error, 'PORT', host, 0))
  const port = portOf(probe)
  probe.close()
  await once(probe, 'close')
  return port
}

/** The service behind one listener or two: paths as they are, and with `/api` before each. */
export async function createListeners(
  values: Values,
  {
    rateLimits,
    ...options
  }: Pick<
    EepOptions,
    | 'storage'
    | 'secret'
    | 'signingKeys'
    | 'auth'
    | 'payments'
    | 'gates'
    | 'files'
    | 'email'
    | 'discovery'
    | 'search'
    | 'sockets'
  > & {
    /** Where instances count requests together; each for itself without. */
    readonly rateLimits?: RateLimitStore | undefined
  },
) {
  const { HOST: host = '127.0.0.1', EEP_GATEWAY_PORT: gatewayPort } = values
  const port = values.PORT === 0 ? await freePort(host) : (values.PORT ?? DEFAULT_PORT)
  const url = urlOf(host, port)

  const logs = createLogs(values)
  const clean = createListener(values, logs)
  const publicUrl = values.EEP_BASE_URL ?? url
  await clean.register(eep, {
    ...options,
    publicUrl,
    frontendUrls: { transfers: publicUrl + TRANSFERS_PAGE },
    payments: { ...options.payments, payerProof: payerProofOf(values) },
    auth: { ...options.auth, adminEmails: values.EEP_ADMIN_EMAILS },
    http: { allowPrivateHosts: values.EEP_DEV_CALLBACK_HOSTS },
    limits: { rateLimit: { multiplier: values.EEP_RATE_LIMIT_MULTIPLIER, store: rateLimits } },
  })
  const { countRequest } = clean.eep
  await clean.register(async (pages) => {
    pages.addHook('onRequest', countRequest)
    addMailPages(pages)
  })
  const gateway = gatewayPort === undefined ? undefined : createListener(values, logs)
  await gateway?.register(clean.eep.http, { prefix: '/api' })
  await gateway?.register(async (outside) => {
    outside.addHook('onRequest', countRequest)
    outside.setNotFoundHandler((_request, reply) =>
      reply.code(404).send({ error: { code: 'not_found', message: 'The paths of this listener begin with /api' } }),
    )
  })
  // The last one in is the first one called: background work goes on until the gateway has answered too.
  clean.addHook('onClose', async () => gateway?.close())
  await clean.ready()
  // Announce the URL only when the service is ready.
  await clean.eep.start()

  return {
    eep: clean.eep,
    url,

    /** Opens the ports and prints the URLs, the main listener last. */
    async listen(): Promise<readonly string[]> {
      const lines: string[] = []
      if (gateway && gatewayPort !== undefined) {
        const opened = await listenOn(gateway, 'EEP_GATEWAY_PORT', host, gatewayPort)
        lines.push(`gateway listening on ${urlOf(host, opened)}/api`)
      }
      await listenOn(clean, 'PORT', host, port)
      return [...lines, `listening on ${url}`]
    },

    /** Takes no more connections and ends when every request is answered, or its client too slow. */
    async close(): Promise<void> {
      const servers = gateway ? [gateway, clean] : [clean]
      const everyServer = (does: 'closeIdleConnections' | 'closeAllConnections') => () => {
        for (const { server } of servers) server[does]()
      }
      // A connection that is answered while its server closes would be kept for one more request.
      const sweep = setInterval(everyServer('closeIdleConnections'), 50)
      const limit = setTimeout(everyServer('closeAllConnections'), LAST_REQUESTS_MS)
      await Promise.all(servers.map((server) => server.close()))
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

type PortVariable = 'PORT' | 'EEP_GATEWAY_PORT'

/** Says in the words of the configuration why a port did not open. */
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
