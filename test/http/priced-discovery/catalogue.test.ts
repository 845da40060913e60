import type { PricedOffer, PricedRow } from '@eep/core/ports'
import { startFakeStripe } from '@eep/payments-card/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeAdministrator, signUp } from '../../support/accounts.ts'
import { createTestApp, PUBLIC_URL, type TestApp } from '../../support/app.ts'
import { cardRailOn } from '../../support/cards.ts'
import { catalogueOf, catalogueRail, OTHER_NETWORK, PLATFORM, untilListed } from '../../support/catalogue.ts'
import { client } from '../../support/client.ts'
import { field, fileOf, formOf, PNG, upload } from '../../support/files.ts'
import { measuring, readMetrics } from '../../support/metrics.ts'
import { image } from '../../support/pictures.ts'
import { RECORDED_NETWORK, type Required } from '../../support/recording-facilitator.ts'
import { decodeHeader, header, openShop, SECRET_WORD, type Shop, shopGate } from '../../support/shop.ts'
import { soon } from '../../support/wait.ts'

let stripe: Awaited<ReturnType<typeof startFakeStripe>>
let test: Awaited<ReturnType<typeof createTestApp>>
let shop: Shop
let fileUrl: string

const sellQuotes = (app: TestApp) => {
  const onRequest = app.eep.requireAccess({
    profile: 'did:web:profiles.example:u:seller',
    resource: 'api.quotes',
    price: { amount: 0.05, currency: 'usdc', per: 'request' },
    listing: {
      path: '/quotes/:symbol',
      title: 'Quotes of one day',
      parameters: [{ name: 'symbol', in: 'path', example: 'ACME' }],
    },
  })
  app.get('/quotes/:symbol', { onRequest }, async () => ({ quotes: [1] }))
}

const saveGate = async (seller: Shop, gate: object) => {
  const saved = await seller.put(`/eep/gates/${seller.did.replaceAll('%', '%25')}`, gate)
  expect(saved.statusCode, saved.body).toBe(200)
}
const list = (query?: Readonly<Record<string, string>>) => catalogueOf(test.app, query)
const pathsOf = async (query: Readonly<Record<string, string>>) =>
  (await list({ limit: '100', ...query })).items.map(({ resource }) => new URL(resource).pathname).toSorted()

beforeAll(async () => {
  stripe = await startFakeStripe()
  const rails = [cardRailOn(stripe), catalogueRail()]
  test = await createTestApp({ payments: { rails }, ...measuring() }, {}, sellQuotes)
  shop = await openShop(test.app, 'seller', { amount: 0.5 })
  const sent = await upload(test.app, [field('username', 'seller'), fileOf('a,b', 'table.csv')], shop.headers)
  fileUrl = `/files/${sent.json().id}`
  const gate = shopGate({ amount: 0.5 })
  const requirement = {
    type: 'payment',
    amount: 7,
    currency: 'usdc',
    per: 'once',
    x402: { enabled: true, network: OTHER_NETWORK },
  }
  const files = { requirements: [requirement], access: ['files.*'] }
  const card = {
    requirements: [{ type: 'payment', amount: 7, currency: 'eur', per: 'once' }],
    access: ['content.welcome'],
  }
  const open = { ...gate.tiers.public, access: ['profile.*'] }
  await saveGate(shop, { ...gate, tiers: { ...gate.tiers, public: open, files, card } })
  await untilListed(test.app, shop.profile, [shop.paid, shop.other, fileUrl, '/quotes/ACME'])
})
afterAll(async () => {
  await test.close()
  await stripe.stop()
})

describe('GET /discovery/resources', () => {
  it('lists pages, files and routes of the host with the offers of their 402s, and leaves out what only cards buy', async () => {
    const { x402Version, items } = await list()
    expect(x402Version).toBe(2)
    expect(items).toHaveLength(4)
    for (const item of items) {
      const response = await client(test.app).get(item.resource.slice(PUBLIC_URL.length))
      expect(response.statusCode, item.resource).toBe(402)
      const required = decodeHeader(response, 'payment-required') as Required & {
        readonly resource: { readonly description: string }
      }
      const offers = required.accepts
        .filter(({ scheme }) => scheme === 'exact')
        .map(({ extra, ...offer }) => ({ ...offer, extra: { ...Object(extra), eip3009: undefined } }))
      expect(offers.length).toBeGreaterThan(0)
      expect(item.accepts, item.resource).toEqual(offers)
      expect(item).toMatchObject({ type: 'http', x402Version: 2, description: required.resource.description })
      expect(Object.keys(item.extensions).toSorted()).toEqual(['bazaar', 'payment-identifier'])
      expect(new Date(item.lastUpdated).toISOString()).toBe(item.lastUpdated)
    }
    expect(JSON.stringify(items)).not.toContain('eip3009')
    expect(JSON.stringify(items)).not.toContain(SECRET_WORD)
  })

  it('lists what was updated last first', async () => {
    const times = (await list()).items.map(({ lastUpdated }) => lastUpdated)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  it('has an ETag, is cached for a minute, and is readable by every origin', async () => {
    const plain = await client(test.app).get('/discovery/resources')
    expect(plain.headers).toMatchObject({
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
      'content-type': 'application/json; charset=utf-8',
    })
    const again = await client(test.app).get('/discovery/resources', { 'if-none-match': header(plain, 'etag') })
    expect(again.statusCode).toBe(304)
  })

  it.each([
    ['the type', { type: 'http' }, 4],
    ['the type of tools', { type: 'mcp' }, 0],
    ['another type', { type: 'ftp' }, 0],
    ['the scheme', { scheme: 'exact' }, 4],
    ['another scheme', { scheme: 'batch-settlement' }, 0],
    ['a receiver in another case', { payTo: PLATFORM.toUpperCase().replace('X', 'x') }, 4],
    ['another receiver', { payTo: '0x0000000000000000000000000000000000000001' }, 0],
    ['a network', { network: OTHER_NETWORK }, 4],
    ['a network that a tier leaves out', { network: RECORDED_NETWORK }, 3],
    ['a network by its name in x402 version 1', { network: 'base-sepolia' }, 3],
    ['another network', { network: 'eip155:999999999' }, 0],
    ['an extension', { extensions: 'bazaar' }, 4],
    ['another extension of all', { extensions: 'payment-identifier' }, 4],
    ['an extension that only offers have', { extensions: 'eip3009' }, 0],
    ['a profile', { profile: 'u/seller' }, 4],
    ['a profile by its DID', { profile: 'did:web:profiles.example:u:seller' }, 4],
    ['a profile by its URL', { profile: `${PUBLIC_URL}/u/seller` }, 4],
    ['a profile that does not exist', { profile: 'u/unknown-name' }, 0],
    ['several filters together', { network: RECORDED_NETWORK, profile: 'u/seller', scheme: 'exact' }, 3],
  ])('filters by %s', async (_, query, count) => {
    const { items, pagination, unappliedFilters } = await list(query)
    expect([items.length, pagination.total, unappliedFilters]).toEqual([count, count, undefined])
    for (const { accepts } of items) {
      if ('network' in query && query.network.includes(':'))
        expect(accepts.map(({ network }) => network)).toContain(query.network)
    }
  })

  it.each([
    ['a malformed network', 'network=!!!'],
    ['an empty network', 'network='],
    ['two networks', 'network=base&network=base-sepolia'],
    ['a very long receiver', `payTo=${'a'.repeat(5_000)}`],
    ['the name of a property of objects', 'extensions=__proto__'],
    ['a path below a profile', 'profile=u/seller/content'],
    ['a prefix that is a property of objects', 'profile=constructor/x'],
    ['a DID of another service', 'profile=did:web:elsewhere.example:u:seller'],
    ['a profile without a path', 'profile=%F0%9F%98%80'],
    ['a type in another case', 'type=HTTP'],
    ['a scheme with a quote', 'scheme=%27'],
  ])('finds nothing by %s', async (_, query) => {
    const response = await client(test.app).get(`/discovery/resources?${query}`)
    expect(response.statusCode, response.body).toBe(200)
    const { items, pagination, unappliedFilters } = response.json()
    expect([items, pagination.total, unappliedFilters]).toEqual([[], 0, undefined])
  })

  it('names the parameters that it does not filter by, and applies the others', async () => {
    const { items, unappliedFilters } = await list({
      maxUsdPrice: '1',
      network: RECORDED_NETWORK,
      asset: 'x',
      offset: '0',
    })
    expect([items.length, unappliedFilters]).toEqual([3, ['maxUsdPrice', 'asset']])
    const odd = await client(test.app).get('/discovery/resources?%3Cscript%3E=1&__proto__=2&network[]=3&ok=4')
    expect(odd.json().unappliedFilters.toSorted()).toEqual(expect.arrayContaining(['network[]', 'ok']))
    expect(odd.body).not.toContain('<script')
  })

  it.each([
    ['limit=2', { limit: 2, offset: 0 }, 2],
    ['limit=2&offset=3', { limit: 2, offset: 3 }, 1],
    ['limit=0', { limit: 1, offset: 0 }, 1],
    ['limit=-5&offset=-5', { limit: 1, offset: 0 }, 1],
    ['limit=1000', { limit: 100, offset: 0 }, 4],
    ['limit=2.9', { limit: 2, offset: 0 }, 2],
    ['limit=many&offset=few', { limit: 20, offset: 0 }, 4],
    ['limit=&offset=', { limit: 20, offset: 0 }, 4],
    ['limit=1e9', { limit: 20, offset: 0 }, 4],
    ['offset=99999999999', { limit: 20, offset: 1_000_000 }, 0],
    ['limit=2&limit=3', { limit: 20, offset: 0 }, 4],
  ])('clamps %s', async (query, clamped, count) => {
    const response = await client(test.app).get(`/discovery/resources?${query}`)
    expect(response.statusCode, response.body).toBe(200)
    const { items, pagination, unappliedFilters } = response.json()
    expect([pagination, items.length, unappliedFilters]).toEqual([{ ...clamped, total: 4 }, count, undefined])
  })

  it('pages through everything once', async () => {
    const paths: string[] = []
    for (const offset of [0, 1, 2, 3]) {
      const { items } = await list({ limit: '1', offset: String(offset) })
      paths.push(...items.map(({ resource }) => new URL(resource).pathname))
    }
    expect(paths.toSorted()).toEqual([shop.paid, shop.other, fileUrl, '/quotes/ACME'].toSorted())
  })
})

describe('a row that is not for sale any more', () => {
  it('is left out of the items and of the total, and is counted', async () => {
    const { id } = (
      await shop.post('/manage/pages', {
        profile_id: shop.profileId,
        title: 'Free',
        body: 'Free.',
        status: 'published',
      })
    ).json()
    const gone = 2 ** 40
    const offer: PricedOffer = {
      kind: 'page',
      path: '/u/seller/content/free',
      resource: 'content.free',
      currency: 'usdc',
      amount: '1',
      networks: ['eip155:8453', RECORDED_NETWORK],
      assets: [],
      payTo: ['0xnobody'],
      updatedAt: new Date(),
    }
    const keys = [`page_${id}`, `page_${gone}`, `file_${gone}`]
    const present = (await list({ limit: '100' })).items.length
    const staleCount = async () =>
      (await readMetrics(test.app)).find(({ name }) => name === 'eep_catalogue_stale_total')?.value ?? 0
    const before = await staleCount()
    const rows = keys.map((key) => ({ profileId: shop.profileId, key, offer }))
    const put = (all: readonly PricedRow[]) =>
      test.storage.transaction(async (tx) => tx.pricedResources.put(all, await tx.pricedResources.nextSequence()))
    await put(rows)
    const { items, pagination } = await list({ limit: '100' })
    expect([items.length, pagination.total]).toEqual([present, present])
    expect(await staleCount()).toBe(before + 3)
    // The resource is for sale, but not on this network or to this receiver any more.
    const paid = { ...offer, path: shop.paid, resource: 'content.notes.engines' }
    const pageId = shop.otherId - 1
    await put([
      ...rows.map((row) => ({ ...row, offer: null })),
      { profileId: shop.profileId, key: `page_${pageId}`, offer: paid },
    ])
    expect((await list({ network: 'eip155:8453' })).items).toEqual([])
    expect((await list({ payTo: '0xnobody' })).items).toEqual([])
    await saveGate(shop, (await shop.get(`/eep/gates/${shop.did}`)).json())
    await soon(async () => expect((await list({ payTo: '0xnobody' })).pagination.total).toBe(0))
  })
})

describe('the catalogue', () => {
  const open = async (name: string) => {
    const seller = await openShop(test.app, name)
    await untilListed(test.app, seller.profile, [seller.paid, seller.other])
    return seller
  }
  const amountsOf = async (seller: Shop) => [
    ...new Set(
      (await list({ profile: seller.profile.slice(1) })).items.flatMap(({ accepts }) =>
        accepts.map(({ amount }) => amount),
      ),
    ),
  ]

  it('follows prices, new, changed, moved and deleted pages, and gates', async () => {
    const seller = await open('follows')
    await saveGate(seller, shopGate({ amount: 2 }))
    await soon(async () => expect(await amountsOf(seller)).toEqual(['2000000']))
    await seller.delete(`/manage/pages/${seller.otherId}`)
    await untilListed(test.app, seller.profile, [seller.paid])
    const { data } = (await seller.get(`/manage/categories?profile_id=${seller.profileId}`)).json()
    const categoryId = data[0].id
    const added = {
      profile_id: seller.profileId,
      category_id: categoryId,
      title: 'Ships',
      body: 'x',
      status: 'published',
    }
    const page = (await seller.post('/manage/pages', added)).json()
    const ships = `${seller.contents}/notes/ships`
    await untilListed(test.app, seller.profile, [seller.paid, ships])
    await seller.put(`/manage/pages/${page.id}`, { category_id: null })
    await untilListed(test.app, seller.profile, [seller.paid])
    await seller.put(`/manage/pages/${page.id}`, { category_id: categoryId, slug: 'boats' })
    await untilListed(test.app, seller.profile, [seller.paid, `${seller.contents}/notes/boats`])
    await seller.put(`/manage/pages/${page.id}`, { status: 'draft' })
    await untilListed(test.app, seller.profile, [seller.paid])
    await saveGate(seller, { default_tier: 'public', tiers: { public: { requirements: [], access: ['*'] } } })
    await untilListed(test.app, seller.profile, [])
    await soon(async () =>
      expect(await test.storage.read.pricedResources.countOffers({ profileId: seller.profileId })).toBe(0),
    )
  })

  it('lists a file first whose content was replaced, with the time of its replacement', async () => {
    const seller = await open('replaces')
    const sent = await upload(test.app, [field('username', 'replaces'), fileOf(PNG, 'a.png')], seller.headers)
    const file = `/files/${sent.json().id}`
    const tier = { requirements: [{ type: 'payment', amount: 1, currency: 'usdc', per: 'once' }], access: ['files.*'] }
    await saveGate(seller, { ...shopGate(), tiers: { ...shopGate().tiers, tier } })
    await untilListed(test.app, seller.profile, [seller.paid, seller.other, file])
    const { id } = (await seller.put(`/manage/pages/${seller.otherId}`, { title: 'Looms, again' })).json()
    expect(id).toBe(seller.otherId)
    const items = async () =>
      (await list({ profile: seller.profile.slice(1) })).items.map(({ resource, lastUpdated }) => ({
        path: new URL(resource).pathname,
        lastUpdated,
      }))
    await soon(async () => expect((await items())[0]?.path).toBe(seller.other))
    const form = formOf([fileOf(await image('teal'), 'b.png')])
    const replaced = await client(test.app).put(`/manage${file}/content`, form.payload, {
      ...form.headers,
      ...seller.headers,
    })
    expect(replaced.statusCode, replaced.body).toBe(200)
    await soon(async () => expect((await items())[0]).toEqual({ path: file, lastUpdated: replaced.json().replaced_at }))
  })

  it('follows categories that are renamed or made private', async () => {
    const seller = await open('moves-categories')
    const { data } = (await seller.get(`/manage/categories?profile_id=${seller.profileId}`)).json()
    const change = (payload: object) => seller.put(`/manage/categories/${data[0].id}`, payload)
    await change({ visibility: 'private' })
    await untilListed(test.app, seller.profile, [])
    await soon(async () =>
      expect(await test.storage.read.pricedResources.countOffers({ profileId: seller.profileId })).toBe(0),
    )
    await change({ visibility: 'public' })
    await untilListed(test.app, seller.profile, [seller.paid, seller.other])
  })

  it.each(['unlisted', 'private'])(
    'has nothing of a profile that is %s, and has it again when it is public',
    async (visibility) => {
      const seller = await open(`is-${visibility}`)
      const rows = () => test.storage.read.pricedResources.countOffers({ profileId: seller.profileId })
      await seller.put(`/profiles/${seller.profileId}/visibility`, { visibility })
      await soon(async () => expect(await rows()).toBe(0))
      expect(await pathsOf({})).not.toContain(seller.paid)
      await seller.put(`/profiles/${seller.profileId}/visibility`, { visibility: 'public' })
      await untilListed(test.app, seller.profile, [seller.paid, seller.other])
    },
  )

  it('has nothing of a banned account until the ban ends', async () => {
    const seller = await open('banned')
    const root = await signUp(test.app, 'root-of-catalogue')
    await makeAdministrator(test, root)
    const rows = () => test.storage.read.pricedResources.countOffers({ profileId: seller.profileId })
    const ban = (banned: boolean) => root.put(`/admin/users/${seller.account.id}`, { banned })
    expect((await ban(true)).statusCode).toBe(200)
    expect(await pathsOf({})).not.toContain(seller.paid)
    await soon(async () => expect(await rows()).toBe(0))
    await ban(false)
    await untilListed(test.app, seller.profile, [seller.paid, seller.other])
  })

  it('loses the rows of a profile in the transaction that deletes it', async () => {
    const seller = await open('erased')
    await test.storage.transaction(async (tx) => {
      await tx.profiles.delete(seller.profileId)
      expect(await tx.pricedResources.countOffers({ profileId: seller.profileId })).toBe(0)
    })
    expect(await pathsOf({})).not.toContain(seller.paid)
  })

  it('stores no text of a page, and names no file that everyone may not read in the list of files', async () => {
    const seller = await open('secretive')
    const sent = await upload(test.app, [field('username', 'secretive'), fileOf('a,b', 'merger.csv')], seller.headers)
    const { id } = sent.json()
    await saveGate(seller, {
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['profile.*'] },
        closed: { requirements: [{ type: 'trust', min_score: 90 }], access: ['profile.files', 'profile.keywords'] },
        paid: {
          requirements: [{ type: 'payment', amount: 1, currency: 'usdc', per: 'day' }],
          access: [`files.f${id}`],
        },
        proven: {
          requirements: [
            { type: 'payment', amount: 1, currency: 'usdc', per: 'day' },
            { type: 'trust', min_score: 10 },
          ],
          access: ['content.*'],
        },
      },
    })
    await untilListed(test.app, seller.profile, [`/files/${id}`])
    const body = JSON.stringify(await list({ limit: '100' }))
    expect(body).not.toContain('merger')
    expect(body).not.toContain(SECRET_WORD)
  })

  it('stores nothing of profiles that sell nothing', async () => {
    const free = await signUp(test.app, 'sells-nothing')
    const profileId = free.account.active_profile_id
    const page = { profile_id: profileId, title: 'Free', body: 'Free.', status: 'published' }
    await free.post('/manage/pages', page)
    await free.put(`/profiles/${profileId}/visibility`, { visibility: 'unlisted' })
    // The consumer handles events in order.
    await open('sells-later')
    const among = { after: 0, limit: 1, among: [profileId] }
    expect(await test.storage.read.pricedResources.listCandidates(among)).toEqual([])
  })

  it('lists nothing while the host may withhold resources', async () => {
    const other = await createTestApp({
      payments: { rails: [catalogueRail()] },
      hooks: { legalRestriction: async () => undefined },
    })
    const seller = await openShop(other.app, 'withheld')
    await soon(async () => expect(await other.storage.read.pricedResources.listRequested(10)).toEqual([]))
    expect((await catalogueOf(other.app)).items).toEqual([])
    expect(await other.storage.read.pricedResources.countOffers({ profileId: seller.profileId })).toBe(0)
    await other.close()
  })
})
