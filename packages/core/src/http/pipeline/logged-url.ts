import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { type ListenerState, listenerStateOf } from './listener-state.ts'

/**
 * Query parameters whose values are credentials: of email links, sign-in providers, devices, event streams, checkout pages,
 * exports and unlisted profiles. `next` may be such a link, to which a sign-in leads. The service reads no passwords from URLs, but
 * forms without a method and mistaken clients send them there.
 */
const SECRET_PARAMETERS: ReadonlySet<string> = new Set([
  'access_token',
  'api_key',
  'authorization',
  'checkout_id',
  'client_assertion',
  'client_secret',
  'code',
  'code_verifier',
  'current_password',
  'device_code',
  'id_token',
  'key',
  'new_password',
  'next',
  'password',
  'refresh_token',
  'secret',
  'session_id',
  'signature',
  'state',
  'token',
  'user_code',
])

const readName = (parameter: string): string => [...new URLSearchParams(parameter).keys()][0]?.toLowerCase() ?? ''

function redactQuery(query: string): string {
  const redact = (parameter: string) =>
    SECRET_PARAMETERS.has(readName(parameter)) ? `${readName(parameter)}=[Redacted]` : parameter
  return query.split('&').map(redact).join('&')
}

/**
 * Removes credentials from the path and the query of a URL.
 *
 * @internal
 */
export function redactUrl(url: string, { secretPaths }: Pick<ListenerState, 'secretPaths'>): string {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  const redacted = secretPaths.reduce((text, pattern) => text.replace(pattern, '$1[Redacted]'), path)
  return mark < 0 ? redacted : `${redacted}?${redactQuery(url.slice(mark + 1))}`
}

/**
 * The URL of a request without credentials, for request logs: path parameters that routes declare as secret and the
 * values of credential query parameters are replaced by `[Redacted]`.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/operations.md
 * @example
 * Fastify({ logger: { serializers: { req: (request) => ({ method: request.method, url: loggedUrl(request) }) } } })
 */
export function loggedUrl(request: FastifyRequest): string {
  // The path of a request without a route may contain a secret; that of a route that declares none does not.
  const { eep } = request.routeOptions?.config ?? {}
  const state = eep && !eep.secrets ? undefined : listenerStateOf(request.server)
  return redactUrl(request.url, state ?? NO_SECRETS)
}

const NO_SECRETS = { secretPaths: [] }

/** Returns a pattern that matches a path up to and including the secret parameter, under any prefix. */
export function secretPathPattern(path: string, parameter: string): RegExp {
  const before = path.slice(0, path.indexOf(`/:${parameter}`))
  const segments = before
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '[^/]+' : segment.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')))
  return new RegExp(`^(.*${segments.join('/')}/)[^/]+`, 'i')
}

type Serialize = (request: FastifyRequest) => unknown

const serializersKey = Symbol.for('pino.serializers')

const fastifySerializer: Serialize = ({ method, url, host, ip, socket }) => ({
  method,
  url,
  host,
  remoteAddress: ip,
  remotePort: socket?.remotePort,
})

/**
 * Wraps the request serializer of the host for routes with secrets in their URL, so that it gets the redacted URL. Other
 * serializers of the host stay in use.
 */
export function redactingSerializers(log: FastifyBaseLogger): { readonly req: Serialize } {
  const { req = fastifySerializer } = (log as { [serializersKey]?: { req?: Serialize } })[serializersKey] ?? {}
  return {
    req(request) {
      // A serializer may read any member of the request, so it gets the request itself with another URL in front of it.
      const url = { value: loggedUrl(request), enumerable: true }
      const raw = { value: Object.create(request.raw, { url }) }
      return req(Object.create(request, { url, originalUrl: url, raw }))
    },
  }
}
