import { eep } from '@eep/core'
import { pricedDiscovery } from '@eep/core/priced-discovery'
import { startFakeStripe } from '@eep/payments-card/testing'
import { Validator } from '@seriousme/openapi-schema-validator'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, openStorage, PUBLIC_URL, SECRET, type TestApp } from '../../support/app.ts'
import { cardRailOn } from '../../support/cards.ts'
import { client } from '../../support/client.ts'
import { field, fileOf, upload } from '../../support/files.ts'
import { type Required, railOf, recordingFacilitator } from '../../support/recording-facilitator.ts'
import { decodeHeader, header, openShop, SECRET_WORD, type Shop, shopGate } from '../../support/shop.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly parameters?: readonly (
    | { readonly name: string; readonly in: string; readonly example?: unknown }
    | { readonly $ref: string }
  )[]
  readonly security: readonly unknown[]
  readonly responses: Readonly<Record<string, unknown>>
  readonly 'x-payment-info'?: {
    readonly price: {
      readonly mode: string
      readonly currency: string
      readonly amount?: string
      readonly max?: string
    }
    readonly protocols: readonly Readonly<Record<string, unknown>>[]
    readonly offers?: readonly { readonly amount: string | null; readonly method: string; readonly currency: string }[]
  }
}

interface Document {
  readonly servers: readonly [{ readonly url: string }]
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>
  readonly [extension: `x-${string}`]: unknown
}

let now = new Date()
const later = (ms: number) => {
  now = new Date(now.getTime() + ms)
}
const price = { amount: 0.05, currency: 'usd', per: 'request' } as const
let stripe: Awaited<ReturnType<typeof startFakeStripe>>
let test: Awaited<ReturnType<typeof createTestApp>>
let shop: Shop
let fileUrl: string

const sellQuotes = (app: TestApp) => {
  const onRequest = app.eep.requireAccess({
    profile: 'did:web:profiles.example:u:seller',
    resource: 'api.quotes',
    price,
    listing: {
      path: '/quotes/:symbol',
      title: 'Quotes of one day',
      parameters: [{ name: 'symbol', in: 'path', example: 'ACME' }],
    },
  })
  app.get('/quotes/:symbol', { onRequest }, async () => ({ quotes: [1] }))
}

const saveGate = (seller: Shop, gate: object) => seller.put(`/eep/gates/${seller.did.replaceAll('%', '%25')}`, gate)

beforeAll(async () => {
  stripe = await startFakeStripe()
  const rails = [cardRailOn(stripe), railOf(recordingFacilitator().facilitator)]
  test = await createTestApp({ clock: () => now, payments: { rails } }, {}, sellQuotes)
  shop = await openShop(test.app, 'seller', { amount: 5, currency: 'usd' })
  const sent = await upload(test.app, [field('username', 'seller'), fileOf('a,b', 'table.csv')], shop.headers)
  fileUrl = `/files/${sent.json().id}`
  const gate = shopGate({ amount: 5, currency: 'usd' })
  const files = { requirements: [{ type: 'payment', amount: 7, currency: 'eur', per: 'once' }], access: ['files.*'] }
  await saveGate(shop, { ...gate, tiers: { ...gate.tiers, files } })
})
afterAll(async () => {
  await test.close()
  await stripe.stop()
})

const read = async (path: string): Promise<Document> => {
  const response = await client(test.app).get(path)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

/** The URL of an operation below the public URL, with the examples of its parameters. */
function urlOf({ servers: [{ url }] }: Document, path: string, { parameters = [] }: Operation): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const parameter = parameters.find((one) => 'name' in one && one.name === name)
    return String(parameter && 'example' in parameter ? parameter.example : '')
  })
  return `${url}${filled}`.slice(PUBLIC_URL.length)
}

describe('each listed operation', () => {
  const decimalOf = (amount: string, decimals: number) => Number(amount) / 10 ** decimals

  it('returns 402 with the listed price in every rail, on the site and on the profile', async () => {
    let count = 0
    for (const path of ['/openapi.json', `${shop.profile}/openapi.json`]) {
      const document = await read(path)
      for (const [route, { get: operation }] of Object.entries(document.paths)) {
        const url = urlOf(document, route, operation)
        const response = await client(test.app).get(url)
        const info = operation['x-payment-info']
        if (!info) {
          expect(response.statusCode, url).toBe(200)
          continue
        }
        count += 1
        expect(response.statusCode, url).toBe(402)
        expect(operation.responses).toHaveProperty('402')
        expect(operation.security).toEqual([])
        const accepts = (decodeHeader(response, 'payment-required') as Required).accepts.filter(
          ({ scheme }) => scheme === 'exact',
        )
        const challenges = [...header(response, 'www-authenticate').matchAll(/Payment [^,]*id="[^"]+"/g)]
        const hasX402 = info.protocols.some((protocol) => 'x402' in protocol)
        expect(hasX402, url).toBe(accepts.length > 0)
        expect(info.offers?.length ?? 0, url).toBe(challenges.length)
        const listed = info.price.mode === 'fixed' ? info.price.amount : info.price.max
        if (info.price.mode === 'fixed') {
          for (const { amount } of accepts) expect(decimalOf(String(amount), 6), url).toBe(Number(listed))
          for (const { amount } of info.offers ?? []) expect(decimalOf(amount ?? '', 2), url).toBe(Number(listed))
        } else {
          for (const { amount } of accepts)
            expect(decimalOf(String(amount), 6), url).toBeLessThanOrEqual(Number(listed))
          for (const { amount } of info.offers ?? []) expect(amount).toBeNull()
        }
      }
    }
    expect(count).toBeGreaterThanOrEqual(5)
  })

  it('is a page, a file or an endpoint with its lowest price for readers without proof', async () => {
    const { paths } = await read('/openapi.json')
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/quotes/{symbol}', shop.paid, shop.other, fileUrl]))
    expect(paths[shop.paid]?.get['x-payment-info']?.price).toEqual({ mode: 'fixed', currency: 'USD', amount: '5' })
    expect(paths[fileUrl]?.get['x-payment-info']).toMatchObject({
      price: { mode: 'fixed', currency: 'EUR', amount: '7' },
      protocols: [{ mpp: { method: 'stripe', intent: 'charge', currency: 'eur' } }],
      offers: [{ amount: '700', currency: 'eur', method: 'stripe', intent: 'charge' }],
    })
    // Flat members beside `offers` make registries refuse the document.
    expect(Object.keys(paths[fileUrl]?.get['x-payment-info'] ?? {}).toSorted()).toEqual([
      'offers',
      'price',
      'protocols',
    ])
    expect(paths['/{prefix}/{username}/content/{category_1}/{slug}']?.get['x-payment-info']?.price).toEqual({
      mode: 'dynamic',
      currency: 'USD',
      min: '0',
      max: '5',
    })
  })
})

describe('the document of a profile that sells fields', () => {
  it('lists the priced fields that have a value as one operation, which returns 402 with the listed price', async () => {
    const seller = await openShop(test.app, 'seller-of-fields', { amount: 5, currency: 'usd' })
    await seller.put('/profiles/u/seller-of-fields', { bio: 'zz-secret-bio', skills: ['zz-secret-skill'] })
    const reader = { label: 'Reader', requirements: [{ type: 'payment', amount: 3, currency: 'usd', per: 'day' }] }
    const tiers = {
      public: { requirements: [], access: ['content.*'] },
      reader: { ...reader, access: ['profile.bio', 'profile.skills', 'profile.keywords'] },
    }
    expect((await saveGate(seller, { default_tier: 'public', tiers })).statusCode).toBe(200)
    now = new Date(now.getTime() + 61_000)
    const document = await read(`${seller.profile}/openapi.json`)
    expect(JSON.stringify(document)).not.toContain('zz-secret')
    const operation = document.paths['/']?.get
    expect(operation).toMatchObject({
      parameters: [
        { name: 'fields', in: 'query', required: true, schema: { enum: ['bio', 'skills'] }, example: 'bio' },
        {},
      ],
      'x-payment-info': { price: { mode: 'dynamic', currency: 'USD', max: '3' } },
    })
    const url = `${seller.profile}?fields=bio`
    const [refused, redirected] = [
      await client(test.app).get(url),
      await client(test.app).get(`${seller.profile}/?fields=bio`),
    ]
    expect([refused.statusCode, redirected.statusCode]).toEqual([402, 308])
    expect(new URL(String(redirected.headers.location), PUBLIC_URL).href).toBe(`${PUBLIC_URL}${url}`)
  })
})

describe('/openapi.json', () => {
  it('is valid OpenAPI 3.1 within the budget of registries, and never has paid text', async () => {
    const response = await client(test.app).get('/openapi.json')
    expect(await new Validator().validate(response.json())).toMatchObject({ valid: true })
    expect(response.rawPayload.length).toBeLessThanOrEqual(65_536)
    expect(Object.keys(response.json().paths).length).toBeLessThanOrEqual(32)
    expect(response.body).not.toContain(SECRET_WORD)
    expect(response.json().info).toMatchObject({ contact: { url: PUBLIC_URL } })
    expect(response.json().info['x-guidance'].length).toBeLessThanOrEqual(4_000)
    const ofProfile = await client(test.app).get(`${shop.profile}/openapi.json`)
    expect(await new Validator().validate(ofProfile.json())).toMatchObject({ valid: true })
  })

  it('has an ETag and is readable by every origin, with and without Origin and for HEAD', async () => {
    const plain = await client(test.app).get('/openapi.json')
    expect(plain.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'access-control-allow-origin': '*',
    })
    const again = await client(test.app).get('/openapi.json', { 'if-none-match': header(plain, 'etag') })
    expect(again.statusCode).toBe(304)
    const foreign = await client(test.app).get('/openapi.json', { origin: 'https://registry.example' })
    expect(foreign.headers['access-control-allow-origin']).toBe('*')
    const head = await client(test.app).send('HEAD', '/openapi.json')
    expect([head.statusCode, header(head, 'etag')]).toEqual([200, header(plain, 'etag')])
  })

  it('is announced where agents look', async () => {
    const relations = (await client(test.app).get('/.well-known/api-catalog')).json().linkset[0]['service-desc']
    expect(relations).toContainEqual({ href: `${PUBLIC_URL}/openapi.json`, type: 'application/json' })
    for (const path of ['/agents.txt', '/llms.txt', '/.well-known/eep/agent-guide.md']) {
      expect((await client(test.app).get(path)).body, path).toContain(`${PUBLIC_URL}/openapi.json`)
    }
    expect(header(await client(test.app).get('/'), 'link')).toContain('</openapi.json>; rel="service-desc"')
  })

  it('follows a change of price, a hidden profile and a removed page within a minute', async () => {
    const seller = await openShop(test.app, 'changing', { amount: 1, currency: 'usd' })
    const priceAt = async () =>
      Object.values((await read(`${seller.profile}/openapi.json`)).paths)[0]?.get['x-payment-info']?.price.amount
    later(61_000)
    expect(await priceAt()).toBe('1')
    await saveGate(seller, shopGate({ amount: 2, currency: 'usd' }))
    later(61_000)
    expect(await priceAt()).toBe('2')
    await seller.put(`/profiles/${seller.profileId}/visibility`, { visibility: 'unlisted' })
    const hidden = await client(test.app).get(`${seller.profile}/openapi.json`)
    expect([hidden.statusCode, hidden.json().paths]).toEqual([200, {}])
    expect(hidden.headers['x-robots-tag']).toBe('noindex')
  })

  it.each([
    ['a trust score', { type: 'trust', min_score: 90 }],
    ['an audience', { type: 'x-audience', any_of: ['people'] }],
    ['a payment', { type: 'payment', amount: 9, currency: 'usd', per: 'day' }],
  ])('does not name a file whose list needs %s', async (what, requirement) => {
    const username = what.replaceAll(' ', '-')
    const seller = await openShop(test.app, username)
    const sent = await upload(test.app, [field('username', username), fileOf('a,b', 'merger.csv')], seller.headers)
    const { id } = sent.json()
    await saveGate(seller, {
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['profile.*', 'content.*'] },
        closed: { requirements: [requirement], access: ['profile.files'] },
        paid: { requirements: [{ type: 'payment', amount: 1, currency: 'usd', per: 'day' }], access: [`files.f${id}`] },
      },
    })
    later(700_000)
    const document = JSON.stringify(await read('/openapi.json'))
    expect(document).toContain(`/files/${id}`)
    expect(document).not.toContain('merger')
  })

  it('names no resource that also needs a proof, or that no rail sells', async () => {
    const seller = await openShop(test.app, 'picky', { amount: 1, currency: 'usd' })
    const gate = shopGate({ amount: 1, currency: 'usd' })
    const [payment] = gate.tiers.reader.requirements
    const reader = { ...gate.tiers.reader, requirements: [payment, { type: 'trust', min_score: 10 }] }
    await saveGate(seller, { ...gate, tiers: { ...gate.tiers, reader } })
    expect((await read(`${seller.profile}/openapi.json`)).paths).toEqual({})
  })

  it('does not exist for a profile that does not exist', async () => {
    expect((await client(test.app).get('/u/unregistered/openapi.json')).statusCode).toBe(404)
  })
})

describe('a service', () => {
  it('has no such document without the feature or with paidOpenapi: false, and a host may have its own then', async () => {
    const own = (app: TestApp) => {
      app.get('/openapi.json', async () => ({ own: true }))
    }
    for (const pricedDiscovery of [false, { paidOpenapi: false }] as const) {
      const other = await createTestApp({ pricedDiscovery }, {}, own)
      expect((await client(other.app).get('/openapi.json')).json()).toEqual({ own: true })
      expect((await client(other.app).get('/agents.txt')).body).not.toContain(`${PUBLIC_URL}/openapi.json`)
      await other.close()
    }
  })

  it('leaves the path to a host that has registered it before', async () => {
    const app = Fastify()
    app.get('/openapi.json', async () => ({ own: true }))
    const storage = await openStorage()
    await app.register(eep, {
      publicUrl: PUBLIC_URL,
      secret: SECRET,
      storage: storage.storage,
      modules: [pricedDiscovery()],
    })
    await app.ready()
    expect((await app.inject('/openapi.json')).json()).toEqual({ own: true })
    await app.close()
    await storage.close()
  })

  it('lists nothing while its host may withhold resources', async () => {
    const rails = [railOf(recordingFacilitator().facilitator)]
    const other = await createTestApp({ payments: { rails }, hooks: { legalRestriction: async () => undefined } })
    const seller = await openShop(other.app, 'withheld')
    const document = (await client(other.app).get('/openapi.json')).json() as Document
    expect(Object.values(document.paths).filter(({ get }) => get['x-payment-info'])).toEqual([])
    expect((await client(other.app).get(`${seller.profile}/openapi.json`)).json().paths).toEqual({})
    await other.close()
  })
})
