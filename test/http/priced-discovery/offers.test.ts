import {
  type DiscoveryExtension,
  isValidIconUrl,
  isValidServiceName,
  sanitizeTags,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from '@x402/extensions/bazaar'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, PUBLIC_URL, type TestApp } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { field, fileOf, upload } from '../../support/files.ts'
import { paymentFor, type Required, railOf, recordingFacilitator } from '../../support/recording-facilitator.ts'
import { decodeHeader, openShop, type Shop, shopGate } from '../../support/shop.ts'

const price = { amount: 0.05, currency: 'usdc', per: 'request' } as const
const { calls, facilitator } = recordingFacilitator()
let test: Awaited<ReturnType<typeof createTestApp>>
let shop: Shop
let fileUrl: string

const sellQuotes = (app: TestApp) => {
  const profile = () => app.eep.profiles.didOf({ type: 'person', username: 'lister' })
  const onRequest = app.eep.requireAccess({
    profile,
    resource: 'api.quotes',
    price,
    listing: {
      path: '/quotes/:symbol',
      title: 'Quotes of one day',
      parameters: [
        { name: 'symbol', in: 'path', example: 'ACME' },
        { name: 'days', in: 'query', schema: { type: 'integer' }, example: 3 },
      ],
      example: { symbol: 'ACME', quotes: [1, 2, 3] },
    },
  })
  const querystring = { type: 'object', required: ['days'], properties: { days: { type: 'integer' } } }
  app.get('/quotes/:symbol', { onRequest, schema: { querystring } }, async () => ({ quotes: [1] }))
}

beforeAll(async () => {
  test = await createTestApp({ payments: { rails: [railOf(facilitator)] } }, {}, sellQuotes)
  shop = await openShop(test.app, 'lister')
  const sent = await upload(test.app, [field('username', 'lister'), fileOf('a,b', 'table.csv')], shop.headers)
  expect(sent.statusCode, sent.body).toBe(200)
  fileUrl = `/files/${sent.json().id}`
  const gate = shopGate()
  const tier = { requirements: [{ type: 'payment', ...price }], access: ['files.*', 'profile.skills'] }
  const config = { ...gate, tiers: { ...gate.tiers, more: tier } }
  await shop.put('/profiles/u/lister', { full_name: 'Ada of the Engines', keywords: ['engines', 'née'] })
  const saved = await shop.put(`/eep/gates/${shop.did.replaceAll('%', '%25')}`, config)
  expect(saved.statusCode, saved.body).toBe(200)
})
afterAll(() => test.close())

const requiredAt = async (path: string): Promise<Required> => {
  const refused = await client(test.app).get(path)
  expect(refused.statusCode, refused.body).toBe(402)
  return decodeHeader(refused, 'payment-required')
}
const pathsOf = () => [shop.paid, shop.other, `${shop.profile}?fields=skills`, fileUrl, '/quotes/ACME']

describe('a 402 of a listed resource', () => {
  it('has an extension bazaar that the official validators accept, for a page, a field, a file and an endpoint', async () => {
    for (const path of pathsOf()) {
      const { bazaar } = (await requiredAt(path)).extensions
      // The validator checks what its type already states.
      expect(validateDiscoveryExtension(bazaar as unknown as DiscoveryExtension), path).toEqual({ valid: true })
      expect(validateDiscoveryExtensionSpec(bazaar ?? {}), path).toEqual({ valid: true })
    }
  })

  it('describes the page as its preview does, and an endpoint by the template of its path', async () => {
    const page = await requiredAt(shop.paid)
    expect(page.extensions.bazaar).toMatchObject({
      info: {
        input: { type: 'http', method: 'GET', queryParams: { format: 'json' } },
        output: { example: { title: 'Engines', url: `${PUBLIC_URL}${shop.paid}`, excerpt: 'A taste of it.' } },
      },
    })
    expect(page.extensions.bazaar).not.toHaveProperty('routeTemplate')
    expect((await requiredAt('/quotes/ACME')).extensions.bazaar).toMatchObject({
      routeTemplate: '/quotes/:symbol',
      info: { input: { pathParams: { symbol: 'ACME' }, queryParams: { days: 3 } } },
    })
  })

  it('names the seller, its tags and its icon within the limits of catalogues', async () => {
    const { resource } = await requiredAt(shop.paid)
    expect(resource).toMatchObject({
      serviceName: 'Ada of the Engines',
      // A tag that is not ASCII is left out, not changed.
      tags: ['engines'],
      iconUrl: `${PUBLIC_URL}/favicon.ico`,
    })
    expect(isValidServiceName(resource.serviceName)).toBe(true)
    expect(isValidIconUrl(resource.iconUrl)).toBe(true)
    expect(sanitizeTags(resource.tags)).toEqual(resource.tags)
  })

  it('does not name keywords that the gate closes', async () => {
    const gate = shopGate()
    const closed = {
      requirements: [{ type: 'payment', ...price }],
      access: ['profile.keywords', 'files.*', 'profile.skills'],
    }
    await shop.put(`/eep/gates/${shop.did.replaceAll('%', '%25')}`, { ...gate, tiers: { ...gate.tiers, more: closed } })
    expect((await requiredAt(shop.paid)).resource).not.toHaveProperty('tags')
    expect((await requiredAt('/quotes/ACME')).resource).not.toHaveProperty('tags')
    const open = { requirements: [{ type: 'payment', ...price }], access: ['files.*', 'profile.skills'] }
    await shop.put(`/eep/gates/${shop.did.replaceAll('%', '%25')}`, { ...gate, tiers: { ...gate.tiers, more: open } })
  })

  it('comes before the validation of the query, and for HEAD with the same header', async () => {
    const probe = await client(test.app).get('/quotes/ACME?days=many')
    expect(probe.statusCode).toBe(402)
    const head = await client(test.app).send('HEAD', shop.paid)
    expect(head.statusCode).toBe(402)
    expect(decodeHeader(head, 'payment-required').extensions.bazaar).toBeDefined()
  })
})

describe('a 402 that catalogues must not list', () => {
  it('has no extension bazaar for an unlisted profile, a tier that asks for more than a payment, or an endpoint without a listing', async () => {
    const hidden = await openShop(test.app, 'hidden-lister')
    await hidden.put(`/profiles/${hidden.profileId}/visibility`, { visibility: 'unlisted' })
    expect((await requiredAt(hidden.paid)).extensions).not.toHaveProperty('bazaar')
    const other = await createTestApp({ payments: { rails: [railOf(facilitator)] } }, {}, (app) => {
      const profile = () => app.eep.profiles.didOf({ type: 'person', username: 'lister' })
      app.get(
        '/plain',
        { onRequest: app.eep.requireAccess({ profile, resource: 'api.plain', price }) },
        async () => 'x',
      )
    })
    await openShop(other.app, 'lister')
    const { resource, extensions } = decodeHeader(await client(other.app).get('/plain'), 'payment-required')
    expect(extensions).not.toHaveProperty('bazaar')
    expect(resource.serviceName).toBe('lister')
    await other.close()
  })

  it('has neither the extension nor further members of the resource without the feature, or with restrictions of the host', async () => {
    const rails = [railOf(facilitator)]
    const plain = await createTestApp({ pricedDiscovery: false, payments: { rails } })
    const plainShop = await openShop(plain.app, 'plain')
    const { resource, extensions } = decodeHeader(await client(plain.app).get(plainShop.paid), 'payment-required')
    expect(Object.keys(resource).toSorted()).toEqual(['description', 'mimeType', 'url'])
    expect(extensions).not.toHaveProperty('bazaar')
    await plain.close()

    const restricted = await createTestApp({ payments: { rails }, hooks: { legalRestriction: async () => undefined } })
    const restrictedShop = await openShop(restricted.app, 'restricted')
    const required = decodeHeader(await client(restricted.app).get(restrictedShop.paid), 'payment-required')
    expect(required.extensions).not.toHaveProperty('bazaar')
    await restricted.close()
  })
})

describe('the facilitator of a payment', () => {
  it("gets the service's own resource and extension on both calls, never what the client echoed", async () => {
    calls.length = 0
    const required = await requiredAt(shop.paid)
    const forged = {
      resource: { ...required.resource, serviceName: 'Another seller' },
      extensions: { bazaar: { info: { input: { type: 'http', method: 'GET' } }, schema: {} }, other: {} },
    }
    const paid = await client(test.app).get(shop.paid, await paymentFor(required, forged))
    expect(paid.statusCode, paid.body).toBe(200)
    expect(calls.map(({ name }) => name)).toEqual(['verify', 'settle'])
    const { bazaar } = required.extensions
    for (const { payload } of calls) {
      expect(payload.resource).toEqual(required.resource)
      expect(payload.extensions).toEqual({ bazaar })
    }
  })

  it('gets neither for a purchase that is not listed', async () => {
    const hidden = await openShop(test.app, 'hidden-payee')
    await hidden.put(`/profiles/${hidden.profileId}/visibility`, { visibility: 'unlisted' })
    calls.length = 0
    const paid = await client(test.app).get(hidden.paid, await paymentFor(await requiredAt(hidden.paid)))
    expect(paid.statusCode, paid.body).toBe(200)
    expect(calls).toHaveLength(2)
    for (const { payload } of calls)
      expect(Object.keys(payload).toSorted()).toEqual(['accepted', 'payload', 'x402Version'])
  })
})

describe('the listing of an endpoint', () => {
  const start = (addRoutes: (app: TestApp) => void) =>
    createTestApp({ payments: { rails: [railOf(facilitator)] } }, {}, addRoutes)
  const listing = { path: '/rates', title: 'Rates' }
  const sold = { profile: 1, resource: 'api.rates', price, listing }
  const schema = { querystring: { type: 'object', properties: {} } }

  it.each<[string, (app: TestApp) => void, RegExp]>([
    ['names a path that no route has', (app) => void app.eep.requireAccess(sold), /names \/rates, and no route/],
    [
      'guards another path',
      (app) => void app.get('/other', { onRequest: app.eep.requireAccess(sold) }, async () => 1),
      /has the path \/rates, but guards \/other/,
    ],
    [
      'is one of two for a path',
      (app) => {
        app.eep.requireAccess(sold)
        app.eep.requireAccess(sold)
      },
      /Two listings have the path \/rates/,
    ],
    [
      'is mounted after the validation of requests',
      (app) => void app.get('/rates', { preHandler: app.eep.requireAccess(sold), schema }, async () => 1),
      /validates its querystring before preHandler: use \{ onRequest/,
    ],
    [
      'has no example for a parameter of the path',
      (app) => void app.eep.requireAccess({ ...sold, listing: { path: '/rates/:id', title: 'Rates' } }),
      /"id" of the path needs an example/,
    ],
  ])('is refused at the start when it %s', async (_, addRoutes, message) => {
    await expect(start(addRoutes)).rejects.toThrow(message)
  })

  it('works as preHandler of a route that validates nothing', async () => {
    const { close } = await start((app) => {
      app.get('/rates', { preHandler: app.eep.requireAccess(sold) }, async () => 1)
    })
    await close()
  })
})
