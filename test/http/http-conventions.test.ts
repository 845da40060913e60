import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Storage } from '@eep/core/ports'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'

type Service = Awaited<ReturnType<typeof createTestApp>>

let service: Service
let owner: Awaited<ReturnType<typeof signUp>>
beforeAll(async () => {
  service = await createTestApp({ http: { trustedOrigins: ['https://app.example'] } })
  owner = await signUp(service.app, 'ada')
})
afterAll(() => service.close())

const { get, post } = client(() => service.app)
const code = (response: { json(): unknown }) => (response.json() as { error: { code: string } }).error.code

describe('errors', () => {
  it('answers errors with a code and a sentence', async () => {
    const response = await get('/u/unknown')
    expect(response.headers['content-type']).toMatch(/^application\/json/)
    expect(response.json()).toEqual({ error: { code: 'profile_not_found', message: expect.any(String) } })
  })

  it('answers with a problem document on request, whose type links to an explanation', async () => {
    const response = await get('/u/unknown', { accept: 'application/problem+json' })
    expect(response.statusCode).toBe(404)
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/)
    const problem = response.json<{ type: string }>()
    expect(problem).toMatchObject({
      title: 'Not Found',
      status: 404,
      code: 'profile_not_found',
      detail: expect.any(String),
    })
    expect((await get(new URL(problem.type).pathname)).statusCode).toBe(200)
  })

  it.each([
    ['application/problem+json;q=0, application/json', 'application/json'],
    ['application/problem+json;q=0', 'application/json'],
    ['*/*', 'application/json'],
    ['text/markdown, Application/Problem+JSON;q=0.1', 'application/problem+json'],
  ])('have, for the Accept header %s, the type %s', async (accept, type) => {
    expect((await get('/u/unknown', { accept })).headers['content-type']).toMatch(
      new RegExp(`^${type.replace('+', '.')}`),
    )
  })

  it('lists every issue of a body by JSON Pointer', async () => {
    const response = await post('/auth/register', { email: 'no email', username: 'A B', colour: 'red' })
    expect(response.statusCode).toBe(400)
    const { error } = response.json<{ error: { code: string; details: { in: string; issues: { path: string }[] } } }>()
    expect(error.code).toBe('validation_failed')
    expect(error.details.in).toBe('body')
    expect(error.details.issues.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/email', '/username', '/password']),
    )
  })

  it.each([
    ['not JSON at all', 'malformed_json', 400],
    ['{"email":', 'malformed_json', 400],
    ['{"__proto__":{"isAdmin":true}}', 'malformed_json', 400],
    ['{"constructor":{"prototype":{"isAdmin":true}}}', 'malformed_json', 400],
    ['null', 'validation_failed', 400],
    ['[]', 'validation_failed', 400],
    ['"text"', 'validation_failed', 400],
    ['', 'validation_failed', 400],
    [`{"email":"${'a'.repeat(1_100_000)}"}`, 'payload_too_large', 413],
    ['['.repeat(200_000), 'nested_too_deeply', 400],
    ['['.repeat(200_000) + ']'.repeat(200_000), 'nested_too_deeply', 400],
  ])('answers the body %.20s with %s', async (body, expected, status) => {
    const response = await post('/auth/login', body, { 'content-type': 'application/json' })
    expect(response.statusCode).toBe(status)
    expect(code(response)).toBe(expected)
  })

  it('answers JSON that is not valid UTF-8 with malformed_json, and stores nothing', async () => {
    const before = (await client(service.app).get('/manage/profile', owner.headers)).json()
    const body = Buffer.from('7b2262696f223a22c328227d', 'hex')
    const headers = { 'content-type': 'application/json', ...owner.headers }
    const response = await service.app.inject({ method: 'PUT', url: '/manage/profile', headers, payload: body })
    expect(response.statusCode).toBe(400)
    expect(code(response)).toBe('malformed_json')
    expect((await client(service.app).get('/manage/profile', owner.headers)).json()).toEqual(before)
  })

  it.each([100, 1_000, 50_000])('rejects a body nested %i levels deep before it is parsed', async (depth) => {
    const deep = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
    const body = `{"profile_type":"custom","username":"deep","custom_fields":${deep}}`
    const response = await post('/profiles', body, { 'content-type': 'application/json', ...owner.headers })
    expect(response.statusCode).toBe(400)
    expect(code(response)).toBe('nested_too_deeply')
  })

  it('does not count brackets in strings as nesting', async () => {
    const body = JSON.stringify({ email: `${'[{"'.repeat(50)}\\"${'['.repeat(99)}`, password: 'x' })
    expect(code(await post('/auth/login', body, { 'content-type': 'application/json' }))).toBe('invalid_credentials')
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/xml', 'nonsense'])(
    'returns 415 for a body of type %s',
    async (type) => {
      const response = await post('/auth/login', 'a=b', { 'content-type': type })
      expect(response.statusCode).toBe(415)
      expect(code(response)).toBe('unsupported_media_type')
    },
  )

  it('accepts a JSON body with a charset, and an empty body where none is needed', async () => {
    const { statusCode } = await post('/auth/login', '{}', { 'content-type': 'application/json; charset=utf-8' })
    expect(statusCode).toBe(400)
    const logout = await post('/auth/logout', '', { 'content-type': 'application/json', ...owner.headers })
    expect(logout.statusCode).toBe(200)
  })

  it('does not reveal the cause of internal errors', async () => {
    const failing: Storage = {
      ...service.storage,
      read: {
        ...service.storage.read,
        profiles: {
          ...service.storage.read.profiles,
          get: () => Promise.reject(new Error('connection to 10.0.0.7 refused')),
        },
      },
    }
    const broken = await createTestApp({ storage: failing, limits: { readCacheEntries: 0 } })
    const response = await client(broken.app).get('/u/ada')
    expect(response.statusCode).toBe(500)
    expect(response.headers).toHaveProperty('x-ratelimit-remaining')
    expect(response.json()).toEqual({
      error: { code: 'internal_error', message: expect.any(String), details: { request_id: expect.any(String) } },
    })
    expect(response.body).not.toMatch(/10\.0\.0\.7|\.ts|stack/)
    expect(response.headers['cache-control']).toBe('no-store')
    await broken.close()
  })
})

describe('representations', () => {
  it('answers HEAD like GET, without a body', async () => {
    const whole = await get('/u/ada')
    const head = await client(service.app).send('HEAD', '/u/ada')
    expect(head.statusCode).toBe(200)
    expect(head.body).toBe('')
    for (const name of ['etag', 'content-type', 'content-length', 'cache-control', 'link', 'vary']) {
      expect(head.headers[name], name).toBe(whole.headers[name])
    }
  })

  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const)('sends the same bytes with the same ETag as %s', async (encoding, decompress) => {
    const plain = await get('/discover')
    const packed = await get('/discover', { 'accept-encoding': encoding })
    expect(packed.headers['content-encoding']).toBe(encoding)
    expect(packed.headers.vary).toMatch(/accept-encoding/i)
    expect(packed.headers.vary).toMatch(/Accept(,|$)/)
    expect(packed.headers.etag).toBe(plain.headers.etag)
    expect(decompress(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
  })

  it.each([
    '/discover',
    '/u/ada?format=json',
    '/profiles/u/ada',
    '/docs/openapi.json',
    '/.well-known/eep.json',
    '/llms.txt',
    '/feed.atom',
    '/assets/pages.js',
  ])('sends the same Vary compressed, uncompressed and with 304: %s', async (url) => {
    const plain = await get(url)
    expect(plain.statusCode, plain.body).toBe(200)
    const { etag, vary } = plain.headers
    for (const encoding of ['br', 'gzip']) {
      const packed = await get(url, { 'accept-encoding': encoding })
      const known = await get(url, { 'accept-encoding': encoding, 'if-none-match': String(etag) })
      expect(known.statusCode).toBe(304)
      expect([packed.headers.vary, known.headers.vary]).toEqual([vary, vary])
      expect(packed.headers['content-encoding'] === encoding).toBe(/accept-encoding/i.test(String(vary)))
    }
  })

  it('does not compress answers for clients that do not accept it, nor small ones', async () => {
    expect((await get('/discover')).headers).not.toHaveProperty('content-encoding')
    expect((await get('/health/live', { 'accept-encoding': 'gzip' })).headers).not.toHaveProperty('content-encoding')
  })

  it('gives each format its own ETag', async () => {
    const tags = await Promise.all(
      ['markdown', 'json', 'toon'].map(async (format) => (await get(`/u/ada?format=${format}`)).headers.etag),
    )
    expect(new Set(tags).size).toBe(3)
  })

  it('returns 304 for any of the ETags in If-None-Match', async () => {
    const etag = String((await get('/u/ada')).headers.etag)
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await get('/u/ada', { 'if-none-match': known })
      expect(response.statusCode, known).toBe(304)
      expect(response.headers).not.toHaveProperty('content-type')
    }
    expect((await get('/u/ada', { 'if-none-match': '"other"' })).statusCode).toBe(200)
  })

  it('negotiates by q-values, and prefers format to Accept', async () => {
    const type = async (accept: string, query = '') => (await get(`/u/ada${query}`, { accept })).headers['content-type']
    expect(await type('application/json;q=0.5, text/toon')).toMatch(/^text\/toon/)
    expect(await type('*/*')).toMatch(/^text\/markdown/)
    expect(await type('text/html')).toMatch(/^text\/html/)
    expect(await type('text/css')).toMatch(/^text\/markdown/)
    expect(await type('text/*;q=0.1, application/json')).toMatch(/^application\/json/)
    expect(await type('text/toon', '?format=json')).toMatch(/^application\/json/)
  })
})

describe('pages of other sites', () => {
  const preflight = (url: string, origin: string) =>
    client(service.app)
      .with({
        origin,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'payment-signature',
      })
      .send('OPTIONS', url)

  it('lets other sites read without cookies, with the headers needed for payments', async () => {
    const { headers } = await get('/u/ada', { origin: 'https://anywhere.example' })
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers).not.toHaveProperty('access-control-allow-credentials')
    for (const name of ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'Link', 'ETag', 'X-RateLimit-Remaining']) {
      expect(headers['access-control-expose-headers']).toContain(name)
    }
  })

  it.each([
    '/u/ada',
    '/u/ada?format=json',
    '/discover?format=json',
    '/docs/openapi.json',
    '/u/Ada',
    '/u/unknown',
    '/none',
    '/auth/me',
  ])(
    'sends the headers for other sites with %s without Origin too, because caches keep the answer for them',
    async (path) => {
      const { etag } = (await get(path)).headers
      const again = await get(path, etag ? { 'if-none-match': String(etag) } : {})
      if (etag) expect(again.statusCode).toBe(304)
      for (const { headers } of [await get(path), again]) {
        expect(headers['access-control-allow-origin']).toBe('*')
        expect(headers['access-control-expose-headers']).toContain('PAYMENT-REQUIRED')
        expect(headers.vary).toMatch(/(^|, )Origin(,|$)/)
      }
    },
  )

  it('lets other sites read errors', async () => {
    const { headers } = await get('/u/unknown', { origin: 'https://anywhere.example' })
    expect(headers['access-control-allow-origin']).toBe('*')
  })

  it('answers preflight requests of other sites', async () => {
    const { statusCode, headers } = await preflight('/u/ada', 'https://anywhere.example')
    expect(statusCode).toBe(204)
    expect(headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS')
    expect(headers['access-control-allow-headers']).toContain('PAYMENT-SIGNATURE')
    expect(headers['access-control-allow-headers']).toContain('Access-Control-Expose-Headers')
  })

  it.each(['/stream/signals', '/stream/signals/following', '/eep/stream'])(
    'allows pages of other sites to resume %s with Last-Event-ID',
    async (path) => {
      const { statusCode, headers } = await preflight(path, 'https://anywhere.example')
      expect(statusCode).toBe(204)
      expect(String(headers['access-control-allow-headers']).split(', ')).toContain('Last-Event-ID')
    },
  )

  it.each([
    ['of several methods', '/workspaces', 'POST, GET, HEAD, OPTIONS'],
    ['of WebSocket connections', '/eep/pulse', 'GET, HEAD, OPTIONS'],
    ['that require a session, and whose parameters are wrong', '/workspaces/none', 'GET, PUT, DELETE, HEAD, OPTIONS'],
  ])('answers preflight requests for paths %s', async (_, url, methods) => {
    const { statusCode, headers } = await preflight(url, 'https://anywhere.example')
    expect([statusCode, headers['access-control-allow-methods'], headers.allow]).toEqual([204, methods, methods])
  })

  it('lets other sites read ranges of files, and follow jobs', async () => {
    const asked = (await preflight('/u/ada', 'https://anywhere.example')).headers['access-control-allow-headers']
    for (const name of ['Range', 'If-Range', 'If-Modified-Since', 'If-Unmodified-Since']) {
      expect(String(asked).split(', ')).toContain(name)
    }
    const { headers } = await get('/u/ada', { origin: 'https://anywhere.example' })
    const exposed = String(headers['access-control-expose-headers']).split(', ')
    expect(exposed).toEqual(
      expect.arrayContaining(['Accept-Ranges', 'Content-Range', 'Content-Disposition', 'Location']),
    )
  })

  it('accepts cookies from trusted origins, and varies by origin', async () => {
    const trusted = await get('/u/ada', { origin: 'https://app.example' })
    expect(trusted.headers['access-control-allow-origin']).toBe('https://app.example')
    expect(trusted.headers['access-control-allow-credentials']).toBe('true')
    for (const { headers } of [
      trusted,
      await get('/u/ada'),
      await get('/auth/me'),
      await preflight('/u/ada', 'https://app.example'),
    ]) {
      expect(headers.vary).toMatch(/(^|, )Origin(,|$)/)
    }
    const { headers } = await get('/u/ada', { origin: 'https://app.example', 'accept-encoding': 'gzip' })
    expect(headers.vary).toMatch(/^Accept, X-EEP-Agent-Type, Origin/)
  })

  it('rejects changes by other sites with a cookie', async () => {
    const { token } = await signUp(service.app)
    const session = { cookie: `__Host-eep_session=${token}` }
    const body = { profile_type: 'custom', username: 'forged' }
    for (const origin of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }, { origin: 'null' }]) {
      const response = await post('/profiles', body, { ...session, ...origin })
      expect(response.statusCode).toBe(403)
      expect(code(response)).toBe('csrf')
    }
    expect(
      (await post('/profiles', { ...body, username: 'own' }, { ...session, origin: 'https://app.example' })).statusCode,
    ).toBe(200)
  })

  it('accepts changes by its own pages, also under an address that is not its public URL', async () => {
    const { token } = await signUp(service.app)
    const browser = { host: 'localhost:3000', origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }
    const body = { profile_type: 'custom', username: 'of-localhost' }
    const response = await post('/profiles', body, { cookie: `__Host-eep_session=${token}`, ...browser })
    expect(response.statusCode).toBe(200)
  })
})

describe('the agent of a request', () => {
  const one = 'did:web:agent.example'

  it('reads the agent from either header or from both if they are equal', async () => {
    for (const headers of [
      { 'x-eep-agent-did': one },
      { 'eep-agent-did': one },
      { 'x-eep-agent-did': one, 'eep-agent-did': one },
    ]) {
      expect((await get('/u/ada', headers)).statusCode).toBe(200)
    }
  })

  it('rejects different agents in the two headers on any route', async () => {
    const headers = { 'x-eep-agent-did': one, 'eep-agent-did': 'did:web:other.example' }
    for (const answer of [
      await get('/u/ada', headers),
      await get('/health/live', headers),
      await get('/auth/me', { ...headers, ...owner.headers }),
      await get('/nowhere/at/all', headers),
      await post('/auth/login', {}, headers),
    ]) {
      expect(answer.statusCode).toBe(400)
      expect(code(answer)).toBe('conflicting_agent_did')
      expect(answer.headers).toHaveProperty('x-ratelimit-remaining')
    }
  })
})

describe('the version of the protocol', () => {
  it('sends the version of the protocol with every response', async () => {
    for (const url of ['/u/ada', '/u/unknown', '/nowhere', '/auth/me']) {
      expect((await get(url)).headers['eep-version'], url).toBe('0.1')
    }
  })

  it('requires a version that the client accepts', async () => {
    expect((await get('/u/ada', { 'eep-version': '0.9, 0.1' })).statusCode).toBe(200)
    const response = await get('/u/ada', { 'eep-version': '0.9' })
    expect(response.statusCode).toBe(505)
    expect(response.json()).toMatchObject({
      requested_version: '0.9',
      supported_versions: ['0.1'],
      preferred_version: '0.1',
    })
  })
})
