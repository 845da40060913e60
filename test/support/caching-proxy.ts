import type { Headers, Requests, Response } from './client.ts'

interface Stored {
  readonly url: string
  /** The request headers that the response varies on, and their values. */
  readonly selecting: readonly (readonly [string, string | undefined])[]
  readonly response: Response
}

const listOf = (header: unknown) =>
  String(header ?? '')
    .toLowerCase()
    .split(/\s*,\s*/)
    .filter((name) => name !== '')

/**
 * A shared cache in front of an application, which stores all that `Cache-Control` and `Vary` let it store (RFC 9111, 3 and 4.1). It
 * knows no rule about cookies.
 */
export function openCachingProxy(app: Requests) {
  const stored: Stored[] = []
  let hits = 0
  return {
    /** How many requests the cache answered. */
    hits: () => hits,
    async get(url: string, headers: Headers = {}): Promise<Response> {
      const known = stored.find(
        (one) => one.url === url && one.selecting.every(([name, value]) => headers[name] === value),
      )
      if (known) {
        hits += 1
        return known.response
      }
      const response = await app.inject({ method: 'GET', url, headers })
      const directives = listOf(response.headers['cache-control'])
      const vary = listOf(response.headers.vary)
      const isStorable =
        directives.some((one) => one.startsWith('max-age=')) &&
        !directives.some((one) => one === 'no-store' || one === 'private' || one === 'no-cache') &&
        !vary.includes('*')
      if (isStorable) stored.push({ url, selecting: vary.map((name) => [name, headers[name]] as const), response })
      return response
    },
  }
}
