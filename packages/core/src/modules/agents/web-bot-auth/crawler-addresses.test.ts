import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createGuardedFetch } from '../../../runtime/outbound/index.ts'
import { createCrawlerAddresses } from './crawler-addresses.ts'

const DAY_MS = 86_400_000
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const PREFIXES = [
  { ipv4Prefix: '66.249.64.0/27' },
  { ipv6Prefix: '2001:4860:4801:10::/64' },
  { ipv4Prefix: '0.0.0.0/0' },
]
const list = { creationTime: '2026-11-30T00:00:00.000000', prefixes: PREFIXES }
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

/** The addresses of Google's crawler, from a server on this machine. */
async function openAddresses(answer: () => { readonly status?: number; readonly body: unknown }) {
  let now = Date.now()
  let requests = 0
  const server = createServer((_request, response) => {
    requests += 1
    const { status = 200, body } = answer()
    response.writeHead(status).end(JSON.stringify(body))
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const fetch = createGuardedFetch({ allowPrivateHosts: [host] })
  ends.push(fetch.close, () => server.close())
  const reported: unknown[] = []
  const addresses = createCrawlerAddresses({
    engines: { google: `http://${host}/list.json` },
    fetch,
    clock: () => new Date(now),
    report: (error) => void reported.push(error),
  })
  const engineOf = (ip: string | undefined, userAgent = GOOGLEBOT) =>
    addresses.engineOf({ ip, headers: { 'user-agent': userAgent } })
  return {
    refresh: addresses.refresh,
    engineOf,
    reported,
    requests: () => requests,
    later(ms: number) {
      now += ms
    },
  }
}

describe('the addresses of a search engine', () => {
  it('prove its crawler together with its user agent', async () => {
    const { refresh, engineOf } = await openAddresses(() => ({ body: list }))
    expect(engineOf('66.249.64.1')).toBeUndefined()
    await refresh()
    expect(engineOf('66.249.64.1')).toBe('google')
    expect(engineOf('::ffff:66.249.64.1')).toBe('google')
    expect(engineOf('2001:4860:4801:10::1')).toBe('google')
    expect(engineOf('66.249.64.1', 'Mozilla/5.0 Firefox/140.0')).toBeUndefined()
    expect(engineOf('66.249.65.1')).toBeUndefined()
    expect(engineOf('not an address')).toBeUndefined()
  })

  it('prove nothing on a Unix socket, which has no address', async () => {
    const { refresh, engineOf } = await openAddresses(() => ({ body: list }))
    await refresh()
    expect(engineOf(undefined)).toBeUndefined()
  })

  it('are fetched once a day, and used for a week while that fails', async () => {
    let isDown = false
    const { refresh, engineOf, reported, requests, later } = await openAddresses(() =>
      isDown ? { status: 503, body: {} } : { body: list },
    )
    await refresh()
    await refresh()
    expect(requests()).toBe(1)
    isDown = true
    later(DAY_MS)
    await refresh()
    expect([requests(), reported.length, engineOf('66.249.64.1')]).toEqual([2, 1, 'google'])
    later(6 * DAY_MS)
    expect(engineOf('66.249.64.1')).toBeUndefined()
  })

  it('are not read from a response that is not such a list', async () => {
    const { refresh, engineOf, reported } = await openAddresses(() => ({ body: { prefixes: [] } }))
    await refresh()
    expect([engineOf('66.249.64.1'), reported.length]).toEqual([undefined, 1])
  })
})
