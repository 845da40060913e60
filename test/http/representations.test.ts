import { brotliDecompressSync } from 'node:zlib'
import { type EepPluginOptions, eep } from '@eep/core'
import { everything } from '@eep/core/everything'
import { cashRail } from '@eep/core/testing'
import Fastify, { type FastifyServerOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { createTestApp, openStorage, PUBLIC_URL, SECRET, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { field, fileOf, upload } from '../support/files.ts'
import { header, openShop, type Shop } from '../support/shop.ts'

let database: Awaited<ReturnType<typeof openStorage>>
let test: Awaited<ReturnType<typeof createTestApp>>
let shop: Shop
let fileId: number
const opened: TestApp[] = []

async function host(
  server: FastifyServerOptions = {},
  before?: (app: TestApp) => unknown,
  more: Partial<EepPluginOptions> = {},
) {
  const app = Fastify(server)
  opened.push(app)
  await before?.(app)
  await app.register(eep, {
    modules: everything(),
    publicUrl: PUBLIC_URL,
    secret: SECRET,
    storage: database.storage,
    payments: { rails: [cashRail()] },
    limits: { rateLimit: { multiplier: 1_000 } },
    ...more,
  })
  await app.ready()
  return app
}

beforeAll(async () => {
  database = await openStorage()
  test = await createTestApp({ storage: database.storage, payments: { rails: [cashRail()] } })
  shop = await openShop(test.app, 'ada')
  fileId = (await upload(test.app, [field('username', 'ada'), fileOf('Hello.')], shop.headers)).json().id
})
afterAll(async () => {
  for (const app of opened) await app.close()
  await test.close()
  await database.close()
})

/** The headers that describe a representation. */
const DESCRIBING = [
  'content-length',
  'content-encoding',
  'content-type',
  'etag',
  'vary',
  'cache-control',
  'link',
  'location',
]
const described = ({ statusCode, headers }: Awaited<ReturnType<TestApp['inject']>>) => [
  statusCode,
  Object.fromEntries(DESCRIBING.map((name) => [name, headers[name]])),
]

const PATHS = [
  '/',
  '/discover',
  '/docs/openapi.json',
  '/llms.txt',
  '/sitemap.xml',
  '/u/ada',
  '/u/ada.json',
  '/u/ada/did.json',
  '/u/ada/content',
  '/u/unknown',
  '/nowhere',
  '/health/live',
  '/eep/payment/receipts',
]
const CODINGS = [{}, { 'accept-encoding': 'br' }, { 'accept-encoding': 'gzip' }]

describe('HEAD', () => {
  it.each(PATHS)('sends the status, length and encoding of GET: %s', async (url) => {
    for (const headers of CODINGS) {
      const [got, head] = [
        await client(test.app).get(url, headers),
        await client(test.app).with(headers).send('HEAD', url),
      ]
      expect(described(head)).toEqual(described(got))
      expect(head.rawPayload).toHaveLength(0)
    }
  })

  it('sends them for gated pages and files too', async () => {
    for (const [url, headers] of [
      [shop.paid, {}],
      [`/files/${fileId}`, shop.headers],
    ] as const) {
      const [got, head] = [
        await client(test.app).get(url, headers),
        await client(test.app).with(headers).send('HEAD', url),
      ]
      expect([head.statusCode, head.headers['content-length']]).toEqual([got.statusCode, got.headers['content-length']])
      expect(head.rawPayload).toHaveLength(0)
    }
  })

  it('sends no length with a 304', async () => {
    for (const url of ['/u/ada', '/discover', '/docs/openapi.json', `/files/${fileId}`]) {
      const etag = header(await shop.get(url), 'etag')
      const headers = { ...shop.headers, 'if-none-match': etag }
      const head = await client(test.app).with(headers).send('HEAD', url)
      expect([head.statusCode, head.headers.etag]).toEqual([304, etag])
      expect(head.headers).not.toHaveProperty('content-length')
    }
  })

  it('works below a prefix and when the host exposes no HEAD routes', async () => {
    for (const server of [{}, { exposeHeadRoutes: false }]) {
      const app = await host(server, undefined, { prefix: '/eep' })
      for (const url of ['/eep', '/eep/', '/eep/u/ada', '/eep/discover.json', '/eep/docs/openapi.json']) {
        const [got, head] = [await client(app).get(url), await client(app).send('HEAD', url)]
        expect([url, got.statusCode]).toEqual([url, 200])
        expect([url, ...described(head)]).toEqual([url, ...described(got)])
      }
      expect((await client(app).send('HEAD', '/eep/nowhere')).statusCode).toBe(404)
    }
  })
})

describe('If-Match on a read', () => {
  it.each(['/u/ada', '/u/ada/content/welcome', '/discover', '/u/ada/freshness', '/tiers', '/docs/openapi.json'])(
    'evaluates If-Match: %s',
    async (url) => {
      const etag = header(await client(test.app).get(url), 'etag')
      const ask = (headers: Record<string, string>) => client(test.app).get(url, headers)
      expect((await ask({ 'if-match': etag })).statusCode).toBe(200)
      expect((await ask({ 'if-match': '*' })).statusCode).toBe(200)
      expect((await ask({ 'if-match': `"other", ${etag}` })).statusCode).toBe(200)
      for (const tag of ['"other"', `W/${etag}`]) {
        const refused = await ask({ 'if-match': tag, 'if-none-match': etag })
        expect([refused.statusCode, codeOf(refused)]).toEqual([412, 'representation_changed'])
        expect(refused.headers['cache-control']).toBe('no-store')
        expect(refused.headers).not.toHaveProperty('etag')
      }
      expect((await ask({ 'if-match': etag, 'if-none-match': etag })).statusCode).toBe(304)
    },
  )
})

describe('Accept with parameters', () => {
  it.each([
    ['application/json; charset=utf-8', 'application/json'],
    ['application/json;charset=UTF-8;q=0.9, text/markdown;q=0.5', 'application/json'],
    ['text/toon; profile="a, b;q=0"', 'text/toon'],
    ['text/html; level=1, text/markdown; variant=GFM; q=0.9', 'text/html'],
    ['text/markdown; variant="unclosed', 'text/markdown'],
  ])('ignores parameters of media types: %s', async (accept, type) => {
    const answer = await client(test.app).get('/u/ada', { accept })
    expect(answer.headers['content-type']).toBe(`${type}; charset=utf-8`)
  })

  it('ignores parameters of the problem media type', async () => {
    const answer = await client(test.app).get('/u/unknown', { accept: 'application/problem+json; charset=utf-8' })
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
  })
})

describe('every answer', () => {
  const entity = [
    '/u/ada',
    '/u/ada.json',
    '/u/ada/content',
    '/u/ada/content/welcome',
    '/u/ada/changelog',
    '/u/ada/freshness',
    '/u/ada/badge.svg',
    '/u/ada/did.json',
    '/u/ada/agent-card.json',
    '/profiles/u/ada',
    '/eep/gates/did:web:profiles.example:u:ada',
    '/eep/services/did:web:profiles.example:u:ada',
    '/trust/u/ada',
  ]

  it.each(entity)('sends the DID of the entity and the version of the protocol: %s', async (url) => {
    const answer = await client(test.app).get(url)
    expect([answer.statusCode, answer.headers['eep-version'], answer.headers['eep-entity-did']]).toEqual([
      200,
      '0.1',
      shop.did,
    ])
  })

  it('sends the DID of the entity with a 402', async () => {
    const answer = await client(test.app).get(shop.paid)
    expect([answer.statusCode, answer.headers['eep-entity-did']]).toEqual([402, shop.did])
  })

  it.each([...entity, ...PATHS, '/docs/errors?format=html'])('sends nosniff: %s', async (url) => {
    expect((await client(test.app).get(url)).headers['x-content-type-options']).toBe('nosniff')
  })

  it('sends Vary: Accept with errors', async () => {
    for (const url of ['/u/unknown', '/nowhere', '/auth/me', '/u/ada?format=xml']) {
      expect((await client(test.app).get(url)).headers.vary, url).toMatch(/\bAccept\b/)
    }
  })
})

describe('ids in paths', () => {
  it.each(['33%20', '%2033', '0x21', '1e1', '1.0', '+1', '-1', '0', 'abc', '99999999999999999999', '%D9%A3'])(
    'returns 404 for the id %s, which is not in decimal digits',
    async (id) => {
      const paths = [
        `/files/${id}`,
        `/content/pages/${id}/reactions`,
        `/manage/pages/${id}`,
        `/profiles/${id}/completion`,
        `/profiles/${id}/team`,
        `/manage/pages/${id}/versions`,
      ]
      for (const url of paths) {
        const answer = await shop.get(url)
        expect([url, answer.statusCode]).toEqual([url, 404])
      }
    },
  )

  it('finds ids that are written in digits', async () => {
    expect((await shop.get(`/files/${fileId}`)).statusCode).toBe(200)
    expect((await shop.get(`/profiles/${shop.profileId}/team`)).statusCode).toBe(200)
  })
})

describe('preflights of the service', () => {
  it('answers preflights itself although the host uses @fastify/cors', async () => {
    const app = await host({}, (root) =>
      root.addHook('onRequest', async (request, reply) => {
        // Its way to leave out a route since 10.1.
        if ((request.routeOptions.config as { cors?: unknown }).cors === false) return
        reply.header('access-control-allow-origin', 'https://host.example')
        if (request.method === 'OPTIONS') return reply.code(204).header('access-control-allow-methods', 'GET').send()
      }),
    )
    const preflight = await client(app)
      .with({
        origin: 'https://anywhere.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'payment-signature',
      })
      .send('OPTIONS', '/u/ada')
    expect(preflight.statusCode).toBe(204)
    expect(preflight.headers['access-control-allow-origin']).toBe('*')
    expect(preflight.headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS')
    expect(preflight.headers['access-control-allow-headers']).toContain('PAYMENT-SIGNATURE')
    const read = await client(app).get('/u/ada', { origin: 'https://anywhere.example' })
    expect(read.headers['access-control-allow-origin']).toBe('*')
  })
})

describe('images of other origins in pages', () => {
  const BROWSER = 'text/html'
  const body = [
    '![a chart](https://tracker.example/pixel.png)',
    `![own](${PUBLIC_URL}/files/7)`,
    '![own too](/files/8)',
    '[![inner](https://tracker.example/inner.png)](https://there.example/)',
  ].join('\n\n')

  it('shows images from other origins as links unless the host allows them', async () => {
    const page = { profile_id: shop.profileId, title: 'Pictures', status: 'published', body }
    const made = await shop.post('/manage/pages', page)
    expect(made.statusCode, made.body).toBe(201)
    const avatar = { avatar_url: 'https://tracker.example/face.png' }
    expect((await shop.put('/manage/profile', avatar)).statusCode).toBe(200)
    const read = (app: TestApp, url: string) => client(app).get(url, { accept: BROWSER })

    const blocked = await read(test.app, '/u/ada/content/pictures')
    expect(header(blocked, 'content-security-policy')).toContain("img-src 'self' data:;")
    expect(blocked.body).not.toMatch(/<img[^>]+tracker\.example/)
    expect(blocked.body).toContain(
      '<a href="https://tracker.example/pixel.png" rel="nofollow ugc noopener">a chart</a>',
    )
    expect(blocked.body).toContain('<img src="/files/7"')
    expect(blocked.body).toContain('<img src="/files/8"')
    expect(blocked.body).toMatch(/<a href="https:\/\/there\.example\/"[^>]*>inner<\/a>/)
    expect((await read(test.app, '/u/ada')).body).not.toMatch(/<img[^>]+tracker/)

    const allowing = await host({}, undefined, { content: { remoteImages: 'allow' } })
    const allowed = await read(allowing, '/u/ada/content/pictures')
    expect(header(allowed, 'content-security-policy')).toContain("img-src 'self' https: data:;")
    expect(allowed.body).toContain('<img src="https://tracker.example/pixel.png"')
    expect((await read(allowing, '/u/ada')).body).toContain('<img class="face" src="https://tracker.example/face.png"')
  })
})

describe('compressed answers', () => {
  it('sends compressed responses with the headers of HEAD', async () => {
    const got = await client(test.app).get('/docs/openapi.json', { 'accept-encoding': 'br' })
    expect(brotliDecompressSync(got.rawPayload).toString()).toContain('"openapi"')
  })
})
