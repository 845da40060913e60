import { decode } from '@toon-format/toon'
import { describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { PUBLIC_URL } from '../support/app.ts'
import { openProfiles } from '../support/profiles.ts'

const { ada, bob, get, json, organization, put, remove } = await openProfiles()

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
  ])('for Accept %j and query %j sends %s', async (accept, query, type) => {
    const response = await get(`/u/ada${query}`, accept === undefined ? {} : { accept })
    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe(type)
    expect(response.headers.vary).toMatch(/accept/i)
  })

  it.each(['xml', '', 'markdown,json', '__proto__'])('rejects the format %j', async (format) => {
    const response = await get(`/u/ada?format=${format}`)
    expect(response.statusCode).toBe(400)
    expect(codeOf(response)).toBe('invalid_format')
  })

  it('sends the same data as TOON and JSON', async () => {
    const path = await organization({ custom_fields: { a: [1, 'two', { three: null }] }, skills: ['a, b', '- c'] })
    expect(decode((await get(`${path}?format=toon`)).body)).toEqual(await json(path))
  })
})

describe('the headers of a public read', () => {
  it('sends the DID and related links, none of which is broken', async () => {
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

  it('supports conditional requests', async () => {
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
})

describe('an unlisted profile', () => {
  it('serves an unlisted profile at its URL, with noindex', async () => {
    const path = await organization({ visibility: 'unlisted' })
    const response = await get(path)
    expect(response.statusCode).toBe(200)
    expect(response.headers).toMatchObject({ 'x-robots-tag': 'noindex', 'cache-control': 'private, max-age=60' })
  })
})

describe('a private profile', () => {
  const SIBLINGS = ['', '/freshness', '/changelog', '/badge.svg', '/card.png', '/did.json']

  it('serves a private profile to its owner only', async () => {
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

describe('the DID document', () => {
  it('contains the keys of the service and the URL of the profile', async () => {
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
  it('changes the revision with the profile only', async () => {
    const path = await organization()
    const before = (await get(`${path}/freshness.json`)).json()
    expect(before).toEqual({
      did: (await json(path)).did,
      revision: expect.stringMatching(/^[\w-]{22}$/),
      updated_at: (await json(path)).updated_at,
      content_updated_at: null,
    })
    expect((await get(`${path}/freshness.json`)).json()).toEqual(before)
    await put(path, { keywords: ['new'] })
    expect((await get(`${path}/freshness.json`)).json().revision).not.toBe(before.revision)
  })
})

describe('the badge', () => {
  it('shows the escaped name', async () => {
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
