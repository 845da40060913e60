import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../kernel/errors.ts'
import type { RouteDefinition } from '../route-definition.ts'
import type { RouteConfig } from '../routes.ts'

type Pattern = Pick<RouteConfig, 'auth' | 'tag' | 'family'>

const ADDRESSES: ReadonlySet<string> = new Set(['discovery', 'feed'])

/** Whether a route is an address that people type and link to: profiles with what lies below them, discovery and feed. */
export const isAddress = ({ auth, tag, family }: Pattern): boolean =>
  auth === 'none' && (family !== undefined || ADDRESSES.has(tag))

/** A name in a path: of a profile, a category, a page, an error or a hashtag, and a suffix such as `.json`. */
const NAME = /^(?!\.+$)[\p{L}\p{M}\p{N}_.~-]+$/u
/** The parameters that consist of names in lower case. */
const LOWER_CASE: ReadonlySet<string> = new Set(['username', 'slug', '*'])

const lowered = (text: string) => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

/** Returns the same path with a slash at its end, for addresses, unless the router of the host ignores it. */
export function withSlash(
  { method, url, config }: RouteDefinition,
  { routerOptions, ignoreTrailingSlash }: FastifyInstance['initialConfig'],
): RouteDefinition | undefined {
  if (routerOptions?.ignoreTrailingSlash ?? ignoreTrailingSlash) return undefined
  const { auth, tag, family, alias } = config.eep
  if (alias || method !== 'GET' || !isAddress(config.eep) || /^$|[/*]$/.test(url)) return undefined
  const eep: RouteConfig = { auth, tag, family, operationId: '', summary: '', alias: true }
  return { method, url: `${url}/`, config: { eep }, handler: neverFound }
}

/** The handler of a path with a slash at its end that is not redirected. */
const neverFound = async (): Promise<never> => {
  throw notFound()
}

/** The value of a parameter as it is in a canonical address; undefined when it is not a name. */
function canonicalValue(name: string, value: string): string | undefined {
  const segments = name === '*' ? value.replace(/\/$/, '').split('/') : [value]
  if (!segments.every((segment) => NAME.test(segment))) return undefined
  const written = LOWER_CASE.has(name) ? segments.map(lowered) : segments
  return written.map(encodeURIComponent).join('/')
}

const decoded = (path: string): string | undefined => {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

/**
 * Returns the address without a slash at its end and with names in lower case, for a GET or HEAD request that wrote it
 * differently; undefined for others. It is built from the path of the route and from names, never from the text of the request, so
 * that it cannot lead to another site.
 */
export function canonicalAddress(request: FastifyRequest, route: FastifyRequest['routeOptions']): string | undefined {
  const { method, raw, params } = request
  const { eep } = route.config
  if ((method !== 'GET' && method !== 'HEAD') || !eep || !isAddress(eep) || !route.url) return undefined
  // The start page.
  if (route.url.replace(/\/$/, '') === request.server.prefix) return undefined
  const { url = '' } = raw
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  if (!path.endsWith('/') && !/[A-Z]/.test(path)) return undefined

  const values = params as Readonly<Record<string, string>>
  let isNamed = true
  const canonical = route.url.replace(/\/$/, '').replaceAll(/:(\w+)(?:\([^)]*\)\$?\))?|\*/g, (whole, name: string) => {
    const value = canonicalValue(name ?? whole, values[name ?? whole] ?? '')
    if (value === undefined) isNamed = false
    return value ?? ''
  })
  if (!isNamed || canonical === '' || decoded(canonical) === decoded(path)) return undefined
  return mark < 0 ? canonical : canonical + url.slice(mark)
}

/** Sends a request to the canonical address, which caches may keep. */
export const redirectTo = (reply: FastifyReply, address: string): FastifyReply =>
  reply.header('cache-control', 'public, max-age=3600').redirect(address, 308)
