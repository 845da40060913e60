import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { PASSWORD } from '../support/accounts.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { createWriter } from '../support/content.ts'
import { startHost, until } from '../support/host.ts'
import { migratedDataDirectory } from '../support/migrated-pglite.ts'
import { freePort } from '../support/ports.ts'
import { shopGate } from '../support/shop.ts'
import type { WireCheck } from '../support/sites.ts'

interface Scan {
  readonly status: string
  readonly checks: readonly WireCheck[]
}

/** Scans a page of a host with its own scanner, for a new account. Every check passes, or is skipped. */
async function ownScan(base: string, path: string) {
  const post = (to: string, body: object, headers: Record<string, string> = {}) =>
    fetch(base + to, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const name = `scanner-${path.length}`
  const registered = await post('/auth/register', {
    email: `${name}@example.com`,
    password: PASSWORD,
    username: name,
  })
  const { token } = (await registered.json()) as { token: string }
  const asked = await post('/scanner', { url: base + path }, { authorization: `Bearer ${token}` })
  expect(asked.status).toBe(202)
  const { id } = (await asked.json()) as { id: string }
  const scan = await until(
    async () => {
      const found = (await (await fetch(`${base}/scanner/${id}`)).json()) as Scan
      return ['succeeded', 'failed'].includes(found.status) ? found : undefined
    },
    () => 'the scan ended',
  )
  expect(scan.checks.filter(({ status }) => status !== 'pass' && status !== 'skip')).toEqual([])
  return { id, scan }
}

/** Compares text that was laid out for readers. */

/** What scanners of agent readiness look for, asked of the example host as it is on its first day. */
describe('a fresh host', () => {
  let directory: string
  let host: Awaited<ReturnType<typeof startHost>>
  let base: string
  beforeAll(async () => {
    directory = await migratedDataDirectory()
    host = await startHost({
      EEP_DATA_DIR: directory,
      EEP_RATE_LIMIT_MULTIPLIER: '100',
      // The host scans itself, with a way to pay for its gated page. The facilitator is not called for offers.
      // The seller is the one of the demo, which the quick tour shows.
      EEP_DEV_CALLBACK_HOSTS: 'localhost',
      X402_PAY_TO: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
      X402_FACILITATOR_URL: 'http://127.0.0.1:9',
    })
    base = host.url
  })
  afterAll(async () => {
    await host?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  const get = (path: string, accept?: string) => fetch(base + path, accept ? { headers: { accept } } : {})
  const typeOf = (response: Response) => String(response.headers.get('content-type'))

  it('serves a robots.txt with rules for AI crawlers, a content signal and the sitemap', async () => {
    const response = await get('/robots.txt')
    expect(response.status).toBe(200)
    expect(typeOf(response)).toBe('text/plain; charset=utf-8')
    const text = await response.text()
    for (const bot of ['*', 'GPTBot', 'ClaudeBot', 'Google-Extended', 'PerplexityBot', 'CCBot']) {
      expect(text).toMatch(new RegExp(`^User-agent: ${bot === '*' ? '\\*' : bot}$`, 'm'))
    }
    expect(text).toMatch(/^Content-Signal: search=yes, ai-input=yes, ai-train=no$/m)
    expect(text).toMatch(/^Allow: \/$/m)
    expect(text).not.toMatch(/^Disallow: \/(?:[oulapkex]|agent)?$/m)
    expect(text).toContain(`\nSitemap: ${base}/sitemap.xml\n`)
  })

  it('serves a sitemap whose URLs respond', async () => {
    const response = await get('/sitemap.xml')
    expect(typeOf(response)).toBe('application/xml')
    const text = await response.text()
    const addresses = [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => String(address))
    expect(addresses).toContain(`${base}/`)
    expect(addresses).toContain(`${base}/o/demo`)
    for (const address of addresses) expect([200, 402, 403], address).toContain((await fetch(address)).status)
  })

  it('lists its descriptions in Link headers', async () => {
    const link = String((await get('/')).headers.get('link'))
    for (const rel of ['service-desc', 'service-doc', 'api-catalog', 'describedby', 'sitemap']) {
      expect(link).toContain(`rel="${rel}"`)
    }
    const profile = String((await get('/o/demo')).headers.get('link'))
    for (const rel of ['contents', 'changelog', 'freshness', 'badge', 'service-desc', 'alternate']) {
      expect(profile).toContain(`rel="${rel}"`)
    }
  })

  it.each(['/', '/o/demo', '/o/demo/content', '/discover'])(
    'answers %s with Markdown to agents, with HTML to browsers',
    async (path) => {
      for (const accept of [undefined, '*/*', 'text/markdown', 'text/markdown, text/html;q=0.5']) {
        const response = await get(path, accept)
        expect(typeOf(response), accept).toBe('text/markdown; charset=utf-8')
        expect(response.headers.get('vary')).toContain('Accept')
      }
      const page = await get(path, 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8')
      expect(typeOf(page)).toBe('text/html; charset=utf-8')
    },
  )

  it('serves an API catalogue (RFC 9727), also for HEAD', async () => {
    const response = await get('/.well-known/api-catalog')
    expect(typeOf(response)).toBe('application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"')
    const { linkset } = (await response.json()) as { linkset: Record<string, { href: string }[] | string>[] }
    expect(linkset).toHaveLength(1)
    const { anchor, ...relations } = linkset[0] ?? {}
    expect(anchor).toBe(`${base}/`)
    expect(Object.keys(relations).sort()).toEqual(['service-desc', 'service-doc', 'service-meta', 'status'])
    for (const { href } of Object.values(relations).flat() as { href: string }[]) {
      expect((await fetch(href)).status, href).toBe(200)
    }
    const head = await fetch(`${base}/.well-known/api-catalog`, { method: 'HEAD' })
    expect(head.headers.get('link')).toContain('rel="api-catalog"')
  })

  it.each(['/.well-known/agent-card.json', '/.well-known/agent.json', '/o/demo/agent-card.json'])(
    'serves an agent card at %s',
    async (path) => {
      const response = await get(path)
      expect(typeOf(response)).toMatch(/^application\/json/)
      const card = (await response.json()) as Record<string, unknown>
      for (const member of ['name', 'description', 'url', 'version', 'protocolVersion', 'preferredTransport']) {
        expect(card[member], member).toEqual(expect.stringMatching(/./))
      }
      // A2A identifies custom bindings by a URI.
      const protocolBinding = 'https://eep.dev/a2a/bindings/eep/v0.1'
      expect(card.supportedInterfaces).toEqual([{ url: card.url, protocolBinding, protocolVersion: '0.1' }])
      expect(card.capabilities).toBeTypeOf('object')
      for (const skill of card.skills as Record<string, unknown>[]) {
        expect(Object.keys(skill)).toEqual(expect.arrayContaining(['id', 'name', 'description', 'tags']))
      }
      expect(card['x-eep']).toMatchObject({ source_did: expect.stringMatching(/^did:web:/), eep_version: '0.1' })
      expect((await fetch(String(card.url))).status).toBe(200)
    },
  )

  it('serves an llms.txt that starts with a name and a summary, and has no broken links', async () => {
    const text = await (await get('/llms.txt')).text()
    expect(text).toMatch(/^# .+\n\n> .+\n/)
    const links = [...text.matchAll(/^- \[[^\]]+\]\(([^)]+)\)/gm)].map(([, link]) => String(link))
    expect(links.length).toBeGreaterThan(10)
    for (const link of links) expect([200, 402, 403], link).toContain((await fetch(link)).status)
    expect(text).toMatch(/gated, [\d.]+ [A-Z]+ per /)
  })

  it.each(['/', '/o/demo'])('scores 100 points with grade A and level full in its own scan of %s', async (path) => {
    const { id, scan } = await ownScan(base, path)
    expect(scan).toMatchObject({ status: 'succeeded', error: null, score: 100, grade: 'A', level: 'full' })
    const skipped = scan.checks.filter(({ status }) => status === 'skip').map(({ id }) => id)
    expect(skipped).toEqual(['rsl-license', 'ai-catalog', 'web-mcp', 'signature-directory', 'payment-challenge'])
    expect(await (await get(`/scanner/${id}/badge.svg`)).text()).toContain('>A 100</text>')
  })

  it('can be discovered from one URL in the order of the interface', async () => {
    const order = [
      '/.well-known/eep.json',
      '/.well-known/eep/agent-guide.md',
      '/discover',
      '/docs/openapi.json',
      '/llms.txt',
      '/llms-full.txt',
      '/robots.txt',
      '/sitemap.xml',
    ]
    const { start } = (await (await get('/', 'application/json')).json()) as { start: { url: string }[] }
    const paths = start.map(({ url }) => url.slice(base.length))
    expect(paths.slice(0, order.length)).toEqual(order)
    for (const { url } of start) {
      const response = await fetch(url)
      expect(response.status, url).toBe(200)
      const again = await fetch(url, { headers: { 'if-none-match': String(response.headers.get('etag')) } })
      expect(again.status, url).toBe(304)
      const head = await fetch(url, { method: 'HEAD' })
      expect(head.headers.get('etag'), url).toBe(response.headers.get('etag'))
    }
  })
})

/** Sells a page for a price that cannot be paid, as the example host does when it takes no payments. */
async function sellPage(app: TestApp) {
  const writer = await createWriter(app)
  const { did } = await writer.getJson(`/profiles/u/${writer.account.username}`)
  const gate = await writer.put(`/eep/gates/${encodeURIComponent(did)}`, shopGate())
  expect(gate.statusCode, gate.body).toBe(200)
  const category = await writer.newCategory({ name: 'Notes' })
  await writer.newPage({ title: 'Engines', category_id: category.id })
}

describe('a service that takes no payments', () => {
  it('scores 100 points in its own scan, without the checks of payments', async () => {
    const port = await freePort()
    const publicUrl = `http://127.0.0.1:${port}`
    const { app, close } = await createTestApp({ publicUrl, http: { allowPrivateHosts: ['127.0.0.1'] } })
    onTestFinished(close)
    await sellPage(app)
    await app.listen({ port, host: '127.0.0.1' })
    const { scan } = await ownScan(publicUrl, '/')
    expect(scan).toMatchObject({ status: 'succeeded', score: 100, grade: 'A', level: 'full' })
    const payments = scan.checks.filter(({ category }) => category === 'payments')
    expect(new Set(payments.map(({ status }) => status))).toEqual(new Set(['skip']))
    expect(payments.map(({ detail }) => detail)).toContain('The EEP manifest declares that the site takes no payments.')
  })
})
