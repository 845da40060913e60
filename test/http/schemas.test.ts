import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { signUp } from '../support/accounts.ts'
import { createTestApp, PUBLIC_URL, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'

const TYPES = ['person', 'organization', 'place', 'asset', 'product', 'knowledge', 'agent', 'event', 'custom'] as const

/** What the published schemas take, and what they refuse. */
const EXAMPLES: Readonly<Record<(typeof TYPES)[number], readonly [good: object, wrong: object]>> = {
  person: [{ headline: 'Countess', languages: ['en'] }, { headline: 1 }],
  organization: [{ founded: '1843-01', size: 12 }, { founded: 'long ago' }],
  place: [{ geo: { lat: 51.5, lng: 0 }, address: { city: 'London' } }, { geo: { lat: 91, lng: 0 } }],
  asset: [{ value: { amount: '1.50', currency: 'EUR' } }, { value: { amount: 1 } }],
  product: [{ sku: 'E-1', price: { amount: 10, currency: 'USD' } }, { price: '10 USD' }],
  knowledge: [{ authors: ['Ada'] }, { authors: 'Ada' }],
  agent: [{ protocols: ['eep'] }, { protocols: [1] }],
  event: [{ starts_at: '2026-01-01T10:00:00Z', timezone: 'Europe/London' }, { starts_at: 2026 }],
  custom: [{ fields: { any: [1] } }, { fields: [] }],
}

type Service = Awaited<ReturnType<typeof createTestApp>>
const services: Service[] = []
afterAll(() => Promise.all(services.map((service) => service.close())))

const extras = z.object({
  weight_grams: z.int().min(1).describe('With its packing'),
  materials: z.array(z.string().max(64)).max(20),
})

async function open(options: Parameters<typeof createTestApp>[0] = {}) {
  const service = await createTestApp(options)
  services.push(service)
  return { ...service, ada: await signUp(service.app, 'ada') }
}

describe('the schemas of type_data', () => {
  let app: TestApp
  beforeAll(async () => {
    ;({ app } = await open())
  })

  it('links the schemas from one list, from the manifest and from every profile', async () => {
    const { schemas } = (await client(app).get('/schemas/profiles')).json()
    expect(schemas.map((schema: { profile_type: string }) => schema.profile_type)).toEqual(TYPES)
    for (const { profile_type: type, url } of schemas) {
      expect(url).toBe(`${PUBLIC_URL}/schemas/profiles/${type}.json`)
      expect((await app.inject(url.slice(PUBLIC_URL.length))).json().$id).toBe(url)
    }
    const { links } = (await client(app).get('/u/ada?format=json')).json()
    expect(links.schema).toBe(schemas[0].url)
    const openApi = (await client(app).get('/docs/openapi.json')).body
    for (const { url } of schemas) expect(openApi).toContain(JSON.stringify({ url }))
    const { profile_types: offered } = (await client(app).get('/discover?format=json')).json()
    expect(offered.map(({ schema }: { schema: string }) => schema)).toEqual(
      schemas.map(({ url }: { url: string }) => url),
    )
  })

  it.each(TYPES)('validates %s like the service', async (type) => {
    const response = await client(app).get(`/schemas/profiles/${type}.json`)
    expect(response.headers).toMatchObject({
      'content-type': 'application/schema+json',
      'cache-control': 'public, max-age=3600',
    })
    expect(response.json()).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      additionalProperties: false,
    })
    expect(response.json()).not.toHaveProperty('required')
    const published = z.fromJSONSchema(response.json())
    const [good, wrong] = EXAMPLES[type]
    expect(published.safeParse(good).error).toBeUndefined()
    expect(published.safeParse({}).success).toBe(true)
    expect(published.safeParse(wrong).success).toBe(false)
    expect(published.safeParse({ ...good, surprise: 1 }).success).toBe(false)
    const known = await client(app).get(`/schemas/profiles/${type}.json`, {
      'if-none-match': String(response.headers.etag),
    })
    expect(known.statusCode).toBe(304)
  })

  it('lists nine schemas', async () => {
    expect((await client(app).get('/schemas/profiles/alien.json')).statusCode).toBe(404)
  })
})

describe('a host', () => {
  const make = (service: Awaited<ReturnType<typeof open>>, type_data: object, username: string) =>
    client(service.app).as(service.ada).post('/profiles', { profile_type: 'product', username, type_data })

  it('validates, stores and publishes additional members of type_data', async () => {
    const service = await open({ profiles: { typeData: { product: extras } } })
    const { app, ada } = service
    const type_data = { sku: 'E-1', weight_grams: 12, materials: ['brass'] }
    expect((await make(service, type_data, 'engine')).statusCode).toBe(200)
    expect((await client(app).get('/p/engine?format=json')).json().type_data).toEqual(type_data)
    expect((await make(service, { sku: 'E-2' }, 'loom')).statusCode).toBe(200)

    for (const wrong of [
      { weight_grams: 0 },
      { materials: 'brass' },
      { sku: 1 },
      { colour: 'red' },
      { materials: ['a\0b'] },
    ]) {
      const made = await make(service, wrong, 'wrong')
      expect(made.statusCode, JSON.stringify(wrong)).toBe(400)
      expect(made.json().error.details.issues[0].path).toMatch(/^\/type_data/)
      const changed = await client(app).as(ada).put('/profiles/p/engine', { type_data: wrong })
      expect(changed.statusCode, JSON.stringify(wrong)).toBe(400)
    }

    const { properties } = (await client(app).get('/schemas/profiles/product.json')).json()
    expect(properties).toMatchObject({ sku: {}, weight_grams: { type: 'integer', description: 'With its packing' } })
    expect((await client(app).get('/schemas/profiles/asset.json')).json().properties).not.toHaveProperty('weight_grams')
  })

  it('keeps the existing rules', async () => {
    const { app, ada } = await open({ profiles: { typeData: { event: z.object({ dress_code: z.string() }) } } })
    const payload = {
      profile_type: 'event',
      username: 'ball',
      type_data: { starts_at: '2026-01-02T10:00:00Z', ends_at: '2026-01-01T10:00:00Z', dress_code: 'white tie' },
    }
    const response = await client(app).as(ada).post('/profiles', payload)
    expect(response.statusCode).toBe(400)
    expect(response.json().error.details.issues[0].path).toBe('/type_data/ends_at')
  })

  it.each([
    ['an existing schema', { product: z.object({ sku: z.int() }) }, /profiles\.typeData\.product: sku already exists/],
    [
      'a schema that JSON cannot express',
      { product: z.object({ made: z.date() }) },
      /profiles\.typeData\.product cannot be expressed as JSON Schema/,
    ],
    ['no object', { product: z.string() }, /profiles\.typeData\.product: Must be an object schema/],
    ['a type that does not exist', { alien: z.object({}) }, /profiles\.typeData/],
  ])('reports an invalid addition at the start: %s', async (_, typeData, message) => {
    const { storage } = services[0] ?? (await open())
    // Additions that the types refuse.
    await expect(createTestApp({ storage, profiles: { typeData: typeData as never } })).rejects.toThrow(message)
  })
})
