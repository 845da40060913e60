import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { client } from '../support/client.ts'
import { createCashApp, openShop } from '../support/shop.ts'

type Fields = Readonly<Record<string, unknown>>
type Headers = Readonly<Record<string, string>>

const TRAITS = ['contactable', 'bookable', 'purchasable', 'hireable', 'streamable', 'verifiable', 'agent_compatible']

let test: Awaited<ReturnType<typeof createCashApp>>
let ada: Awaited<ReturnType<typeof signUp>>
let bob: Awaited<ReturnType<typeof signUp>>
let id: number

beforeAll(async () => {
  test = await createCashApp()
  ada = await signUp(test.app, 'ada')
  bob = await signUp(test.app, 'bob')
  id = ada.account.active_profile_id
})
afterAll(() => test.close())

const { get } = client(() => test.app)
const set = (capabilities: unknown, headers: Headers = ada.headers) =>
  client(test.app).with(headers).put(`/profiles/${id}/capabilities`, { capabilities })

describe('the capabilities of a profile', () => {
  it('replaces the capabilities of a profile completely', async () => {
    expect((await get(`/profiles/${id}/capabilities`)).json()).toEqual({ capabilities: [] })
    expect((await set(['hireable', 'contactable'])).json()).toEqual({ capabilities: ['contactable', 'hireable'] })
    expect((await get('/u/ada?format=json')).json().capabilities.sort()).toEqual(['contactable', 'hireable'])
    expect((await set([])).json()).toEqual({ capabilities: [] })
    expect((await set(TRAITS)).json()).toEqual({ capabilities: TRAITS })
    expect((await get(`/profiles/${id}/capabilities`)).json()).toEqual({ capabilities: TRAITS })
  })

  it.each([[['flying']], [['hireable', 'hireable']], ['hireable'], [[1]], [null], [[...TRAITS, 'hireable']]])(
    'rejects the capabilities %j',
    async (capabilities) => {
      expect((await set(capabilities)).statusCode).toBe(400)
    },
  )

  it('are set with an API key, and not found for unknown profiles', async () => {
    const writing = await newKey(test.app, ada.headers, { scopes: ['write:profiles'] })
    expect((await set(TRAITS, writing.headers)).statusCode).toBe(200)
    for (const method of ['GET', 'PUT'] as const) {
      const payload = method === 'PUT' ? { capabilities: [] } : undefined
      expect((await ada.send(method, '/profiles/999999999/capabilities', payload)).statusCode).toBe(404)
    }
  })
})

describe('the visibility of a profile', () => {
  const visibility = (value: unknown, headers: Headers = ada.headers) =>
    client(test.app).with(headers).put(`/profiles/${id}/visibility`, { visibility: value })

  it('applies a new visibility of a profile immediately', async () => {
    expect((await get('/u/ada')).statusCode).toBe(200)
    expect((await visibility('private')).json()).toEqual({ visibility: 'private' })
    expect((await get('/u/ada')).statusCode).toBe(404)
    expect((await get(`/profiles/${id}/capabilities`)).statusCode).toBe(404)
    expect((await get(`/profiles/${id}/capabilities`, ada.headers)).statusCode).toBe(200)
    expect((await ada.get(`/profiles/${id}/visibility`)).json()).toEqual({ visibility: 'private' })
    expect((await visibility('unlisted', bob.headers)).statusCode).toBe(404)
    expect((await visibility('unlisted')).json()).toEqual({ visibility: 'unlisted' })
    expect((await get('/u/ada')).headers['x-robots-tag']).toBe('noindex')
    expect((await visibility('public')).statusCode).toBe(200)
  })
})

describe('the capability query', () => {
  const ask = async (did: string, query = '') => {
    const response = await get(`/eep/capabilities/${encodeURIComponent(did)}${query}`)
    expect(response.statusCode, response.body).toBe(200)
    return response.json()
  }

  it('returns the traits and the pages that each tier opens, in pages', async () => {
    const shop = await openShop(test.app, 'seller')
    await shop.put(`/profiles/${shop.profileId}/capabilities`, { capabilities: TRAITS })
    const whole = await ask(shop.did)
    expect(whole).toMatchObject({ total: 9, page: 1, limit: 20 })
    expect(whole).not.toHaveProperty('next_page_url')
    expect(whole.items.map((item: Fields) => item.id)).toEqual([...TRAITS, 'tier.public', 'tier.reader'])
    expect(whole.items[0]).toEqual({
      id: 'contactable',
      name: 'Contact',
      description: expect.any(String),
      category: 'trait',
      gate_types: ['public'],
      access_patterns: [],
    })
    expect(whole.items[8]).toEqual({
      id: 'tier.reader',
      name: 'Reader',
      category: 'access',
      gate_types: ['payment'],
      access_patterns: ['content.notes.*'],
    })

    const seen: unknown[] = []
    for (let url = `/eep/capabilities/${shop.did}?limit=4`; ; ) {
      const page = (await get(url)).json()
      seen.push(...page.items)
      expect(page).toMatchObject({ total: 9, limit: 4 })
      if (!page.next_page_url) break
      url = page.next_page_url.replace('https://profiles.example', '')
    }
    expect(seen).toEqual(whole.items)
    expect((await ask(shop.did, '?page=99')).items).toEqual([])
  })

  it('filters by text, category and requirement', async () => {
    const did = 'did:web:profiles.example:u:seller'
    const ids = async (query: string) => (await ask(did, query)).items.map((item: Fields) => item.id)
    expect(await ids('?query=HIRE')).toEqual(['hireable'])
    expect(await ids('?category=access')).toEqual(['tier.public', 'tier.reader'])
    expect(await ids('?gate_type=payment')).toEqual(['tier.reader'])
    expect(await ids('?gate_type=public&category=access')).toEqual(['tier.public'])
    const { next_page_url } = await ask(did, '?category=trait&limit=2')
    expect(new URL(next_page_url).searchParams.get('category')).toBe('trait')
  })

  it.each(['limit=0', 'limit=51', 'page=0', 'page=x', 'query='])('refuses %s', async (query) => {
    expect((await get(`/eep/capabilities/did:web:profiles.example:u:seller?${query}`)).statusCode).toBe(400)
  })

  it('returns 404 for unknown profiles', async () => {
    for (const did of ['did:web:profiles.example:u:unknown', 'did:web:other.example:u:seller', 'nothing']) {
      expect((await get(`/eep/capabilities/${did}`)).statusCode).toBe(404)
    }
  })
})

describe('the resolution of DIDs', () => {
  const resolve = (did: string, headers: Headers = {}) => get(`/resolve?did=${encodeURIComponent(did)}`, headers)

  it('resolves the DID of a profile and of the service', async () => {
    const answer = await resolve('did:web:profiles.example:u:ada')
    expect(answer.statusCode).toBe(200)
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=60',
    })
    const record = (await get('/u/ada?format=json')).json()
    expect(answer.json()).toEqual({
      didDocument: (await get('/u/ada/did.json')).json(),
      didResolutionMetadata: { contentType: 'application/did+json' },
      didDocumentMetadata: { created: record.created_at, updated: record.updated_at },
    })
    expect((await resolve('did:web:profiles.example')).json()).toEqual({
      didDocument: (await get('/.well-known/did.json')).json(),
      didResolutionMetadata: { contentType: 'application/did+json' },
      didDocumentMetadata: {},
    })
    const known = await resolve('did:web:profiles.example:u:ada', { 'if-none-match': String(answer.headers.etag) })
    expect(known.statusCode).toBe(304)
  })

  it.each(['did:web:profiles.example:u:ada', 'did:web:profiles.example'])(
    'names with the document of %s where its events are subscribed to and streamed',
    async (did) => {
      const { link } = (await resolve(did)).headers
      expect(link).toContain('</eep/subscribe>; rel="subscribe"; type="application/json"')
      expect(link).toContain(`</stream/signals?source=${did}>; rel="monitor"; type="text/event-stream"`)
    },
  )

  it('answers in the media type of DID resolution on request', async () => {
    const answer = await resolve('did:web:profiles.example', { accept: 'application/did-resolution' })
    expect(answer.headers['content-type']).toBe('application/did-resolution')
    expect(answer.headers.vary).toMatch(/accept/i)
  })

  it('resolves the former DID of a renamed profile to the current one', async () => {
    const someone = await signUp(test.app, 'before-wedding')
    await someone.put('/profiles/u/before-wedding', { username: 'after-wedding' })
    const { didDocument, didDocumentMetadata } = (await resolve('did:web:profiles.example:u:before-wedding')).json()
    expect(didDocument.id).toBe('did:web:profiles.example:u:after-wedding')
    expect(didDocument.alsoKnownAs).toContain('did:web:profiles.example:u:before-wedding')
    expect(didDocumentMetadata.canonicalId).toBe('did:web:profiles.example:u:after-wedding')
  })

  it.each([
    ['', 400, 'invalidDid', 'invalid_did'],
    ['nothing', 400, 'invalidDid', 'invalid_did'],
    ['did:web:', 400, 'invalidDid', 'invalid_did'],
    ['did:web:profiles.example:u:ada#key', 400, 'invalidDid', 'invalid_did'],
    ['did:WEB:profiles.example', 400, 'invalidDid', 'invalid_did'],
    ['did:key:z6Mk', 501, 'methodNotSupported', 'did_method_not_supported'],
    ['did:web:profiles.example:u:unknown', 404, 'notFound', 'did_not_found'],
    ['did:web:profiles.example:u', 404, 'notFound', 'did_not_found'],
    ['did:web:other.example:u:ada', 404, 'notFound', 'did_not_found'],
  ])('answers %j with %i %s', async (did, status, error, code) => {
    const answer = await resolve(did)
    expect(answer.statusCode).toBe(status)
    expect(codeOf(answer)).toBe(code)
    expect(answer.json()).toMatchObject({
      didDocument: null,
      didResolutionMetadata: { error },
      didDocumentMetadata: {},
    })
  })

  it('requires a DID', async () => {
    expect(codeOf(await get('/resolve'))).toBe('invalid_did')
    expect((await get(`/resolve?did=did:web:${'x'.repeat(2100)}`)).statusCode).toBe(400)
  })

  it('resolves a private profile for its team only', async () => {
    await bob.put(`/profiles/${bob.account.active_profile_id}/visibility`, { visibility: 'private' })
    const did = 'did:web:profiles.example:u:bob'
    expect(await resolve(did).then(codeOf)).toBe('did_not_found')
    const own = await resolve(did, bob.headers)
    expect([own.statusCode, own.headers['cache-control']]).toEqual([200, 'private, no-store'])
  })
})
