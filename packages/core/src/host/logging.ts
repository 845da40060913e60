import { createRequire } from 'node:module'
import { hostname } from 'node:os'
import type { FastifyBaseLogger, FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { loggedUrl } from '../http/pipeline/logged-url.ts'
import { serverOptions } from '../http/server-options.ts'
import type { ServiceValues } from './variables/service.ts'

/** The number of characters after which lines are encoded, and of bytes or milliseconds after which they are written. */
const COLLECTED_CHARACTERS = 4_096
const BUFFERED_BYTES = 65_536
const FLUSH_EVERY_MS = 200

const SECRET_HEADERS = [
  'authorization',
  'cookie',
  'set-cookie',
  'sec-websocket-protocol',
  'payment-signature',
  'x-payment',
  'sign-in-with-x',
  'payment-authorization',
  'x-api-key',
]

const loggedRequest = (request: FastifyRequest) => {
  const { method, host, ip, socket } = request
  return {
    method,
    url: loggedUrl(request),
    host,
    remoteAddress: ip,
    ...(socket.remotePort === undefined ? {} : { remotePort: socket.remotePort }),
  }
}

/** Text that needs no escapes in JSON. */
const PLAIN = /^[ !#-[\]-~]*$/

const jsonText = (text: string) => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text))

/** Milliseconds with three decimals. */
const rounded = (ms: number) => Math.round(ms * 1_000) / 1_000

type LogLine = Parameters<FastifyBaseLogger['info']>
type Bindings = Parameters<FastifyBaseLogger['child']>[0]
type ChildLoggerOptions = NonNullable<Parameters<FastifyBaseLogger['child']>[1]>

/** A logger that is created on first use. */
interface LazyLogger extends FastifyBaseLogger {
  make(): FastifyBaseLogger
  made?: FastifyBaseLogger
}

function used(logger: LazyLogger): FastifyBaseLogger {
  logger.made ??= logger.make()
  return logger.made
}

const lazyLogger: LazyLogger = {
  make() {
    throw new Error('A lazy logger needs a function that creates it')
  },
  get level() {
    return used(this).level
  },
  set level(level) {
    used(this).level = level
  },
  child(...child) {
    return used(this).child(...child)
  },
  fatal(...line: LogLine) {
    used(this).fatal(...line)
  },
  error(...line: LogLine) {
    used(this).error(...line)
  },
  warn(...line: LogLine) {
    used(this).warn(...line)
  },
  info(...line: LogLine) {
    used(this).info(...line)
  },
  debug(...line: LogLine) {
    used(this).debug(...line)
  },
  trace(...line: LogLine) {
    used(this).trace(...line)
  },
  silent(...line: LogLine) {
    used(this).silent(...line)
  },
}

/** The version of this package. */
const RELEASE: string = createRequire(import.meta.url)('@eep/core/package.json').version

/** The logs of a host: JSON lines on standard error. */
export interface HostLogs {
  /** The logger for everything but requests. */
  readonly logger: Logger
  /** Logs each request of a server in one line, after the response. */
  logRequests(server: FastifyInstance): void
  /** `childLoggerFactory` of a server: most requests log nothing else, so their loggers are created with their first line. */
  childLoggerFactory(logger: FastifyBaseLogger, bindings: Bindings, options: ChildLoggerOptions): FastifyBaseLogger
  /** `frameworkErrors` of a server: handles URLs that cannot be decoded, and logs those requests too. */
  frameworkErrors(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void
}

/**
 * Writes logs without delaying requests: lines are collected and written asynchronously. The rest is written when
 * the process exits and with each fatal line.
 */
export async function createLogs({ LOG_LEVEL: level = 'info' }: ServiceValues): Promise<HostLogs> {
  const { pino } = await import('pino')
  const file = pino.destination({
    dest: process.stderr.fd,
    sync: false,
    minLength: BUFFERED_BYTES,
    maxWrite: 2 * BUFFERED_BYTES,
    contentMode: 'buffer',
  })
  // Lines are joined before they are encoded, which is faster than collecting the bytes of each.
  let lines = ''
  const collect = (line: string) => {
    lines += line
    if (lines.length >= COLLECTED_CHARACTERS) handOver()
  }
  const handOver = () => {
    if (lines === '') return
    // The types allow strings only.
    file.write(Buffer.from(lines) as unknown as string)
    lines = ''
  }
  setInterval(() => {
    handOver()
    file.flush()
  }, FLUSH_EVERY_MS).unref()
  // Registered before the listeners of pino, which write the contents of the destination.
  process.prependOnceListener('beforeExit', handOver)
  process.prependOnceListener('exit', handOver)
  const flushSync = () => {
    handOver()
    file.flushSync()
  }
  const redact = SECRET_HEADERS.flatMap((name) => [`headers["${name}"]`, `*.headers["${name}"]`])
  const destination = { write: collect, flushSync }
  // In every line, because instances of two releases run at the same time during an upgrade.
  const base = { pid: process.pid, hostname: hostname(), release: RELEASE }
  const logger = pino({ level, base, redact, serializers: { req: loggedRequest } }, destination)
  const isLogged = logger.isLevelEnabled('info')
  const origin = { level: logger.levels.values.info, ...base }
  const beginning = JSON.stringify(origin).slice(0, -1)

  // These lines contain no headers, so they need no redaction. Building their JSON here takes half
  // as long as JSON.stringify.
  function logRequest(request: FastifyRequest, reply: FastifyReply): void {
    if (!isLogged) return
    const { method, host, ip, socket } = request
    const address = ip === undefined ? '' : `,"remoteAddress":${jsonText(ip)}`
    const port = socket.remotePort === undefined ? '' : `,"remotePort":${socket.remotePort}`
    collect(
      `${beginning},"time":${Date.now()},"reqId":${jsonText(request.id)},"req":{"method":"${method}","url":${jsonText(loggedUrl(request))},"host":${jsonText(host)}${address}${port}},"res":{"statusCode":${reply.statusCode}},"responseTime":${rounded(reply.elapsedTime)},"msg":"request completed"}\n`,
    )
  }

  return {
    logger,
    logRequests(server) {
      server.addHook('onResponse', (request, reply, done) => {
        logRequest(request, reply)
        done()
      })
    },
    childLoggerFactory: (parent, bindings, options) =>
      Object.assign(Object.create(lazyLogger) as typeof lazyLogger, { make: () => parent.child(bindings, options) }),
    frameworkErrors(error, request, reply) {
      // No hook runs for these requests.
      reply.raw.once('close', () => logRequest(request, reply))
      serverOptions.frameworkErrors(error, request, reply)
    },
  }
}
