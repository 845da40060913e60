import { serviceProbe } from '@eep/core/testing'
import { decode } from '@toon-format/toon'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { createTestApp, PUBLIC_URL, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'

const TYPES = [
  ['person', 'u', { headline: 'Countess of computing', languages: ['en', 'fr'] }, { headline: 1 }],
  ['organization', 'o', { legal_name: 'Analytical Engines Ltd', founded: 1843, size: '1-10' }, { founded: 'long ago' }],
  [
    'place',
    'l',
    { address: { city: 'London' }, geo: { lat: 51.5, lng: -0.1 }, opening_hours: ['Mo-Fr 9-17'] },
    { geo: { lat: 91, lng: 0 } },
  ],
  [
    'asset',
    'a',
    { category: 'engine', value: { amount: '100.50', currency: 'EUR' } },
    { value: { amount: -1, currency: 'EUR' } },
  ],
  ['product', 'p', { sku: 'E-1', price: { amount: 10, currency: 'USD' } }, { price: { amount: 10 } }],
  ['knowledge', 'k', { subject: 'Numbers', authors: ['Ada'], abstract: 'Notes.\n\nMore.' }, { authors: 'Ada' }],
  [
    'agent',
    'agent',
    { model: 'm-1', endpoint: 'https://agent.example/', protocols: ['eep'] },
    { endpoint: 'javascript:x' },
  ],
  ['event', 'e', { starts_at: '2026-01-01T10:00:00Z', timezone: 'Europe/London' }, { timezone: 'Mars/Olympus' }],
  ['custom', 'x', { schema_url: 'https://schema.example/', fields: { any: [1, { deep: true }] } }, { fields: [] }],
] as const

let app: TestApp
let close: () => Promise<void>
let ada: Awaited<ReturnType<typeof signUp>>
let bob: Awaited<ReturnType<typeof signUp>>
let number = 0

const fresh = () => `name-${++number}`

const probe = await serviceProbe()

beforeAll(async () => {
  ;({ app, close } = await createTestApp({ extend: [probe.module] }))
  ada = await signUp(app, 'ada')
  bob = await signUp(app, 'bob')
})

afterAll(() => close())

type Fields = Readonly<Record<string, unknown>>

const { get } = client(() => app)
const json = async (url: string, headers: Record<string, string> = {}) =>
  (await get(`${url}?format=json`, headers)).json()
const post = (payload: Fields, headers: Record<string, string> = ada.headers) =>
  client(app).post('/profiles', payload, headers)
const put = (path: string, payload: Fields, headers: Record<string, string> = ada.headers) =>
  client(app).put(`/profiles${path}`, payload, headers)
const remove = (path: string, headers: Record<string, string> = ada.headers) =>
  client(app).delete(`/profiles${path}`, headers)

/** Makes an organization of Ada's and returns its path. */
async function organization(fields: Fields = {}) {
  const username = fresh()
  const response = await post({ profile_type: 'organization', username, ...fields })
  expect(response.statusCode, response.body).toBe(200)
  return `/o/${username}`
}

const codeOf = (response: { json(): { error: { code: string } } }) => response.json().error.code

describe('a profile', () => {
  it.each(TYPES)('of type %s is made, read, changed and removed under /%s/', async (type, prefix, typeData) => {
    const username = fresh()
    const path = `/${prefix}/${username}`
    const made = await post({ profile_type: type, username, type_data: typeData, full_name: 'A Name' })
    expect(made.statusCode).toBe(200)
    expect(made.json()).toEqual({ success: true, username })

    expect(await json(path)).toMatchObject({
      profile_type: type,
      username,
      full_name: 'A Name',
      type_data: typeData,
      did: `did:web:profiles.example:${prefix}:${username}`,
      visibility: 'public',
      files: [],
      trust_score: 0,
    })
    expect((await get(`/profiles${path}`)).json()).toEqual(await json(path))

    const removed = Object.fromEntries(Object.keys(typeData).map((member) => [member, null]))
    const kept = await put(path, { bio: 'Hello.', type_data: {} })
    expect(kept.json()).toMatchObject({ bio: 'Hello.', type_data: typeData })
    const changed = await put(path, { type_data: removed })
    expect(changed.statusCode).toBe(200)
    expect(changed.json()).toMatchObject({ bio: 'Hello.', type_data: {}, full_name: 'A Name' })
    expect(await json(path)).toMatchObject({ bio: 'Hello.' })
    expect((await get(path)).body).toContain('Hello.')

    const gone = await remove(path)
    expect(gone.statusCode).toBe(200)
    expect(gone.json()).toEqual({ success: true, message: expect.any(String) })
    expect((await get(path)).statusCode).toBe(404)
    expect(codeOf(await get(path))).toBe('profile_not_found')
    expect((await post({ profile_type: type, username })).statusCode).toBe(200)
  })

  it('merges members of type_data, also under concurrent changes', async () => {
    const path = '/u/merging'
    await post({ profile_type: 'person', username: 'merging', type_data: { headline: 'Before', location: 'London' } })
    const change = async (type_data: object) => {
      const response = await put(path, { type_data })
      expect(response.statusCode, response.body).toBe(200)
    }
    await Promise.all([
      change({ headline: 'After' }),
      change({ location: null }),
      change({ languages: ['en'] }),
      change({ availability: 'now' }),
    ])
    const { type_data } = await json(path)
    expect(type_data).toEqual({ headline: 'After', languages: ['en'], availability: 'now' })
    const refused = await put(path, { type_data: { headline: 'Lost', nonsense: 1 } })
    expect(refused.json().error.details.issues[0].path).toBe('/type_data')
    expect((await json(path)).type_data.headline).toBe('After')
    await put(path, { custom_fields: { a: 1, b: 2 } })
    await put(path, { custom_fields: { b: 3 } })
    expect((await json(path)).custom_fields).toEqual({ b: 3 })
  })

  it.each(TYPES)('of type %s keeps to its type_data', async (type, prefix, typeData, wrong) => {
    const username = fresh()
    for (const type_data of [wrong, { ...typeData, surprise: true }, 'text', []]) {
      const response = await post({ profile_type: type, username, type_data })
      expect(response.statusCode).toBe(400)
      expect(response.json().error.details.issues[0].path).toMatch(/^\/type_data/)
    }
    expect((await post({ profile_type: type, username })).statusCode).toBe(200)
    for (const type_data of [wrong, { ...typeData, surprise: true }, 'text', []]) {
      const response = await put(`/${prefix}/${username}`, { type_data })
      expect(response.statusCode).toBe(400)
      expect(response.json().error.details).toMatchObject({ in: 'body' })
      expect(response.json().error.details.issues[0].path).toMatch(/^\/type_data/)
    }
  })

  it('may have the name of a profile of another type', async () => {
    const username = fresh()
    expect((await post({ profile_type: 'product', username })).statusCode).toBe(200)
    expect((await post({ profile_type: 'place', username }, bob.headers)).statusCode).toBe(200)
    const again = await post({ profile_type: 'product', username }, bob.headers)
    expect(again.statusCode).toBe(409)
    expect(codeOf(again)).toBe('username_taken')
  })

  it('takes no reserved name', async () => {
    const response = await post({ profile_type: 'agent', username: 'admin' })
    expect(response.statusCode).toBe(409)
    expect(codeOf(response)).toBe('username_reserved')
  })

  it('refuses the username of another person', async () => {
    expect((await remove('/u/bob', bob.headers)).statusCode).toBe(200)
    expect(codeOf(await post({ profile_type: 'person', username: 'bob' }))).toBe('username_taken')
    expect((await post({ profile_type: 'person', username: 'bob' }, bob.headers)).statusCode).toBe(200)
  })

  it('gives a username to exactly one of many concurrent requests', async () => {
    const username = fresh()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        post({ profile_type: 'event', username }, index % 2 ? ada.headers : bob.headers),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(19).fill(409)])
    expect(answers.filter(({ statusCode }) => statusCode === 409).map(codeOf)).toEqual(Array(19).fill('username_taken'))
  })

  it.each([
    [{}, ''],
    [{ profile_type: 'person' }, '/username'],
    [{ profile_type: 'alien', username: 'x1' }, '/profile_type'],
    [{ profile_type: 'person', username: 'Not Valid' }, '/username'],
    [{ profile_type: 'person', username: 'x'.repeat(65) }, '/username'],
    [{ profile_type: 'person', username: 'x1', bio: 'x'.repeat(5001) }, '/bio'],
    [{ profile_type: 'person', username: 'x1', bio: 'a\0b' }, '/bio'],
    [{ profile_type: 'person', username: 'x1', full_name: 'a\nb' }, '/full_name'],
    [{ profile_type: 'person', username: 'x1', skills: Array(51).fill('x') }, '/skills'],
    [{ profile_type: 'person', username: 'x1', skills: ['x'.repeat(65)] }, '/skills/0'],
    [{ profile_type: 'person', username: 'x1', avatar_url: 'javascript:alert(1)' }, '/avatar_url'],
    [{ profile_type: 'person', username: 'x1', socials: { web: 'http://insecure.example' } }, '/socials/web'],
    [{ profile_type: 'person', username: 'x1', socials: { web: 'javascript:alert(1)' } }, '/socials/web'],
    [{ profile_type: 'person', username: 'x1', socials: { 'a b': 'x' } }, '/socials/a b'],
    [{ profile_type: 'person', username: 'x1', email: 'invalid' }, '/email'],
    [{ profile_type: 'person', username: 'x1', capabilities: ['flying'] }, '/capabilities/0'],
    [{ profile_type: 'person', username: 'x1', capabilities: ['hireable', 'hireable'] }, '/capabilities'],
    [
      { profile_type: 'person', username: 'x1', custom_fields: { a: { b: { c: { d: { e: { f: { g: 1 } } } } } } } },
      '/custom_fields',
    ],
    [{ profile_type: 'person', username: 'x1', custom_fields: { a: 'x'.repeat(17_000) } }, '/custom_fields'],
    [{ profile_type: 'person', username: 'x1', custom_fields: [] }, '/custom_fields'],
    [{ profile_type: 'person', username: 'x1', visibility: 'secret' }, '/visibility'],
    [{ profile_type: 'person', username: 'x1', surprise: 1 }, ''],
  ])('is not made of %j', async (payload, path) => {
    const response = await post(payload)
    expect(response.statusCode).toBe(400)
    const { code, details } = response.json().error
    expect(code).toBe('validation_failed')
    expect(details.issues.map((issue: { path: string }) => issue.path)).toContain(path || details.issues[0].path)
  })

  it('is not made of a body that is nested without end', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    const payload = `{"profile_type":"person","username":"x1","custom_fields":{"a":${deep}}}`
    const headers = { ...ada.headers, 'content-type': 'application/json' }
    const response = await client(app).post('/profiles', payload, headers)
    expect(response.statusCode).toBe(400)
  })

  it('requires a session to create a profile', async () => {
    expect((await post({ profile_type: 'person', username: fresh() }, {})).statusCode).toBe(401)
  })
})

describe('an update', () => {
  it('changes what it names and nothing else', async () => {
    const fields = {
      full_name: 'Engines',
      bio: 'We make engines.',
      skills: ['gears'],
      socials: { github: 'https://github.com/engines', mastodon: '@engines@example.social' },
      keywords: ['steam'],
      agent_instructions: 'Ask for the catalogue.',
      agent_rules: 'Do not haggle.',
      capabilities: ['contactable', 'purchasable'],
      custom_fields: { cogs: { count: 12 } },
      avatar_url: 'https://cdn.example/engine.png',
    }
    const path = await organization(fields)
    expect(await json(path)).toMatchObject(fields)
    const { updated_at: _, ...before } = await json(path)
    const { updated_at: __, ...after } = (await put(path, { bio: null })).json()
    // A profile that lacks its bio is not complete, which counts for its trust.
    expect(after).toEqual({ ...before, bio: null, email: null, trust_score: 0 })
  })

  it('of nothing changes nothing', async () => {
    const path = await organization({ bio: 'Same.' })
    const { updated_at: before } = await json(path)
    expect((await put(path, {})).statusCode).toBe(200)
    expect((await put(path, { bio: 'Same.', skills: [] })).statusCode).toBe(200)
    expect((await json(path)).updated_at).toBe(before)
  })

  it('names no file that does not exist', async () => {
    const path = await organization()
    expect((await put(path, { files_to_delete: [] })).statusCode).toBe(200)
    const response = await put(path, { bio: 'Changed.', files_to_delete: [1] })
    expect(response.statusCode).toBe(400)
    expect(codeOf(response)).toBe('unknown_file')
    expect((await json(path)).bio).toBeNull()
    expect((await put(path, { files_to_delete: ['1'] })).statusCode).toBe(400)
  })

  it('cannot move a profile', async () => {
    const path = await organization()
    for (const payload of [{ profile_type: 'person' }, { id: 1 }, { owner_account_id: 'x' }]) {
      expect((await put(path, payload)).statusCode).toBe(400)
    }
  })

  it('is for the owner', async () => {
    const path = await organization()
    expect((await put(path, { bio: 'Mine.' }, {})).statusCode).toBe(401)
    const foreign = await put(path, { bio: 'Mine.' }, bob.headers)
    expect(foreign.statusCode).toBe(403)
    expect(codeOf(foreign)).toBe('not_profile_owner')
    expect((await put('/o/unknown-name', { bio: 'x' })).statusCode).toBe(404)
    expect((await put('/zz/unknown-name', { bio: 'x' })).statusCode).toBe(404)
    expect((await json(path)).bio).toBeNull()
  })
})

describe('a removal', () => {
  it('is for the owner', async () => {
    const path = await organization()
    expect((await remove(path, {})).statusCode).toBe(401)
    expect((await remove(path, bob.headers)).statusCode).toBe(403)
    expect((await remove('/o/unknown-name')).statusCode).toBe(404)
    expect((await get(path)).statusCode).toBe(200)
    const [first, second] = await Promise.all([remove(path), remove(path)])
    expect([first.statusCode, second.statusCode].sort()).toEqual([200, 404])
  })
})

describe('an email address', () => {
  it('is shown to the owner only', async () => {
    const path = await organization({ email: 'engines@example.com' })
    expect((await get(`/profiles${path}`, ada.headers)).json().email).toBe('engines@example.com')
    expect((await get(`/profiles${path}`)).json()).not.toHaveProperty('email')
    expect((await get(`/profiles${path}`, bob.headers)).json()).not.toHaveProperty('email')
    for (const format of ['json', 'markdown', 'toon']) {
      expect((await get(`${path}?format=${format}`, ada.headers)).body).not.toContain('engines@example.com')
    }
    for (const sibling of ['freshness', 'changelog', 'badge.svg', 'did.json']) {
      expect((await get(`${path}/${sibling}`)).body).not.toContain('engines@example.com')
    }
  })
})

describe('the format', () => {
  const MARKDOWN = 'text/markdown; charset=utf-8'
  const JSON_TYPE = 'application/json; charset=utf-8'
  const TOON = 'text/toon; charset=utf-8'

  it.each([
    [undefined, '', MARKDOWN],
    ['*/*', '', MARKDOWN],
    ['text/markdown', '', MARKDOWN],
    ['application/json', '', JSON_TYPE],
    ['text/toon', '', TOON],
    ['application/json;q=0.5, text/toon', '', TOON],
    ['text/toon;q=0.1, application/json;q=0.9, */*;q=0.05', '', JSON_TYPE],
    ['application/json;q=0', '', MARKDOWN],
    ['text/html,application/xhtml+xml,*/*;q=0.8', '', 'text/html; charset=utf-8'],
    ['image/png', '', MARKDOWN],
    ['not a media type', '', MARKDOWN],
    ['', '', MARKDOWN],
    ['text/*', '', MARKDOWN],
    ['application/*', '', JSON_TYPE],
    ['text/toon', '?format=json', JSON_TYPE],
    ['application/json', '?format=markdown', MARKDOWN],
    [undefined, '?format=toon', TOON],
  ])('for Accept %j and query %j is %s', async (accept, query, type) => {
    const response = await get(`/u/ada${query}`, accept === undefined ? {} : { accept })
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe(type)
    expect(response.headers.vary).toMatch(/accept/i)
  })

  it.each(['xml', '', 'JSON', 'markdown,json', '__proto__'])('%j does not exist', async (format) => {
    const response = await get(`/u/ada?format=${format}`)
    expect(response.statusCode).toBe(400)
    expect(codeOf(response)).toBe('invalid_format')
  })

  it('does not matter to what TOON and JSON say', async () => {
    const path = await organization({ custom_fields: { a: [1, 'two', { three: null }] }, skills: ['a, b', '- c'] })
    expect(decode((await get(`${path}?format=toon`)).body)).toEqual(await json(path))
  })
})

describe('the headers of a public read', () => {
  it('say who it is and where its neighbours are, and every link leads somewhere', async () => {
    const path = await organization()
    const { headers } = await get(path)
    expect(headers).toMatchObject({
      'x-profile-username': path.slice(3),
      'x-profile-type': 'organization',
      'eep-version': '0.1',
      'eep-entity-did': `did:web:profiles.example:o:${path.slice(3)}`,
      'cache-control': 'public, max-age=60',
    })
    const links = [...String(headers.link).matchAll(/<([^>]*)>; rel="([^"]*)"/g)].map(([, href = '', rel = '']) => ({
      href,
      rel,
    }))
    for (const rel of [
      'contents',
      'changelog',
      'freshness',
      'badge',
      'service-desc',
      'canonical',
      'alternate',
      'did',
      'eep',
    ]) {
      expect(links.map((link) => link.rel)).toContain(rel)
    }
    for (const { href, rel } of links) {
      // It takes a POST.
      if (rel === 'subscribe') continue
      const response = await get(href.replace(PUBLIC_URL, ''))
      expect(response.statusCode, `${href}: ${response.body}`).toBe(200)
    }
    for (const url of Object.values<string>((await json(path)).links)) {
      expect(url.startsWith(`${PUBLIC_URL}/`)).toBe(true)
      expect((await get(url.slice(PUBLIC_URL.length))).statusCode, url).toBe(200)
    }
  })

  it('let a client keep what it has', async () => {
    const path = await organization()
    const tags = new Set<unknown>()
    for (const format of ['markdown', 'json', 'toon']) {
      const url = `${path}?format=${format}`
      const { headers } = await get(url)
      const etag = String(headers.etag)
      expect(etag).toMatch(/^"[\w-]{22}"$/)
      tags.add(etag)
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const response = await get(url, { 'if-none-match': known })
        expect(response.statusCode).toBe(304)
        expect(response.body).toBe('')
        expect(response.headers).toMatchObject({ etag, 'cache-control': 'public, max-age=60' })
        expect(response.headers.vary).toMatch(/accept/i)
      }
      expect((await get(url, { 'if-none-match': '"other"' })).statusCode).toBe(200)
    }
    expect(tags.size).toBe(3)
    const before = String((await get(path)).headers.etag)
    await put(path, { bio: 'New.' })
    expect((await get(path, { 'if-none-match': before })).statusCode).toBe(200)
  })

  it('answer HEAD without a body', async () => {
    const response = await client(app).send('HEAD', '/u/ada')
    expect(response.statusCode).toBe(200)
    expect(response.body).toBe('')
    expect(response.headers['x-profile-username']).toBe('ada')
  })
})

describe('a name that cannot be', () => {
  it.each([
    '/u/unknown-name',
    '/u/Ada',
    '/u/..%2f',
    '/u/%F0%9F%8E%A9',
    '/x/ada',
    '/profiles/zz/ada',
    `/u/${'x'.repeat(90)}`,
  ])('%s is not found', async (url) => {
    expect((await get(url)).statusCode).toBe(404)
  })
})

describe('an unlisted profile', () => {
  it('is read by its address, and asks not to be listed', async () => {
    const path = await organization({ visibility: 'unlisted' })
    const response = await get(path)
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({ 'x-robots-tag': 'noindex', 'cache-control': 'private, max-age=60' })
  })
})

describe('a private profile', () => {
  const SIBLINGS = ['', '/freshness', '/changelog', '/badge.svg', '/did.json']

  it('is there for its owner only', async () => {
    const path = await organization({ visibility: 'private' })
    for (const sibling of SIBLINGS) {
      expect((await get(path + sibling)).statusCode).toBe(404)
      expect((await get(path + sibling, bob.headers)).statusCode).toBe(404)
      const own = await get(path + sibling, ada.headers)
      expect(own.statusCode).toBe(200)
      expect(own.headers['cache-control']).toBe('private, no-store')
    }
    expect((await get(`/profiles${path}`)).statusCode).toBe(404)
    expect((await put(path, { bio: 'x' }, bob.headers)).statusCode).toBe(404)
    expect((await remove(path, bob.headers)).statusCode).toBe(404)
  })

  it('hides and shows a profile immediately', async () => {
    const path = await organization()
    expect((await get(path)).statusCode).toBe(200)
    await put(path, { visibility: 'private' })
    for (const sibling of SIBLINGS) expect((await get(path + sibling)).statusCode).toBe(404)
    await put(path, { visibility: 'public' })
    expect((await get(path)).statusCode).toBe(200)
  })
})

describe('check-username', () => {
  const available = async (query: string) => (await get(`/check-username?${query}`)).json().available

  it('says whether a name is free, within a type and everywhere', async () => {
    const username = (await organization()).slice(3)
    expect(await available(`username=${username}&type=organization`)).toBe(false)
    expect(await available(`username=${username}&type=place`)).toBe(true)
    expect(await available(`username=${username}`)).toBe(false)
    expect(await available(`username=${fresh()}`)).toBe(true)
  })

  it('counts accounts and reserved names as taken', async () => {
    await remove('/u/bob', bob.headers)
    expect(await available('username=bob')).toBe(false)
    expect(await available('username=bob&type=person')).toBe(false)
    expect(await available('username=bob&type=place')).toBe(true)
    expect(await available('username=admin')).toBe(false)
    expect(await available('username=admin&type=place')).toBe(false)
  })

  it.each([
    '',
    'type=person',
    'username=Ada',
    'username=',
    'username=a%00',
    'username=ada&type=alien',
    'username=a&username=b',
  ])('refuses %j', async (query) => {
    const response = await get(`/check-username?${query}`)
    expect(response.statusCode).toBe(400)
    expect(response.json().error.details.issues).not.toHaveLength(0)
  })
})

describe('the DID document', () => {
  it('names the keys of the service and where the profile is', async () => {
    const path = await organization()
    const did = (await json(path)).did
    const response = await get(`${path}/did.json`)
    expect(response.headers['content-type']).toMatch(/^application\/did\+json/)
    expect(response.headers['cache-control']).toBe('public, max-age=60')
    const document = response.json()
    expect(document).toMatchObject({
      id: did,
      controller: 'did:web:profiles.example',
      alsoKnownAs: [PUBLIC_URL + path],
    })
    const [method] = document.verificationMethod
    expect(method).toMatchObject({
      type: 'JsonWebKey2020',
      publicKeyJwk: { kty: 'OKP', crv: 'Ed25519', x: expect.any(String) },
    })
    expect(method.publicKeyJwk).not.toHaveProperty('d')
    expect(document.assertionMethod).toEqual([method.id])
    const again = await get(`${path}/did.json`, { 'if-none-match': String(response.headers.etag) })
    expect(again.statusCode).toBe(304)
  })
})

describe('freshness', () => {
  it('changes with the profile and with nothing else', async () => {
    const path = await organization()
    const before = (await get(`${path}/freshness`)).json()
    expect(before).toEqual({
      did: (await json(path)).did,
      revision: expect.stringMatching(/^[\w-]{22}$/),
      updated_at: (await json(path)).updated_at,
      content_updated_at: null,
    })
    expect((await get(`${path}/freshness`)).json()).toEqual(before)
    await put(path, { keywords: ['new'] })
    expect((await get(`${path}/freshness`)).json().revision).not.toBe(before.revision)
  })
})

describe('the badge', () => {
  it('shows the name and can do no harm', async () => {
    const path = await organization({ full_name: '<script>alert(1)</script>' })
    const response = await get(`${path}/badge.svg`)
    expect(response.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    expect(response.body).not.toContain('<script')
    expect(response.body).toContain('&lt;script&gt;')
  })
})

describe('the changelog', () => {
  const changelog = async (path: string, query = '') => (await get(`${path}/changelog?format=json${query}`)).json()

  /** An organization with four events, three of them public. */
  async function changed() {
    const path = await organization()
    await put(path, { bio: 'One.' })
    await put(path, { email: 'secret@example.com' })
    await put(path, { skills: ['x'], keywords: ['y'], email: null })
    return path
  }

  it('lists the public changes newest first, in pages and in either order', async () => {
    const path = await changed()
    const whole = await changelog(path)
    expect(whole.data.map(({ type, fields }: Fields) => [type, fields])).toEqual([
      ['profiles.profile_updated', ['skills', 'keywords']],
      ['profiles.profile_updated', ['bio']],
      ['profiles.profile_created', undefined],
    ])
    expect(whole.pagination).toEqual({ total: 3, has_more: false })
    expect((await changelog(path, '&order=asc')).data).toEqual(whole.data.toReversed())
    for (const [order, expected] of [
      ['', whole.data],
      ['&order=asc', whole.data.toReversed()],
    ]) {
      const seen: unknown[] = []
      for (let cursor = ''; ; ) {
        const { data, pagination } = await changelog(path, `&limit=1${order}${cursor}`)
        expect(pagination.total).toBe(3)
        seen.push(...data)
        if (!pagination.has_more) break
        cursor = `&cursor=${pagination.next_cursor}`
      }
      expect(seen).toEqual(expected)
    }
    expect((await get(`${path}/changelog`)).body).toContain('Profile updated: bio')
    expect(decode((await get(`${path}/changelog?format=toon`)).body)).toEqual(await json(`${path}/changelog`))
  })

  it('shows what comes while it is read once, and what came before where it was', async () => {
    const path = await changed()
    const first = await changelog(path, '&limit=2')
    await put(path, { bio: 'Two.' })
    const rest = await changelog(path, `&limit=2&cursor=${first.pagination.next_cursor}`)
    expect(rest.data.map(({ type }: Fields) => type)).toEqual(['profiles.profile_created'])
    const { headers } = await get(`${path}/changelog?format=json&limit=1&since=2020-01-01T00:00:00Z`)
    const next = /<([^>]*)>; rel="next"/.exec(String(headers.link))?.[1] ?? ''
    expect(next).toContain('since=')
    expect((await get(`${next}&format=json`)).json().data[0].fields).toEqual(['skills', 'keywords'])
  })

  it('continues after a change or a time', async () => {
    const path = await changed()
    const [last, , first] = (await changelog(path)).data
    expect(await changelog(path, `&since=${last.id}`)).toEqual({ data: [], pagination: { total: 0, has_more: false } })
    const later = await changelog(path, `&since=${first.id}&order=asc`)
    expect(later.data.map(({ fields }: Fields) => fields)).toEqual([['bio'], ['skills', 'keywords']])
    await put(path, { bio: 'Two.' })
    expect((await changelog(path, `&since=${last.id}`)).data.map(({ fields }: Fields) => fields)).toEqual([['bio']])
    expect((await changelog(path, '&since=2020-01-01T00:00:00Z')).pagination.total).toBe(4)
    expect((await changelog(path, '&since=2999-01-01T00:00:00%2B02:00')).pagination.total).toBe(0)
    const unknown = await get(`${path}/changelog?since=00000000-0000-4000-8000-000000000000`)
    expect([unknown.statusCode, codeOf(unknown)]).toEqual([410, 'changelog_expired'])
  })

  it('takes a cursor in the order it was made in', async () => {
    const path = await changed()
    const { pagination } = await changelog(path, '&limit=1')
    const answer = await get(`${path}/changelog?order=asc&cursor=${pagination.next_cursor}`)
    expect([answer.statusCode, codeOf(answer)]).toEqual([400, 'invalid_cursor'])
  })

  it.each([
    'limit=0',
    'limit=101',
    'limit=x',
    'cursor=',
    'cursor=nonsense',
    'format=xml',
    'order=up',
    'since=yesterday',
  ])('refuses %s', async (query) => {
    expect((await get(`/u/ada/changelog?${query}`)).statusCode).toBe(400)
  })

  it.each(['[1.5]', '[1e20]', '[1e400]'])('refuses a forged cursor of %s', async (key) => {
    const answer = await get(`/u/ada/changelog?cursor=${Buffer.from(key).toString('base64url')}`)
    expect(answer.statusCode).toBe(400)
    expect(answer.json().error.code).toBe('invalid_cursor')
  })
})

describe('the document', () => {
  it('is one object until something about the profile changes', async () => {
    const path = await organization()
    const document = async () => (await probe.services.profiles?.getPublic('organization', path.slice(3)))?.document
    // What this instance wrote comes back through the log a moment later and empties the cache once more.
    const settled = () => vi.waitFor(async () => expect(await document()).toBe(await document()), 60_000)
    await settled()
    const first = await document()
    await put(path, { bio: 'New.' })
    expect(await document()).not.toBe(first)
    await settled()
  })

  it('names the public pages of a profile, and what they ask for, as they change', async () => {
    const path = await organization()
    const { id: profile_id, did } = await json(path)
    const manage = async (method: 'POST' | 'PUT', url: string, payload: Fields) => {
      const response = await ada.send(method, url, payload)
      expect(response.statusCode, response.body).toBeLessThan(300)
      return response.json()
    }
    const page = { profile_id, title: 'On # engines', body: 'Text.' }
    const open = await manage('POST', '/manage/pages', { ...page, slug: 'open', status: 'draft' })
    const hidden = await manage('POST', '/manage/categories', { profile_id, name: 'Hidden', visibility: 'private' })
    await manage('POST', '/manage/pages', {
      ...page,
      title: 'Secret plan',
      category_id: hidden.id,
      status: 'published',
    })
    expect((await get(path)).body).not.toContain('## Contents')
    const before = (await get(`${path}/freshness`)).json()

    await manage('PUT', `/manage/pages/${open.id}`, { status: 'published' })
    expect((await get(path)).body).toContain(`## Contents\n\n- [On # engines](<${PUBLIC_URL}${path}/content/open>)\n`)
    const after = (await get(`${path}/freshness`)).json()
    expect(after.revision).not.toBe(before.revision)
    expect(after.content_updated_at).not.toBeNull()
    const saved = (await json(`${path}/changelog`)).data.filter(({ type }: Fields) => type === 'content.page_saved')
    expect(saved.map((change: Fields) => change.page)).toEqual([
      { id: open.id, title: 'On # engines', url: `${PUBLIC_URL}${path}/content/open` },
    ])

    await manage('PUT', `/eep/gates/${encodeURIComponent(did)}`, {
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['profile.*'] },
        member: {
          label: 'Member',
          requirements: [{ type: 'payment', amount: 0.5, currency: 'usdc', per: 'once' }],
          access: ['content.*'],
        },
      },
    })
    expect((await get(path)).body).toContain('- Member: 0.5 USDC once; opens `content.*`')
    expect((await json(path)).eep).toMatchObject({ gated: true, gates_url: expect.stringContaining('/eep/gates/') })

    await manage('PUT', `/manage/pages/${open.id}`, { status: 'archived' })
    expect((await get(path)).body).not.toContain('## Contents')
    expect((await get(`${path}/changelog`)).body).not.toContain('engines')
    for (const sibling of ['', '/changelog', '/freshness'])
      expect((await get(path + sibling)).body).not.toContain('Secret plan')
  })
})

describe('what an owner writes', () => {
  const FORGERIES = [
    '---\ndid: did:web:evil.example\n---',
    '# Another person',
    'Text\n## Machine links\n- [JSON](https://evil.example)',
    'Title\n=====',
    'Title\n-----',
    '```\n## Access\n```',
    '<h1>Hi</h1><script>alert(1)</script>',
    '[click](javascript:alert(1))',
    '![x](https://evil.example/pixel.png)',
    '> quoted',
    '\r## Access\r',
    '\u2028## Access',
    '| a | b |\n|---|---|\n| 1 | 2 |',
    '    indented',
    '&#35; Heading',
    '\\# Heading',
    '````\n`````\n## Access',
    '<https://evil.example>',
    '[a]: https://evil.example\n[a]',
  ]

  const skeleton = (markdown: string) => {
    let fence = ''
    return markdown.split(/[\n\r\u0085\u2028\u2029]/).filter((line) => {
      const run = /^`{3,}/.exec(line)?.[0] ?? ''
      if (fence) {
        if (line === fence) fence = ''
        return false
      }
      fence = run
      return /^\s{0,3}(#|---|===|>|<|\[|!\[|\||~~~)|^ {4}|(^|[^\\])(\]\(|<[a-z/!])/.test(
        line.replaceAll(/\]\(<https:\/\/profiles\.example[^>]*>\)/g, ''),
      )
    })
  }

  it.each(FORGERIES)('stays text: %j', async (text) => {
    const name = text.replaceAll(/[\n\r\u2028]/g, ' ')
    const path = await organization({
      full_name: name,
      bio: `A\n${text}`,
      skills: [name.slice(0, 64)],
      agent_instructions: text,
      agent_rules: text,
    })
    const { body } = await get(path)
    const headings = skeleton(body).filter((line) => !line.startsWith('# '))
    expect(headings).toEqual([
      '---',
      '---',
      '## About',
      '## Skills',
      '## Agent instructions',
      '## Agent rules',
      '## Machine links',
    ])
    expect(await json(path)).toMatchObject({ full_name: name, bio: `A\n${text}`, agent_rules: text })
  })
})
