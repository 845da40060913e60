import { lookup as lookUp } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { Dispatcher } from 'undici'
import { isEepError } from '../../kernel/errors.ts'
import { lazy } from '../../kernel/lazy.ts'
import type { Span } from '../../ports/tracer.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { errorTypeOf, type Tracing } from '../telemetry/tracing.ts'
import { isPublicAddress } from './address.ts'
import { addressRefused, outboundFailed } from './errors.ts'
import { outboundDuration } from './metrics.ts'

export interface GuardedFetchOptions {
  /** `host` or `host:port` that may be private and plain http; for development only. */
  readonly allowPrivateHosts?: readonly string[] | undefined
  /** Resolves names. Default: the system's resolver. */
  readonly lookup?: LookupFunction | undefined
  /** Receives the times of requests. */
  readonly metrics?: Pick<Metrics, 'histogram'> | undefined
  /** Records requests, and adds `traceparent` to them. */
  readonly tracing?: Tracing | undefined
}

export interface OutboundRequest {
  readonly method?: 'GET' | 'POST' | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: string | Uint8Array | undefined
  /** Longer responses are rejected, or cut. Default: 256 KiB. */
  readonly maxBytes?: number | undefined
  /** Whether a longer response fails the call, or is cut off at the limit. Default: `fail`. */
  readonly longAnswer?: 'fail' | 'cut' | undefined
  /** The time limit from the call to the last byte. Default: 5 s. */
  readonly timeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** The W3C `traceparent` of what caused the request, in another process. Default: the parent is the active span. */
  readonly traceparent?: string | undefined
  /** Called with the length of each part of the response, also of one that fails later. */
  readonly onRead?: ((bytes: number) => void) | undefined
}

/** Returns headers that sign a request. */
export type SignOutbound = (request: {
  readonly method: string
  readonly url: URL
}) => Promise<Readonly<Record<string, string>>>

export interface OutboundAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Buffer
}

const MAX_BYTES = 262_144
const TIMEOUT_MS = 5_000
const MAX_URL = 2_048
/** The permitted ports. Services on other ports may use other protocols and interpret a request as commands. */
const PORTS = new Set(['', '443', '8443'])

/**
 * Refuses names that resolve to private addresses. Returns only checked addresses, which the connection then uses. A name that does
 * not exist is refused in the same way, so that no account learns the names of a private network.
 */
function checked(lookup: LookupFunction): LookupFunction {
  return (hostname, options, done) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      const addresses = Array.isArray(found) ? found : []
      if (error && error.code !== 'ENOTFOUND') return done(error, options.all ? [] : '')
      const [first] = addresses
      // A single private address is enough to refuse the name, because the connection may use any of them.
      if (!first || !addresses.every(({ address }) => isPublicAddress(address))) {
        return done(
          addressRefused({ message: `${hostname} does not resolve to a public address` }),
          options.all ? [] : '',
        )
      }
      return options.all ? done(null, addresses) : done(null, first.address, first.family)
    })
}

/**
 * Creates the function for requests to URLs that users name. It uses https with public addresses, follows no redirects,
 * sends no credentials, and limits time and size. A name is resolved once and the connection goes to the address that
 * was checked, so that a second DNS response has no effect.
 */
export function createGuardedFetch({
  allowPrivateHosts = [],
  lookup = lookUp as LookupFunction,
  metrics,
  tracing,
}: GuardedFetchOptions = {}) {
  const duration = metrics?.histogram(outboundDuration)
  let signOutbound: SignOutbound | undefined
  const timeouts = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS, keepAliveTimeout: 1_000 }
  let isOpened = false
  // Loaded with the first call: undici takes about 10 MB, and many services never call anything.
  const open = lazy(async () => {
    isOpened = true
    const { Agent, request } = await import('undici')
    const outward = new Agent({ ...timeouts, connect: { lookup: checked(lookup), timeout: TIMEOUT_MS } })
    const inward = new Agent({ ...timeouts, connect: { lookup, timeout: TIMEOUT_MS } })
    return { request, outward, inward }
  })
  const known = new Set(allowPrivateHosts.map((host) => host.toLowerCase()))

  /** The checked URL of a call, and the agent for it. */
  function route(text: string | URL): { readonly url: URL; readonly agent: 'inward' | 'outward' } {
    const url = URL.canParse(String(text)) ? new URL(text) : undefined
    if (!url || url.href.length > MAX_URL) throw addressRefused({ message: 'The URL is not valid' })
    if (url.username !== '' || url.password !== '')
      throw addressRefused({ message: 'The URL must not contain a user name or password' })
    if (known.has(url.host) || known.has(url.hostname)) {
      if (!/^https?:$/.test(url.protocol)) throw addressRefused({ message: 'The URL must use http or https' })
      return { url, agent: 'inward' }
    }
    if (url.protocol !== 'https:') throw addressRefused({ message: 'The URL must use https' })
    if (!PORTS.has(url.port)) throw addressRefused({ message: 'The port must be 443 or 8443' })
    // An address in the URL is never looked up, so it is checked here.
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const isInward = isIP(host) === 0 ? /(^|\.)(localhost|local|internal)\.?$/.test(host) : !isPublicAddress(host)
    if (isInward) throw addressRefused({ message: `${host} is not a public address` })
    return { url, agent: 'outward' }
  }

  async function read(
    body: Dispatcher.ResponseData['body'],
    maxBytes: number,
    { longAnswer = 'fail', onRead }: OutboundRequest,
  ): Promise<Buffer> {
    const parts: Buffer[] = []
    let length = 0
    for await (const part of body as AsyncIterable<Buffer>) {
      length += part.length
      onRead?.(part.length)
      if (length > maxBytes && longAnswer === 'cut') {
        parts.push(part.subarray(0, maxBytes - length))
        break
      }
      if (length > maxBytes) throw outboundFailed({ message: `The response is longer than ${maxBytes} bytes` })
      parts.push(part)
    }
    return Buffer.concat(parts)
  }

  /**
   * Sends a request. Responses of every status are returned, including redirects.
   *
   * @throws `address_refused` for an address that is not permitted, `outbound_failed` when the response is not complete
   * in time
   */
  async function guardedFetch(address: string | URL, options: OutboundRequest = {}): Promise<OutboundAnswer> {
    const start = performance.now()
    let outcome = 'failed'
    try {
      const answer = tracing?.isOn ? await trace(tracing, address, options) : await send(address, options)
      outcome = `${Math.floor(answer.status / 100)}xx`
      return answer
    } catch (error) {
      if (isEepError(error) && error.code === addressRefused.code) outcome = 'refused'
      throw error
    } finally {
      duration?.observe({ outcome }, (performance.now() - start) / 1_000)
    }
  }

  /** Neither the path nor the query is recorded: they may have credentials. */
  async function trace(tracing: Tracing, address: string | URL, options: OutboundRequest): Promise<OutboundAnswer> {
    const { method = 'GET' } = options
    const url = URL.canParse(String(address)) ? new URL(address) : undefined
    const span = tracing.start({
      name: method,
      kind: 'client',
      remoteParent: options.traceparent === undefined ? undefined : { traceparent: options.traceparent },
      attributes: {
        'http.request.method': method,
        ...(url && {
          'server.address': url.hostname,
          'server.port': Number(url.port) || (url.protocol === 'http:' ? 80 : 443),
          'url.scheme': url.protocol.slice(0, -1),
        }),
      },
    })
    if (!span) return send(address, options)
    try {
      const answer = await span.run(() => send(address, { ...options, headers: withTrace(span, options) }))
      span.set({ 'http.response.status_code': answer.status })
      span.end(answer.status >= 400 ? String(answer.status) : undefined)
      return answer
    } catch (error) {
      span.end(errorTypeOf(error))
      throw error
    }
  }

  async function send(address: string | URL, options: OutboundRequest): Promise<OutboundAnswer> {
    const { method = 'GET', headers = {}, body: sent, maxBytes = MAX_BYTES, timeoutMs = TIMEOUT_MS } = options
    const { url, agent } = route(address)
    // What the service reads. Webhooks have other signatures.
    const signed = method === 'GET' ? await signOutbound?.({ method, url }) : undefined
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
    try {
      const { request, ...agents } = await open()
      const answer = await request(url, {
        dispatcher: agents[agent],
        method,
        // The body is returned as it was sent, so callers who accept an encoding decode it themselves.
        headers: { 'user-agent': 'eep', 'accept-encoding': 'identity', ...headers, ...signed },
        body: sent ?? null,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
        signal,
      })
      return { status: answer.statusCode, headers: answer.headers, body: await read(answer.body, maxBytes, options) }
    } catch (error) {
      if (isEepError(error)) throw error
      throw outboundFailed({ cause: error })
    }
  }

  return Object.assign(guardedFetch, {
    /** Checks a URL without resolving its host name. Throws `address_refused`. */
    check: (address: string | URL): void => void route(address),
    /** Signs each GET request from now on. */
    signWith(sign: SignOutbound): void {
      signOutbound = sign
    },
    close: async (): Promise<void> => {
      if (!isOpened) return
      const { outward, inward } = await open()
      await Promise.all([outward.close(), inward.close()])
    },
  })
}

const withTrace = (span: Span, { headers }: OutboundRequest): Readonly<Record<string, string>> => {
  const { traceparent, tracestate } = span.headers()
  return {
    ...headers,
    ...(traceparent === undefined ? {} : { traceparent }),
    ...(tracestate === undefined ? {} : { tracestate }),
  }
}

/** Requests URLs that users name. */
export type GuardedFetch = ReturnType<typeof createGuardedFetch>
