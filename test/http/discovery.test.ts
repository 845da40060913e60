import { brotliDecompressSync, gzipSync } from 'node:zlib'
import type { DocsUi } from '@eep/core/ports'
import { cashRail } from '@eep/core/testing'
import { decode } from '@toon-format/toon'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp, signUpListed } from '../support/accounts.ts'
import { createTestApp, PUBLIC_URL } from '../support/app.ts'
import { client } from '../support/client.ts'

type Service = Awaited<ReturnType<typeof createTestApp>>

let service: Service
beforeAll(async () => {
  service = await createTestApp({ name: 'Trial', payments: { rails: [cashRail()] }, limits: { readCacheEntries: 0 } })
})
afterAll(() => service.close())

const { get } = client(() => service.app)
const json = async <Body>(url: string) => (await get(url, { accept: 'application/json' })).json<Body>()

/** Addresses of events: they stream without an end, or want a POST, an upgrade or a key. Their tests call them. */
const isOfSubscribers = (path: string) => /^\/(stream\/|ws\/|eep\/(stream|subscribe|pulse|events)\b)/.test(path)

interface Description {
  readonly paths: Record<string, Record<string, unknown>>
}

describe('public documents of the service', () => {
  // formats.test.ts has all others.
  const documents = ['/', '/docs']

  it.each(documents)('serves %s as Markdown by default, with Vary: Accept', async (url) => {
    const response = await get(url)
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(response.headers.vary).toMatch(/^Accept(, accept-encoding)?$/)
    expect(response.body).toMatch(/^# .+\n/)
    expect(response.body).not.toMatch(/undefined|\[object|NaN/)
  })

  it.each(documents)('serves the same data of %s as TOON and JSON', async (url) => {
    const inJson = await get(url, { accept: 'application/json' })
    const inToon = await get(`${url}?format=toon`, { accept: 'application/json' })
    expect(inToon.headers['content-type']).toBe('text/toon; charset=utf-8')
    expect(decode(inToon.body)).toEqual(inJson.json())
  })

  it.each([...documents, '/robots.txt', '/agents.txt', '/.well-known/eep/agent-guide.md', '/.well-known/agent.json'])(
    'returns 304 for %s when the client has it',
    async (url) => {
      const { headers } = await get(url)
      expect(headers['cache-control']).toMatch(/^public, max-age=\d+$/)
      const again = await get(url, { 'if-none-match': String(headers.etag) })
      expect(again.statusCode).toBe(304)
      expect(again.body).toBe('')
      expect(again.headers.etag).toBe(headers.etag)
      expect(again.headers['cache-control']).toBe(headers['cache-control'])
    },
  )

  it('returns 404 for an unknown error code', async () => {
    expect((await get('/docs/errors/no_such_code')).statusCode).toBe(404)
    expect((await get('/docs/errors/__proto__')).statusCode).toBe(404)
  })

  it('lists the routes that answer with an error', async () => {
    const { routes } = await json<{ routes: string[] }>('/docs/errors/profile_not_found')
    expect(routes).toContain('GET /{prefix}/{username}')
  })

  it('lists every code that a route declares', async () => {
    const { errors } = await json<{ errors: { code: string; url: string }[] }>('/docs/errors')
    const codes = new Set(errors.map(({ code }) => code))
    const description = JSON.stringify(await json('/docs/openapi.json'))
    for (const [, code] of description.matchAll(/`([a-z0-9_]+)`: /g)) expect(codes).toContain(code)
  })
})

describe('discovery documents', () => {
  it('lets clients cache the service description for an hour', async () => {
    expect((await get('/discover')).headers['cache-control']).toBe('public, max-age=3600')
  })

  it('begins with a search and new profiles for people, and keeps the capabilities below', async () => {
    const person = await signUpListed(service.app)
    const { body, headers } = await get('/discover', { accept: 'text/html' })
    expect(headers['cache-control']).toBe('public, max-age=60')
    expect(body).toContain(`href="/u/${person.account.username}"`)
    expect(body.indexOf('For programs and agents')).toBeGreaterThan(body.indexOf(person.account.username))
    expect(body).toContain('Every response has')
  })

  it('lists the nine types of profiles with working URLs', async () => {
    const { profile_types } = await json<{ profile_types: { type: string; url: string }[] }>('/discover')
    expect(profile_types).toHaveLength(9)
    expect(profile_types).toContainEqual({
      type: 'person',
      prefix: 'u',
      url: `${PUBLIC_URL}/u/{username}`,
      schema: `${PUBLIC_URL}/schemas/profiles/person.json`,
    })
  })

  it('describes the URLs of profiles to agents', async () => {
    const { body } = await get('/agents.txt')
    const patterns = ['', '/content', '/content/{path}', '/changelog', '/freshness', '/did.json', '/agent-card.json']
    for (const below of patterns) expect(body).toContain(`: ${PUBLIC_URL}/{prefix}/{username}${below}\n`)
    expect(body.match(/^Prefix: .*$/gm)).toHaveLength(9)
    expect(body).toContain('Prefix: agent (agent)')
    expect((await get('/.well-known/eep/agent-guide.md')).body).toContain(
      '`…/badge.svg`: a badge with its name, as an image',
    )
  })

  it('describes the configured limits, sign-in methods and payment methods', async () => {
    const { rate_limits, authentication, payment } = await json<{
      rate_limits: { groups: unknown }
      authentication: { carrier: string }[]
      payment: { rails: unknown; docs_url: string; steps: string[] }
    }>('/discover')
    expect(rate_limits.groups).toContainEqual({ group: 'auth', requests: 5_000 })
    expect(rate_limits.groups).toContainEqual(expect.objectContaining({ group: 'search' }))
    expect(authentication.map(({ carrier }) => carrier)).toContain('Authorization: Bearer <ACCESS_TOKEN>')
    expect(payment.docs_url).toBe(`${PUBLIC_URL}/docs/payments`)
    expect(payment.rails).toMatchObject([{ id: 'cash', protocol: 'x402' }])
    expect(payment.steps.length).toBeGreaterThan(3)
  })

  it('lists every route of the service, profile routes once for all prefixes', async () => {
    const { features } = await json<{ features: { routes: { route: string }[] }[] }>('/discover')
    const routes = features.flatMap((feature) => feature.routes.map(({ route }) => route))
    expect(routes).toContain('GET /{prefix}/{username}')
    expect(new Set(routes).size).toBe(routes.length)
  })

  it('contains no broken links', async () => {
    const { paths } = await json<Description>('/docs/openapi.json')
    const texts = await Promise.all(
      [
        '/',
        '/discover',
        '/.well-known/eep.json',
        '/.well-known/agent-card.json',
        '/.well-known/api-catalog',
        '/agents.txt',
        '/llms.txt',
        '/robots.txt',
        '/docs',
        '/.well-known/did.json',
        '/docs/payments',
        '/docs/errors/not_found',
      ].flatMap((url) => [get(url), get(`${url}?format=json`)]),
    )
    const addresses = new Set(texts.flatMap(({ body }) => body.match(/https:\/\/profiles\.example[^\s"`)>\]]*/g) ?? []))
    const linked = texts.flatMap(({ headers }) =>
      [...String(headers.link ?? '').matchAll(/<([^>]+)>/g)].map(([, to]) => to),
    )
    expect(addresses.size).toBeGreaterThan(10)
    expect(linked.length).toBeGreaterThan(5)
    for (const address of [...addresses, ...linked]) {
      const path = String(address).replace(PUBLIC_URL, '') || '/'
      // Programs send messages there; nothing is read.
      if (path === '/mcp' || path === '/mcp/account') expect(paths[path]).toHaveProperty('post')
      else if (isOfSubscribers(path)) {
        expect(Object.keys(paths)).toContain(path.split('?')[0])
      } else if (path.includes('{')) {
        expect(Object.keys(paths)).toContain(path.replace(/^\/\w+(?=\/\{username\})/, '/{prefix}'))
      } else {
        expect((await get(path)).statusCode, path).toBe(200)
      }
    }
  })

  it('documents for each route whether it returns 304', async () => {
    const { paths } = await json<Record<'paths', Record<string, { get?: { responses: object } }>>>('/docs/openapi.json')
    const walked = Object.entries(paths).flatMap(([path, { get: described }]) =>
      described && !path.includes('{') && !isOfSubscribers(path) ? [{ path, says: '304' in described.responses }] : [],
    )
    for (const { path, says } of walked) {
      const { statusCode, headers } = await get(path)
      if (statusCode === 200) expect('etag' in headers, path).toBe(says)
    }
  })

  it('adds the prefix of the listener to its links', async () => {
    const behind = await createTestApp({ storage: service.storage, prefix: '/api' })
    const { headers } = await client(behind.app).get('/api/discover')
    expect(headers.link).toContain('</api/.well-known/eep.json>; rel="eep"')
    await behind.close()
  })

  it('leaves the root page to the host when configured', async () => {
    const bare = await createTestApp({ storage: service.storage, discovery: { rootFiles: false } })
    expect((await client(bare.app).get('/')).statusCode).toBe(404)
    expect((await client(bare.app).get('/discover')).statusCode).toBe(200)
    await bare.close()
  })
})

describe('the manifest of the protocol', () => {
  it('serves the manifest as JSON, cached for five minutes', async () => {
    const response = await get('/.well-known/eep.json', { accept: 'text/html' })
    expect(response.headers['content-type']).toMatch(/^application\/json/)
    expect(response.headers['cache-control']).toBe('public, max-age=300')
    expect(response.headers['eep-version']).toBe('0.1')
    expect(response.json()).toMatchObject({
      did: 'did:web:profiles.example',
      eep_version: '0.1',
      layers: { layer1: `${PUBLIC_URL}/discover` },
      pqc_ready: false,
      x402_enabled: true,
    })
  })

  it('describes each type of events differently', async () => {
    const { event_types: types } = await json<{ event_types: { type: string; description: string }[] }>(
      '/.well-known/eep.json',
    )
    expect(types.length).toBeGreaterThan(5)
    expect(new Set(types.map(({ description }) => description)).size).toBe(types.length)
    const told = new Map(types.map(({ type, description }) => [type, description]))
    expect(told.get('content.deleted')).toContain('was deleted')
    expect(told.get('entity.deleted')).toContain('was deleted')
  })

  it('prints only addresses in the guide for agents that lead somewhere', async () => {
    const guide = (await get('/.well-known/eep/agent-guide.md')).body
    // A GET of an address that takes only POST is 404.
    const readable = guide.replaceAll(/POST https:[^\s`]*/g, '')
    const urls = readable.match(new RegExp(`${PUBLIC_URL}[^\\s\`'")]*`, 'g')) ?? []
    // Those with a placeholder, such as <USERNAME> or {did}, are not addresses.
    const addresses = [...new Set(urls)].filter((url) => !/[<{]/.test(url))
    expect(addresses.length).toBeGreaterThan(3)
    expect(guide).not.toContain('…&')
    for (const address of addresses) {
      const answer = await get(address.slice(PUBLIC_URL.length) || '/', { accept: 'application/json' })
      expect([address, answer.statusCode]).not.toEqual([address, 404])
    }
  })

  it('links to the keys that sign receipts', async () => {
    const { signing_jwks_url } = await json<{ signing_jwks_url: string }>('/.well-known/eep.json')
    const { keys } = await json<{ keys: Record<string, string>[] }>(new URL(signing_jwks_url).pathname)
    expect(keys).toHaveLength(1)
    expect(Object.keys(keys[0] ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
  })

  it('names a DID whose document has the same keys', async () => {
    const { did } = await json<{ did: string }>('/.well-known/eep.json')
    const document = await get('/.well-known/did.json')
    expect(document.headers['content-type']).toMatch(/^application\/did\+json/)
    const { keys } = await json<{ keys: { kid: string; x: string }[] }>('/.well-known/jwks.json')
    expect(document.json()).toMatchObject({
      id: did,
      verificationMethod: keys.map(({ kid, x }) => ({ id: `${did}#${kid}`, publicKeyJwk: { x } })),
    })
  })

  it('resolves the DID of a service with a path', async () => {
    const below = await createTestApp({ storage: service.storage, publicUrl: 'https://example.com/profiles' })
    const { did } = (await client(below.app).get('/.well-known/eep.json')).json<{ did: string }>()
    expect(did).toBe('did:web:example.com:profiles')
    expect((await client(below.app).get('/did.json')).json()).toMatchObject({ id: did })
    await below.close()
  })

  it('publishes every signing key while keys are replaced', async () => {
    const secrets = ['n', 'o'].map((letter) => letter.repeat(32))
    const rotating = await createTestApp({ storage: service.storage, secret: secrets })
    expect((await client(rotating.app).get('/.well-known/jwks.json')).json().keys).toHaveLength(2)
    await rotating.close()
  })
})

describe('agent cards', () => {
  it('describe a profile with its traits as skills', async () => {
    const { headers, account } = await signUp(service.app)
    const capabilities = ['hireable', 'bookable']
    await client(service.app).put(`/profiles/${account.active_profile_id}/capabilities`, { capabilities }, headers)
    const card = await get(`/u/${account.username}/agent-card.json`)
    expect(card.statusCode).toBe(200)
    expect(card.headers['cache-control']).toBe('public, max-age=60')
    const { skills, name, url, ...rest } = card.json()
    expect({ name, url }).toEqual({ name: account.username, url: `${PUBLIC_URL}/u/${account.username}` })
    expect(skills.map(({ id }: { id: string }) => id)).toEqual(['read-profile', 'bookable', 'hireable'])
    expect(rest['x-eep'].source_did).toBe(`did:web:profiles.example:u:${account.username}`)
    const again = await get(`/u/${account.username}/agent-card.json`, { 'if-none-match': String(card.headers.etag) })
    expect(again.statusCode).toBe(304)
    expect((await get('/u/unknown-name/agent-card.json')).statusCode).toBe(404)
  })

  it('serves the same service card at both paths', async () => {
    const [first, second] = await Promise.all([get('/.well-known/agent-card.json'), get('/.well-known/agent.json')])
    expect(second?.body).toBe(first?.body)
    expect(first?.json().skills.map(({ id }: { id: string }) => id)).toContain('pay')
  })
})

describe('the API reference', () => {
  it('shows every operation for programs to browsers once, without the pages for people, and lists documents to programs', async () => {
    const page = await get('/docs', { accept: 'text/html,*/*;q=0.8' })
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'; style-src 'sha256-")
    expect(page.headers['content-security-policy']).not.toContain('script-src')
    expect(page.rawPayload.length).toBeLessThan(150_000)
    type Described = { operationId: string; tags: string[]; 'x-alias-of'?: string }
    const { paths } = await json<{ paths: Record<string, Record<string, Described>> }>('/docs/openapi.json')
    for (const { operationId: id, tags, 'x-alias-of': main } of Object.values(paths).flatMap((methods) =>
      Object.values(methods),
    )) {
      const isListed = page.body.includes(`href="/docs/operations/${id}"`)
      expect([id, isListed]).toEqual([id, !tags.includes('pages') && main === undefined])
    }
    const again = await get('/docs', { accept: 'text/html', 'if-none-match': String(page.headers.etag) })
    expect(again.statusCode).toBe(304)
    expect((await json<{ documents: { url: string }[] }>('/docs')).documents.map(({ url }) => url)).toContain(
      `${PUBLIC_URL}/docs/openapi.json`,
    )
  })

  it('has a page for every operation, in every format', async () => {
    const { paths } = await json<{ paths: Record<string, Record<string, { operationId: string; summary: string }>> }>(
      '/docs/openapi.json',
    )
    for (const { operationId, summary } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
      const url = `/docs/operations/${operationId}`
      const page = await get(url, { accept: 'text/html' })
      expect(page.statusCode, operationId).toBe(200)
      expect(page.body, operationId).toContain('<h2>Answers</h2>')
      expect(page.rawPayload.length, operationId).toBeLessThan(150_000)
      expect(gzipSync(page.rawPayload).length, operationId).toBeLessThan(25_000)
      expect(await json(url), operationId).toMatchObject({ operation_id: operationId, summary })
      expect((await get(url, { accept: 'text/markdown' })).body, operationId).toContain('## Answers')
    }
  })

  it('names parameters, fields, errors, credentials and a call of an operation', async () => {
    const operation = await json<Record<string, unknown>>('/docs/operations/togglePageReaction')
    expect(operation).toMatchObject({
      method: 'POST',
      path: '/content/pages/{pageId}/reactions',
      auth: 'bearer',
      parameters: expect.arrayContaining([expect.objectContaining({ name: 'pageId', in: 'path', required: true })]),
      body: {
        content_type: 'application/json',
        fields: [{ name: 'kind', type: '"like" | "bookmark"', required: true, description: null }],
      },
    })
    expect(operation.example).toContain(`curl -X POST '${PUBLIC_URL}/content/pages/{pageId}/reactions'`)
    expect(operation.example).toContain(`-d '{"kind":"like"}'`)
    const { body } = await get('/docs/operations/togglePageReaction', { accept: 'text/html' })
    expect(body).toContain('href="/docs/errors/rate_limited"')
    expect(body).toContain('<div lang="en" dir="ltr" class="reference">')
  })

  it('returns 404 for an unknown operation', async () => {
    for (const id of ['unknown', 'constructor', '__proto__']) {
      expect((await get(`/docs/operations/${id}`, { accept: 'text/html' })).statusCode, id).toBe(404)
    }
  })

  it('describes the listener that serves it', async () => {
    const behind = await createTestApp({ storage: service.storage, prefix: '/api' })
    const { body } = await client(behind.app).get('/api/docs', { accept: 'text/html' })
    expect(body).toContain('href="/api/docs/operations/getProfile"')
    const { example } = (await client(behind.app).get('/api/docs/operations/getCapabilities.json')).json()
    expect(example).toBe(`curl '${PUBLIC_URL}/api/discover'`)
    await behind.close()
  })
})

describe('an API reference of the host', () => {
  const script = Buffer.from('document.title += " (loaded)"\n'.repeat(100))
  const docsUi: DocsUi = {
    files: { 'reference.js': { type: 'text/javascript; charset=utf-8', read: async () => script } },
    styles: [],
    scripts: ['reference.js'],
  }
  let own: Awaited<ReturnType<typeof createTestApp>>
  beforeAll(async () => {
    own = await createTestApp({ storage: service.storage, prefix: '/api', discovery: { docsUi } })
  })
  afterAll(() => own.close())

  it('replaces the page for people, under a policy that allows its scripts', async () => {
    const { body, headers } = await client(own.app).get('/api/docs', { accept: 'text/html' })
    expect(body).toContain('src="/api/docs/assets/reference.js" data-description="/api/docs/openapi.json"')
    expect(headers['content-security-policy']).toContain(
      "default-src 'none'; script-src https://profiles.example/api/docs/assets/",
    )
    expect(headers.vary).toBe('Accept')
    expect((await client(own.app).get('/api/docs')).body).toContain('# API reference')
  })

  it('serves its own files, compressed on request', async () => {
    const read = (name: string, encoding: string) =>
      client(own.app).get(`/api/docs/assets/${name}`, { 'accept-encoding': encoding })
    const [plain, packed] = [await read('reference.js', 'identity'), await read('reference.js', 'gzip, br')]
    expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(packed.headers['content-encoding']).toBe('br')
    expect(packed.headers.etag).toBe(plain.headers.etag)
    expect(brotliDecompressSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
    for (const name of ['index.html', '..%2Fpackage.json', 'constructor', 'reference.js.map']) {
      expect((await read(name, 'identity')).statusCode, name).toBe(404)
    }
  })
})
