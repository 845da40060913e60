import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openEveryRoute } from '../../support/every-route.ts'

let routes: Awaited<ReturnType<typeof openEveryRoute>>
beforeAll(async () => {
  routes = await openEveryRoute()
})
afterAll(() => routes.close())

/** Open until the client leaves, or taken over by a socket. */
const STAYS_OPEN = /^\/(?:stream|eep\/stream|eep\/pulse|ws)(?:\/|$)/

/** Headers of one request: its id and time, its place in the rate limit, and single-use values of challenges. */
const OF_ONE_REQUEST = new Set([
  'date',
  'x-request-id',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit',
  'payment-required',
  'www-authenticate',
])

/** The state of a sign-in at a provider is used once. */
const STATE = /(?<=state=)[\w-]+/g

/** Figures that are counted while these requests run. */
const COUNTED = /^\/(?:analytics|insights)(?:\/|$)/

function namesAndValues(url: string, headers: Readonly<Record<string, unknown>>) {
  const isOfOne = (name: string) => OF_ONE_REQUEST.has(name) || (name === 'content-length' && COUNTED.test(url))
  return Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name, isOfOne(name) ? 'of one request' : String(value).replaceAll(STATE, '')])
      .sort(),
  )
}

const urlsOf = (path: string) => {
  const url = routes.goodPath(path)
  return path.includes('{prefix}') || ['/feed', '/discover', '/docs'].includes(path) ? [url, `${url}.json`] : [url]
}

describe.each(['*/*', 'application/json', 'text/html', 'application/problem+json'])('HEAD with Accept %s', (accept) => {
  it.each(['anonymous', 'signed in'])('differs from GET in nothing but ids of the request: %s', async (who) => {
    const different: unknown[] = []
    for (const [method, path, operation] of routes.operations) {
      if (method !== 'GET' || STAYS_OPEN.test(path)) continue
      for (const url of urlsOf(path)) {
        const headers = { ...(who === 'anonymous' ? { 'accept-encoding': 'br' } : routes.callersOf(operation)), accept }
        const got = await routes.send('GET', url, undefined, headers)
        const head = await routes.send('HEAD', url, undefined, headers)
        const [ofGet, ofHead] = [namesAndValues(url, got.headers), namesAndValues(url, head.headers)]
        if (got.statusCode !== head.statusCode || JSON.stringify(ofGet) !== JSON.stringify(ofHead)) {
          different.push({ url, statuses: [got.statusCode, head.statusCode], ofGet, ofHead })
        }
        expect(head.rawPayload, url).toHaveLength(0)
      }
    }
    expect(different).toEqual([])
  })
})
