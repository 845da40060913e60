import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, type Person, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { downloaded, jsonOf, unzip } from '../support/archives.ts'
import { client } from '../support/client.ts'
import { createClock } from '../support/clock.ts'
import { untilJob } from '../support/jobs.ts'
import { openSite, type SiteHandler, scanned, type WireCheck } from '../support/sites.ts'

const HOUR = 3_600_000

const time = createClock()
let test: Awaited<ReturnType<typeof createTestApp>>
let app: TestApp
let ada: Person
let eve: Person
const closes: (() => Promise<void>)[] = []
const open = async (handle?: SiteHandler) => {
  const site = await openSite(handle)
  closes.push(site.close)
  return site
}
/** A site whose page answers when the test releases it. */
async function openHeldSite() {
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const site = await open((request, response) => {
    if (request.url !== '/') return false
    reached.resolve()
    return released.promise.then(() => response.end('<h1>Late</h1>'))
  })
  return { ...site, reached: reached.promise, release: released.resolve }
}

beforeAll(async () => {
  test = await createTestApp({
    clock: time.clock,
    http: { allowPrivateHosts: ['127.0.0.1', 'localhost', 'localhost.'] },
  })
  app = test.app
})
afterAll(() => test.close())
// Each test has accounts with all of their scans.
beforeAll(async () => {
  ada = await signUp(app, 'ada')
  eve = await signUp(app, 'eve')
})
afterEach(async () => {
  for (const close of closes.splice(0)) await close()
})

const scan = (person: Person, url: string) => person.post('/scanner', { url })
const read = (path: string) => client(app).get(path)

describe('POST /scanner', () => {
  it('scans a site in the background, and the result of the job is the report', async () => {
    const site = await open()
    const asked = await scan(ada, `${site.url}/#top`)
    expect(asked.statusCode, asked.body).toBe(202)
    expect(asked.headers.location).toBe(`/jobs/${asked.json().id}`)
    const { status, result } = await untilJob(app, asked.json().id, ada)
    expect(status).toBe('succeeded')
    expect(result).toEqual({
      url: `${site.url}/`,
      score: expect.any(Number),
      grade: 'F',
      level: 'none',
      checks: expect.any(Array),
      scanned_at: time.clock().toISOString(),
    })
    const checks = result?.checks as readonly WireCheck[]
    const check = (id: string) => checks.find((each) => each.id === id)
    expect(check('robots-txt')).toEqual({
      id: 'robots-txt',
      category: 'crawling',
      status: 'pass',
      detail: expect.any(String),
      evidence: null,
      fix: null,
      doc: 'https://www.rfc-editor.org/rfc/rfc9309',
    })
    expect(check('llms-txt')).toMatchObject({ status: 'fail', evidence: '404, no media type', fix: expect.any(String) })
    expect(check('mcp-card')).toMatchObject({ status: 'skip', fix: null })
  })

  it('names itself, sends no credentials, and requests each document once', async () => {
    const site = await open()
    await scanned(app, ada, site.url)
    const sent = site.requests.map(
      ({ url, headers }) => `${url} ${headers.accept ?? ''} ${headers['if-none-match'] ?? ''}`,
    )
    expect(new Set(sent).size).toBe(sent.length)
    expect(site.paths()[0]).toBe('/robots.txt')
    for (const { method, headers } of site.requests) {
      expect(method).toBe('GET')
      expect(headers['user-agent']).toBe('EEP-Site-Scanner/1.0 (+https://profiles.example/scanner/rules)')
      expect([headers.authorization, headers.cookie]).toEqual([undefined, undefined])
    }
  })

  it('requests nothing that robots.txt forbids, and skips its checks', async () => {
    const rules = 'User-agent: EEP-Site-Scanner\nDisallow: /.well-known/\nDisallow: /llms.txt\n'
    const site = await open((request, response) => request.url === '/robots.txt' && response.end(rules))
    const { result } = await scanned(app, ada, site.url)
    expect(site.paths().filter((path) => path?.startsWith('/.well-known/') || path === '/llms.txt')).toEqual([])
    const checks = result?.checks as readonly WireCheck[]
    expect(checks.find(({ id }) => id === 'mcp-card')).toMatchObject({ status: 'skip' })
  })

  it.each([
    ['forbids the page', 'User-agent: *\nDisallow: /\n', 200],
    ['cannot be read', '', 503],
  ])('fails when robots.txt %s, without a request for the page', async (_, rules, status) => {
    const site = await open(
      (request, response) => request.url === '/robots.txt' && response.writeHead(status).end(rules),
    )
    expect(await scanned(app, ada, site.url)).toMatchObject({ status: 'failed', error: { code: 'site_forbids_scan' } })
    expect(site.paths()).toEqual(['/robots.txt'])
  })

  it('fails when the site does not answer, and when it redirects to another host', async () => {
    const gone = await open()
    await gone.close()
    expect((await scanned(app, ada, gone.url)).error?.code).toBe('site_unreachable')
    const other = await open()
    const site = await open((_, response) => response.writeHead(302, { location: `${other.url}/robots.txt` }).end())
    expect((await scanned(app, ada, site.url)).error?.code).toBe('site_unreachable')
    expect(other.paths()).toEqual([])
  })

  it('rejects an empty URL', async () => {
    const response = await ada.post('/scanner', { url: '' })
    expect([response.statusCode, codeOf(response)]).toEqual([400, 'validation_failed'])
  })

  it('scans for an API key that may write content', async () => {
    const site = await open()
    const writer = await newKey(app, ada.headers, { scopes: ['read:content', 'write:content'] })
    const asked = await client(app).post('/scanner', { url: site.url }, writer.headers)
    expect(asked.statusCode, asked.body).toBe(202)
    expect((await untilJob(app, asked.json().id, ada)).status).toBe('succeeded')
  })
})

describe('the limits of scans', () => {
  it('scans a host once at a time, for all accounts, and again when the scan has ended', async () => {
    const site = await openHeldSite()
    const first = await scan(ada, site.url)
    await site.reached
    for (const person of [ada, eve]) {
      const refused = await scan(person, `${site.url}/other`)
      expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'site_scan_running'])
      expect(refused.headers['retry-after']).toBe('10')
    }
    site.release()
    await untilJob(app, first.json().id, ada)
    expect((await scanned(app, eve, site.url)).status).toBe('succeeded')
  })

  it('knows a host whose name ends in a dot as the same', async () => {
    const site = await openHeldSite()
    const url = site.url.replace('127.0.0.1', 'localhost')
    const first = await scan(ada, url)
    await site.reached
    const refused = await scan(eve, url.replace('localhost', 'localhost.'))
    expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'site_scan_running'])
    site.release()
    expect((await untilJob(app, first.json().id, ada)).status).toBe('succeeded')
  })

  it('ends a scan that is cancelled, and frees its host', async () => {
    const site = await openHeldSite()
    const { id } = (await scan(ada, site.url)).json()
    await site.reached
    expect((await ada.delete(`/jobs/${id}`)).json().status).toBe('cancelled')
    site.release()
    expect((await scanned(app, ada, site.url)).status).toBe('succeeded')
  })

  it('accepts 20 scans of an account in 24 hours, also of concurrent requests', async () => {
    const busy = await signUp(app)
    const requestMany = (count: number) =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const response = await scan(busy, `https://${randomUUID()}.invalid/`)
          if (response.statusCode === 202) await busy.delete(`/jobs/${response.json().id}`)
          return response
        }),
      )
    const codes = (responses: Awaited<ReturnType<typeof requestMany>>) =>
      responses.map((response) => (response.statusCode === 202 ? 'accepted' : codeOf(response))).sort()
    expect(codes(await requestMany(18))).toEqual(Array(18).fill('accepted'))
    const last = await requestMany(5)
    expect(codes(last)).toEqual([...Array(2).fill('accepted'), ...Array(3).fill('site_scan_limit_reached')])
    const refused = last.find(({ statusCode }) => statusCode === 429)
    expect(refused?.headers['retry-after']).toBe(String(24 * 3_600))
    expect((await scan(eve, `https://${randomUUID()}.invalid/`)).statusCode).toBe(202)
    await time.at(time.clock().getTime() + 24 * HOUR + 1, async () => {
      expect(codes(await requestMany(1))).toEqual(['accepted'])
    })
  })
})

describe('a scan', () => {
  let id: string
  beforeAll(async () => {
    const site = await openSite()
    id = (await scanned(app, ada, site.url)).id
    await site.close()
  })

  it('can be read by anyone who has its id, while its job belongs to its account', async () => {
    const response = await read(`/scanner/${id}`)
    const { result } = (await ada.get(`/jobs/${id}`)).json()
    expect(response.json()).toEqual({ id, status: 'succeeded', error: null, ...result })
    expect(response.headers).toMatchObject({ 'x-robots-tag': 'noindex', 'cache-control': 'public, max-age=3600' })
    expect((await eve.get(`/jobs/${id}`)).statusCode).toBe(404)
  })

  it('has a badge with its grade', async () => {
    const badge = await read(`/scanner/${id}/badge.svg`)
    const { grade, score } = (await read(`/scanner/${id}`)).json()
    expect(badge.headers['content-type']).toBe('image/svg+xml; charset=utf-8')
    expect(badge.headers['content-security-policy']).toBe("default-src 'none'")
    expect(badge.body).toContain(`>${grade} ${score}</text>`)
    const again = await client(app).get(`/scanner/${id}/badge.svg`, { 'if-none-match': String(badge.headers.etag) })
    expect(again.statusCode).toBe(304)
  })

  it('that has not ended has no report, and a badge that is not cached', async () => {
    const site = await openHeldSite()
    const { id } = (await scan(ada, site.url)).json()
    await site.reached
    const empty = { score: null, grade: null, level: null, checks: [], scanned_at: null, error: null }
    const shown = await read(`/scanner/${id}`)
    expect(shown.json()).toEqual({ id, url: `${site.url}/`, status: 'running', ...empty })
    expect(shown.headers['cache-control']).toBe('no-store')
    const badge = await read(`/scanner/${id}/badge.svg`)
    expect([badge.headers['cache-control'], badge.body.includes('>pending<')]).toEqual(['no-cache', true])
    site.release()
    await untilJob(app, id, ada)
  })

  it.each(['', '/badge.svg'])('that does not exist is 404 at /scanner/{id}%s, as are other jobs', async (suffix) => {
    const { id: other } = (await ada.post('/export', { account: true })).json()
    await untilJob(app, other, ada)
    for (const unknown of [randomUUID(), 'no-id', other]) {
      const response = await read(`/scanner/${unknown}${suffix}`)
      expect([response.statusCode, codeOf(response)]).toEqual([404, 'site_scan_not_found'])
    }
  })

  it('is in the export of its account', async () => {
    const members = await unzip(await downloaded(app, ada, { account: true }))
    const scans = jsonOf(members, 'site-scans.json')
    const shown = (await read(`/scanner/${id}`)).json()
    expect(scans).toContainEqual({ ...shown, requested_at: time.clock().toISOString() })
    const others = jsonOf(await unzip(await downloaded(app, await signUp(app), { account: true })), 'site-scans.json')
    expect(others).toEqual([])
  })
})

describe('GET /scanner/rules', () => {
  it('lists the rules of reports, in their order', async () => {
    const response = await read('/scanner/rules')
    const { user_agent: agent, rules } = response.json()
    expect(agent).toBe('EEP-Site-Scanner')
    const site = await open()
    const { result } = await scanned(app, await signUp(app), site.url)
    const ids = (list: readonly { readonly id: string }[]) => list.map(({ id }) => id)
    expect(ids(rules)).toEqual(ids(result?.checks as readonly WireCheck[]))
    expect(rules[0]).toEqual({
      id: 'robots-txt',
      category: 'crawling',
      summary: expect.any(String),
      weight: 5,
      fix: expect.any(String),
      doc: expect.any(String),
    })
  })
})
