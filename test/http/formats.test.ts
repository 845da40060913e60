import { decode } from '@toon-format/toon'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { createTestApp, PUBLIC_URL } from '../support/app.ts'
import { client } from '../support/client.ts'
import { createCashApp, header, openShop, SECRET_WORD, type Shop } from '../support/shop.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

const TYPES = {
  person: 'u',
  organization: 'o',
  place: 'l',
  asset: 'a',
  product: 'p',
  knowledge: 'k',
  agent: 'agent',
  event: 'e',
  custom: 'x',
} as const

const MEDIA = {
  markdown: 'text/markdown; charset=utf-8',
  json: 'application/json; charset=utf-8',
  toon: 'text/toon; charset=utf-8',
  html: 'text/html; charset=utf-8',
} as const

type Format = keyof typeof MEDIA

let test: Awaited<ReturnType<typeof createCashApp>>
let shop: Shop
beforeAll(async () => {
  test = await createCashApp({ withSearch: true })
  shop = await openShop(test.app, 'ada')
  for (const type of Object.keys(TYPES).filter((each) => each !== 'person')) {
    const payload = { profile_type: type, username: 'ada', full_name: `The ${type}` }
    const made = await shop.post('/profiles', payload)
    expect(made.statusCode, made.body).toBe(200)
  }
})
afterAll(() => test.close())

const { get } = client(() => test.app)

/** Every way to request each format: the suffix of the address, and the header. */
const WAYS: readonly (readonly [Format, string, string, Record<string, string>])[] = [
  ['markdown', 'nothing', '', {}],
  ['markdown', 'Accept */*', '', { accept: '*/*' }],
  ['markdown', 'a Accept with q-values', '', { accept: 'text/html;q=0.4, text/markdown;q=0.5' }],
  ['markdown', 'format, against Accept', '?format=markdown', { accept: BROWSER }],
  ['markdown', 'a suffix', '.md', {}],
  ['markdown', 'a suffix, against format and Accept', '.md?format=json', { accept: BROWSER }],
  ['json', 'Accept', '', { accept: 'application/json' }],
  ['json', 'Accept with q-values', '', { accept: 'text/toon;q=0.3, application/json;q=0.9, */*;q=0.1' }],
  ['json', 'format', '?format=json', {}],
  ['json', 'a suffix', '.json', {}],
  ['json', 'a suffix, against format', '.json?format=toon', {}],
  ['toon', 'Accept', '', { accept: 'text/toon' }],
  ['toon', 'Accept with q-values', '', { accept: 'application/json;q=0.3, text/toon' }],
  ['toon', 'format, against Accept', '?format=toon', { accept: 'application/json' }],
  ['toon', 'a suffix', '.toon', { accept: 'application/json' }],
  ['html', 'Accept of a browser', '', { accept: BROWSER }],
  ['html', 'Accept with q-values', '', { accept: 'text/markdown;q=0.5, text/html;q=0.6' }],
]

/** What a profile of any type has below its address. */
const PARTS = ['', '/content', '/changelog']

const DOCUMENTS = [
  ...PARTS.map((part) => `/u/ada${part}`),
  '/u/ada/content/notes',
  '/u/ada/content/welcome',
  '/discover',
  '/docs/errors',
  '/docs/errors/page_not_found',
  '/u/ada/freshness',
  '/trust/u/ada',
  '/docs/payments',
]

describe.each(DOCUMENTS)('%s', (path) => {
  it('serves each format, by every way to request it, with a separate ETag', async () => {
    const tags = new Map<Format, string>()
    const bodies = new Map<Format, string>()
    for (const [format, way, behind, headers] of WAYS) {
      const answer = await get(`${path}${behind}`, headers)
      expect([answer.statusCode, answer.headers['content-type']], `${way}: ${answer.body}`).toEqual([
        200,
        MEDIA[format],
      ])
      // Shorter answers are never compressed.
      const ofLanguage = format === 'html' ? 'Accept, Accept-Language, Cookie' : 'Accept'
      const named = /^\/\w+\/ada$/.test(path) ? `${ofLanguage}, X-EEP-Agent-Type` : ofLanguage
      const vary = Buffer.byteLength(answer.body) < 1024 ? named : `${named}, accept-encoding`
      expect(answer.headers.vary, way).toBe(vary)
      expect(answer.headers['cache-control'], way).toMatch(/^public, max-age=\d+$/)
      const tag = header(answer, 'etag')
      expect(tag, way).toMatch(/^"[\w-]{22}"$/)
      expect(tags.get(format) ?? tag, way).toBe(tag)
      expect(bodies.get(format) ?? answer.body, way).toBe(answer.body)
      tags.set(format, tag)
      bodies.set(format, answer.body)

      const again = await get(`${path}${behind}`, { ...headers, 'if-none-match': tag })
      expect([again.statusCode, again.body, again.headers.etag, again.headers.vary], way).toEqual([304, '', tag, vary])
      expect(again.headers['cache-control'], way).toBe(answer.headers['cache-control'])
      const headed = await client(test.app).with(headers).send('HEAD', `${path}${behind}`)
      expect([headed.statusCode, headed.body, headed.headers.etag], way).toEqual([200, '', tag])
    }
    expect(new Set(tags.values()).size).toBe(4)
    expect(bodies.get('markdown')).not.toMatch(/undefined|\[object|NaN/)
    expect(decode(bodies.get('toon') ?? '')).toEqual(JSON.parse(bodies.get('json') ?? ''))
  })

  it('sends one canonical URL without a suffix', async () => {
    const links = header(await get(path), 'link')
    for (const suffix of ['.md', '.json', '.toon']) {
      expect(header(await get(`${path}${suffix}`), 'link')).toBe(links)
      expect(links).not.toContain(`<${path}${suffix}>`)
    }
  })
})

/** Every third document, from another one for each value, so that the values meet them all. */
const everyThird = (from: number) => DOCUMENTS.filter((_, at) => at % 3 === from % 3)

it.each(['?format=html', '.json?format=html', '?format=', '.md?format=xml'].map((behind, at) => [behind, at] as const))(
  'returns 400 for the format %s of a document',
  async (behind, at) => {
    for (const path of everyThird(at)) {
      const answer = await get(`${path}${behind}`)
      expect([answer.statusCode, codeOf(answer)], path).toEqual([400, 'invalid_format'])
    }
  },
)

it.each(['.html', '.json.md', '.'].map((behind, at) => [behind, at] as const))(
  'returns 404 for the suffix %s of a document',
  async (behind, at) => {
    for (const path of everyThird(at)) expect((await get(`${path}${behind}`)).statusCode, path).toBe(404)
  },
)

const DID = 'did:web:profiles.example:u:ada'
const JSON_TYPES: Readonly<Record<string, string>> = {
  '/u/ada/did.json': 'application/did+json',
  '/.well-known/did.json': 'application/did+json',
  '/.well-known/jwks.json': 'application/jwk-set+json',
  '/.well-known/api-catalog': 'application/linkset+json',
  '/schemas/profiles/event.json': 'application/schema+json',
  '/eep/events/types/content.published': 'application/schema+json',
}
const PROTOCOL_DOCUMENTS = [
  '/.well-known/eep.json',
  '/.well-known/agent-card.json',
  '/u/ada/agent-card.json',
  '/docs/openapi.json',
  '/docs/asyncapi.json',
  '/eep/events/types',
  `/eep/gates/${DID}`,
  `/eep/services/${DID}`,
  `/eep/capabilities/${DID}`,
  `/resolve?did=${DID}`,
  '/schemas/profiles',
  '/tiers',
  '/scanner/rules',
  ...Object.keys(JSON_TYPES),
]

describe.each(PROTOCOL_DOCUMENTS)('the protocol document %s', (path) => {
  const selecting = (format: string) => `${path}${path.includes('?') ? '&' : '?'}format=${format}`
  const jsonType = JSON_TYPES[path] ?? 'application/json'
  const typeOf = (answer: Awaited<ReturnType<typeof get>>) => String(answer.headers['content-type']).split(';')[0]

  it('is JSON by default, and Markdown or TOON by Accept or format', async () => {
    const json = await get(path)
    expect([json.statusCode, typeOf(json)], json.body).toEqual([200, jsonType])
    for (const accept of ['*/*', BROWSER, 'application/json', jsonType, 'application/json, text/markdown;q=0.5']) {
      expect([accept, typeOf(await get(path, { accept }))]).toEqual([accept, jsonType])
    }
    expect((await get(selecting('json'), { accept: 'text/toon' })).json()).toEqual(json.json())
    const markdown = await get(path, { accept: 'text/markdown' })
    expect([typeOf(markdown), markdown.body.startsWith('# ')]).toEqual(['text/markdown', true])
    expect((await get(selecting('markdown'))).body).toBe(markdown.body)
    expect(JSON.parse(/```json\n([\s\S]*)\n```/.exec(markdown.body)?.[1] ?? '')).toEqual(json.json())
    const toon = await get(path, { accept: 'text/toon' })
    expect(typeOf(toon)).toBe('text/toon')
    expect((await get(selecting('toon'))).body).toBe(toon.body)
    expect(decode(toon.body)).toEqual(json.json())
  })

  it('varies on Accept, with a separate ETag for each format', async () => {
    const tags = new Set<string>()
    for (const accept of ['application/json', 'text/markdown', 'text/toon']) {
      const answer = await get(path, { accept })
      expect(header(answer, 'vary').split(', ')[0]).toBe('Accept')
      const tag = header(answer, 'etag')
      tags.add(tag)
      const again = await get(path, { accept, 'if-none-match': tag })
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', tag])
      // The owner of a gate reads more of it than others.
      const who = path.startsWith('/eep/gates/') ? 'private' : 'public'
      expect(header(answer, 'cache-control')).toMatch(new RegExp(`^${who}, max-age=\\d+$`))
      expect(again.headers['cache-control']).toBe(answer.headers['cache-control'])
    }
    expect(tags.size).toBe(3)
  })

  it('refuses a format that does not exist', async () => {
    const answer = await get(selecting('xml'))
    expect([answer.statusCode, codeOf(answer)]).toEqual([400, 'invalid_format'])
  })
})

describe('lists for people and programs', () => {
  it.each(['/feed', '/feed/u/ada', '/feed/hashtags/engines', '/search?q=engines', '/.well-known/eep/agent-guide.md'])(
    'are Markdown by default: %s',
    async (path) => {
      const formats = { '*/*': 'text/markdown', 'application/json': 'application/json', [BROWSER]: 'text/html' }
      for (const [accept, type] of Object.entries({ ...formats, 'text/toon': 'text/toon' })) {
        const answer = await get(path, { accept })
        expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, `${type}; charset=utf-8`])
        expect(header(answer, 'vary')).toMatch(/^Accept\b/)
      }
      expect((await get(path)).headers['content-type']).toBe(MEDIA.markdown)
    },
  )

  it('is the same guide in JSON and Markdown', async () => {
    const guide = await get('/.well-known/eep/agent-guide.md')
    expect((await get('/.well-known/eep/agent-guide.md?format=json')).json()).toEqual({
      title: expect.stringMatching(/: guide for agents$/),
      markdown: guide.body,
    })
  })
})

describe('a profile', () => {
  it.each(Object.entries(TYPES).map(([type, prefix], at) => [type, prefix, at] as const))(
    'of the type %s is served in each format, and its contents and changes too, with the headers of the type',
    async (type, prefix, at) => {
      for (const [turn, part] of PARTS.entries()) {
        const path = `/${prefix}/ada${part}`
        // Each format by another way at each turn, so that types, parts and ways meet in pairs.
        for (const format of Object.keys(MEDIA)) {
          const ways = WAYS.filter((way) => way[0] === format)
          const [, way, behind, headers] = ways[(at + turn) % ways.length] as (typeof WAYS)[number]
          const answer = await get(`${path}${behind}`, headers)
          expect([answer.statusCode, answer.headers['content-type']], `${path}, ${way}`).toEqual([
            200,
            MEDIA[format as Format],
          ])
          if (part !== '') continue
          expect(answer.headers).toMatchObject({ 'x-profile-username': 'ada', 'x-profile-type': type })
          expect(answer.headers.link, way).toContain(`<${PUBLIC_URL}${path}>; rel="canonical"`)
        }
      }
    },
  )

  it('serves documents of a profile whose names have dots', async () => {
    expect((await get('/u/ada/did.json')).headers['content-type']).toMatch(/^application\/did\+json/)
    expect((await get('/u/ada/badge.svg')).headers['content-type']).toMatch(/^image\/svg\+xml/)
    expect((await get('/docs/openapi.json')).json()).toHaveProperty('openapi')
  })

  it('responds the same below a prefix', async () => {
    expect((await get('/u/ada/content.json?limit=1')).json().pages).toHaveLength(1)
  })
})

describe('a gated page', () => {
  const SUFFIXES = { '.md': 'text/markdown', '.json': 'application/json', '.toon': 'text/toon' }

  it.each(Object.entries(SUFFIXES))('sells the same resource as %s', async (suffix, type) => {
    const plain = await get(shop.paid, { accept: type })
    const answer = await get(`${shop.paid}${suffix}`)
    expect(answer.statusCode).toBe(402)
    expect(answer.body).not.toContain(SECRET_WORD)
    const { decoded_payment_required: offer, resource } = answer.json()
    expect(resource).toBe('content.notes.engines')
    expect(offer.resource).toMatchObject({ url: `${PUBLIC_URL}${shop.paid}`, mimeType: type })
    expect(header(answer, 'www-authenticate')).toBe(header(plain, 'www-authenticate'))

    const paid = await get(`${shop.paid}${suffix}`, test.cashWallets.answer(header(answer, 'payment-required')))
    expect([paid.statusCode, String(paid.headers['content-type']).split(';')[0]]).toEqual([200, type])
    expect(paid.body).toContain(SECRET_WORD)
    expect(paid.headers['cache-control']).toMatch(/private/)
  })

  it('shows browsers the preview and the price, with the headers for programs', async () => {
    const plain = await get(shop.other)
    const page = await get(shop.other, { accept: BROWSER })
    expect([page.statusCode, page.headers['content-type']]).toEqual([402, MEDIA.html])
    for (const name of ['www-authenticate', 'x-eep-gates-config', 'cache-control']) {
      expect(page.headers[name], name).toEqual(plain.headers[name])
    }
    expect([page.headers.vary, plain.headers.vary]).toEqual(['Accept, Accept-Language, Cookie', 'Accept'])
    expect(header(page, 'payment-required')).not.toBe('')
    expect(page.body).toContain('<h1 dir="ltr"><bdi>Looms</bdi></h1>')
    expect(page.body).toContain('A taste of it.')
    expect(page.body).toMatch(/0\.01 USDC\D*for one day/)
    expect(page.body).toContain('href="/docs/payments"')
    expect(page.body).not.toContain(SECRET_WORD)
  })

  it('sends HTML of a gated page to payers, and does not let others cache it', async () => {
    const offer = await get(shop.other, { accept: BROWSER })
    const paid = await get(shop.other, {
      accept: BROWSER,
      ...test.cashWallets.answer(header(offer, 'payment-required')),
    })
    expect([paid.statusCode, paid.headers['content-type']]).toEqual([200, MEDIA.html])
    expect(paid.body).toContain(SECRET_WORD)
    expect(paid.headers['cache-control']).toBe('private, no-cache')
    const tag = header(paid, 'etag')
    expect((await get(shop.other, { accept: BROWSER, 'if-none-match': tag })).statusCode).toBe(402)
  })
})

describe('an address with a suffix', () => {
  it('answers preflight requests for URLs with a suffix', async () => {
    for (const path of ['/u/ada.json', '/u/ada/content.json', '/u/ada/content/welcome.md', '/discover.toon']) {
      const headers = { origin: 'https://anywhere.example', 'access-control-request-method': 'GET' }
      const answer = await client(test.app).with(headers).send('OPTIONS', path)
      expect([answer.statusCode, answer.headers['access-control-allow-methods']], path).toEqual([
        204,
        'GET, HEAD, OPTIONS',
      ])
    }
  })

  it('serves suffixes and HTML pages below a prefix, with links that keep it', async () => {
    const gateway = Fastify()
    await gateway.register(test.eep.http, { prefix: '/api' })
    expect((await client(gateway).get('/api/u/ada/content.json')).json().path).toBe('/u/ada/content')
    const page = await client(gateway).get('/api/u/ada', { accept: BROWSER })
    expect(page.body).toContain('href="/api/u/ada/content"')
    expect(page.body).toContain(`<link rel="canonical" href="${PUBLIC_URL}/u/ada">`)
    expect(page.headers.etag).not.toBe((await get('/u/ada', { accept: BROWSER })).headers.etag)
    for (const accept of ['application/json', BROWSER]) {
      // The second is cached.
      for (const _ of [1, 2]) {
        const [refused, clean] = [
          await client(gateway).get(`/api${shop.paid}`, { accept }),
          await get(shop.paid, { accept }),
        ]
        expect(header(refused, 'www-authenticate')).toContain(`resource="/api${shop.paid}"`)
        expect(header(clean, 'www-authenticate')).toContain(`resource="${shop.paid}"`)
      }
    }
    await gateway.close()
  })
})

describe('the pages for people', () => {
  const pages = [
    '/',
    '/discover',
    '/docs/errors',
    '/docs/payments',
    '/u/ada',
    '/u/ada/content',
    '/u/ada/content/welcome',
    '/u/ada/changelog',
    '/u/unknown',
    '/nowhere',
  ]

  it.each(pages)('permits %s to run nothing and load only images', async (path) => {
    const page = await get(path, { accept: BROWSER })
    const policy = header(page, 'content-security-policy')
    // These have a search box, or buttons that follow, like and report.
    const hasForms = ['/', '/discover', '/u/ada', '/u/ada/content/welcome'].includes(path)
    const target = hasForms ? 'self' : 'none'
    expect(policy.replace(/'sha256-[A-Za-z0-9+/]{43}='/, 'HASH')).toBe(
      `default-src 'none'; style-src HASH; require-trusted-types-for 'script'; img-src 'self' data:; manifest-src 'self'; base-uri 'none'; form-action '${target}'; frame-ancestors 'none'`,
    )
    expect(page.headers['x-content-type-options']).toBe('nosniff')
    expect(page.body).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">/)
    expect(page.body).not.toMatch(/<script(?! type="application\/ld\+json">)|\son\w+=|style="/)
    expect(page.body.match(/<h1[ >]/g)).toHaveLength(1)
  })

  it('shows that no payment method is available without a rail', async () => {
    const said = 'no payment method is available'
    const without = await createTestApp()
    const { paid } = await openShop(without.app, 'ada')
    const page = await client(without.app).get(paid, { accept: BROWSER })
    await without.close()
    expect([page.statusCode, page.body.includes(said)]).toEqual([402, true])
    expect((await get(shop.paid, { accept: BROWSER })).body).not.toContain(said)
  })

  it('sends errors as HTML to browsers, and as JSON to programs', async () => {
    const page = await get('/u/unknown', { accept: BROWSER })
    expect([page.statusCode, page.headers['content-type'], page.headers['cache-control'], page.headers.vary]).toEqual([
      404,
      MEDIA.html,
      'no-store',
      'Accept, Accept-Language, Cookie',
    ])
    expect(page.body).toContain('href="/docs/errors/profile_not_found"')
    for (const accept of ['*/*', 'application/json', 'text/markdown']) {
      expect(codeOf(await get('/u/unknown', { accept }))).toBe('profile_not_found')
    }
    expect(codeOf(await get('/u/unknown.json', { accept: BROWSER }))).toBe('profile_not_found')
    expect((await get('/nowhere', { accept: BROWSER })).body).toContain('<h1>Page not found</h1>')
    const posted = await client(test.app).post('/auth/login', {}, { accept: BROWSER })
    expect(posted.headers['content-type']).toMatch(/^application\/json/)
  })
})
