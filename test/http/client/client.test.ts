import { accessToken, apiKey, createClient, EepApiError, signedAgent } from '@eep/client'
import { base58btc } from 'multiformats/bases/base58'
import { afterAll, describe, expect, it } from 'vitest'
import { newKey } from '../../support/api-keys.ts'
import { createWriter } from '../../support/content.ts'
import { createCashApp, openShop } from '../../support/shop.ts'
import { listen } from '../../support/streams.ts'

const service = await createCashApp({ withSearch: true })
afterAll(() => service.close())
const { app } = service
const baseUrl = await listen(app)
const anonymous = createClient({ baseUrl })
const shop = await openShop(app, 'seller')
const ada = await createWriter(app, 'ada')
const tokenOf = ({ headers }: { readonly headers: Readonly<Record<string, string>> }) =>
  (headers.authorization ?? '').replace('Bearer ', '')
const asAda = createClient({ baseUrl, auth: accessToken(tokenOf(ada)) })

type Pair = Exclude<Awaited<ReturnType<typeof crypto.subtle.generateKey>>, { readonly type: unknown }>
const errorOf = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof EepApiError)) throw new TypeError(`no error of the service: ${String(error)}`)
  return error
}

describe('a client', () => {
  it('calls routes with the types of the service', async () => {
    const { data } = await anonymous.GET('/check-username', { params: { query: { username: 'seller' } } })
    expect(data?.available).toBe(false)
  })

  it('reads profiles and pages by path and by URL, in each format', async () => {
    expect(await anonymous.profiles.get('u/seller')).toMatchObject({ username: 'seller' })
    expect(await anonymous.content.read(shop.open)).toContain('# Welcome')
    expect(await anonymous.content.read(baseUrl + shop.open, { as: 'toon' })).toContain('title: Welcome')
    expect(JSON.parse(await anonymous.content.read('u/seller/content/welcome', { as: 'json' }))).toMatchObject({
      title: 'Welcome',
    })
  })

  it('does not send its credential to another service', async () => {
    await expect(asAda.content.read('https://other.example/u/ada')).rejects.toThrow('is not the service of this client')
    await expect(asAda.content.read('//other.example/u/ada')).rejects.toThrow('is not the service of this client')
  })

  it('throws the error of the service with its code, status and details', async () => {
    const missing = await errorOf(anonymous.profiles.get('u/unknown-name'))
    expect(missing).toMatchObject({ name: 'EepApiError', code: 'profile_not_found', status: 404 })
    const wrong = await errorOf(
      asAda.POST('/manage/pages', { body: { profile_id: ada.profileId, title: '', body: '' } }),
    )
    expect(wrong).toMatchObject({ code: 'validation_failed', status: 400, details: { in: 'body' } })
    expect(await errorOf(anonymous.content.read(shop.paid))).toMatchObject({ status: 402 })
    expect(await errorOf(anonymous.GET('/auth/me'))).toMatchObject({ code: 'unauthenticated', status: 401 })
  })

  it('throws an error with the status when a proxy answers in its own words', async () => {
    const fetch = async () => new Response('<h1>Bad gateway</h1>', { status: 502 })
    const error = await errorOf(createClient({ baseUrl, fetch }).profiles.get('u/ada'))
    expect(error).toMatchObject({ code: 'http_502', status: 502, message: 'The service responded with status 502' })
  })

  it('reads all pages of a list, each when its first item is needed', async () => {
    for (let count = 0; count < 5; count += 1) await ada.newPage({ title: `Page ${count}` })
    const asked: string[] = []
    const counting = createClient({
      baseUrl,
      auth: accessToken(tokenOf(ada)),
      fetch: (request) => {
        asked.push(request.url)
        return fetch(request)
      },
    })
    const titles: string[] = []
    for await (const { title } of counting.pages.list({ profile_id: ada.profileId, limit: 2 })) {
      titles.push(title)
      if (titles.length === 2) expect(asked).toHaveLength(1)
    }
    expect(new Set(titles).size).toBe(5)
    expect(asked).toHaveLength(3)
  })

  it('creates a post', async () => {
    expect(await asAda.feed.post({ body: 'Hello.' })).toMatchObject({ body: 'Hello.' })
  })

  it.each(['ftp://profiles.example', 'profiles.example', ''])('refuses the address %j', (address) => {
    expect(() => createClient({ baseUrl: address })).toThrow(TypeError)
  })
})

describe('a redirect', () => {
  const redirecting = (location: string) => {
    const sent: Request[] = []
    const client = createClient({
      baseUrl,
      auth: apiKey('eep_secret'),
      fetch: async (request) => {
        sent.push(request)
        const isFirst = sent.length === 1
        return isFirst ? new Response(null, { status: 308, headers: { location } }) : Response.json({ username: 'ada' })
      },
    })
    return { client, sent }
  }

  it('of a read is followed at the service, with the credential', async () => {
    const { client, sent } = redirecting('/u/renamed')
    expect(await client.profiles.get('u/ada')).toEqual({ username: 'ada' })
    expect(sent.map(({ url }) => new URL(url).pathname)).toEqual(['/u/ada', '/u/renamed'])
    expect(sent[1]?.headers.get('x-api-key')).toBe('eep_secret')
  })

  it('to another origin does not get the key', async () => {
    const { client, sent } = redirecting('https://other.example/u/ada')
    expect(await errorOf(client.profiles.get('u/ada'))).toMatchObject({ code: 'redirect_refused', status: 308 })
    expect(sent).toHaveLength(1)
  })
})

describe('the ways to identify a caller', () => {
  it('are an API key', async () => {
    const { headers } = await newKey(app, ada.headers, { scopes: ['read:connections'] })
    const client = createClient({ baseUrl, auth: apiKey(headers['x-api-key'] ?? '') })
    expect((await client.GET('/connections/following')).data?.data).toEqual([])
    expect(await errorOf(client.GET('/feed/following'))).toMatchObject({
      code: 'insufficient_scope',
      status: 403,
    })
  })

  it('are a token that a function returns, for each request', async () => {
    const tokens = [tokenOf(shop), tokenOf(ada)]
    const client = createClient({ baseUrl, auth: accessToken(() => tokens.shift() ?? '') })
    const names = [await client.GET('/auth/me'), await client.GET('/auth/me')].map(({ data }) => data?.username)
    expect(names).toEqual(['seller', 'ada'])
  })

  it('are the signature of an agent, of the body too', async () => {
    const { publicKey, privateKey } = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as Pair
    const raw = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))
    const did = `did:key:${base58btc.encode(Uint8Array.from([0xed, 0x01, ...raw]))}`
    const auth = signedAgent({ did, privateKey })
    const client = createClient({ baseUrl, auth })
    expect(await client.content.read(`${shop.open}?format=markdown`)).toContain('# Welcome')
    const tampered = createClient({
      baseUrl,
      auth: async (request) => {
        const signed = await auth(request)
        signed.headers.set('eep-nonce', crypto.randomUUID())
        return signed
      },
    })
    expect(await errorOf(tampered.content.read(shop.open))).toMatchObject({ code: 'invalid_signature' })
  })
})
