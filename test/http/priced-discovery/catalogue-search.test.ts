import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, PUBLIC_URL } from '../../support/app.ts'
import { catalogueRail, type Item, OTHER_NETWORK, untilListed } from '../../support/catalogue.ts'
import { client } from '../../support/client.ts'
import { untilIndexed } from '../../support/search.ts'
import { openShop, SECRET_WORD, type Shop } from '../../support/shop.ts'

interface Found {
  readonly x402Version: number
  readonly resources: readonly Item[]
  readonly pagination: { readonly limit: number; readonly cursor: string } | null
  readonly partialResults?: boolean
  readonly unappliedFilters?: readonly string[]
}

let test: Awaited<ReturnType<typeof createTestApp>>
let shop: Shop
let other: Shop

beforeAll(async () => {
  test = await createTestApp({ withSearch: true, payments: { rails: [catalogueRail()] } })
  shop = await openShop(test.app, 'searched')
  other = await openShop(test.app, 'searched-too')
  const free = { profile_id: shop.profileId, title: 'Free looms', body: 'Looms for nothing.', status: 'published' }
  await shop.post('/manage/pages', free)
  for (const seller of [shop, other]) await untilListed(test.app, seller.profile, [seller.paid, seller.other])
  await untilIndexed(test.app)
})
afterAll(() => test.close())

const send = (query: Readonly<Record<string, string>>) =>
  client(test.app).get(`/discovery/search?${new URLSearchParams(query)}`)
async function find(query: Readonly<Record<string, string>>): Promise<Found> {
  const response = await send(query)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}
const pathsOf = ({ resources }: Found) => resources.map(({ resource }) => new URL(resource).pathname)

describe('GET /discovery/search', () => {
  it('finds pages for sale by words, with the members of the catalogue, and none that is free', async () => {
    const found = await find({ query: 'looms' })
    expect(pathsOf(found).toSorted()).toEqual([shop.other, other.other].toSorted())
    expect(found).toMatchObject({ x402Version: 2, pagination: null })
    const { items } = (await client(test.app).get('/discovery/resources?profile=u/searched')).json()
    const listed = items.find(({ resource }: Item) => resource === PUBLIC_URL + shop.other)
    expect(found.resources.find(({ resource }) => resource === PUBLIC_URL + shop.other)).toEqual(listed)
  })

  it('finds nothing by words of the paid text', async () => {
    expect(pathsOf(await find({ query: SECRET_WORD }))).toEqual([])
  })

  it('applies the filters, and names what is none', async () => {
    expect(pathsOf(await find({ query: 'looms', profile: 'u/searched' }))).toEqual([shop.other])
    expect(pathsOf(await find({ query: 'looms', network: OTHER_NETWORK }))).toHaveLength(2)
    for (const query of [
      { network: '!!!' },
      { type: 'mcp' },
      { scheme: 'upto' },
      { payTo: '0x1' },
      { profile: 'u/nobody' },
    ]) {
      expect(await find({ query: 'looms', ...query })).toMatchObject({ resources: [], pagination: null })
    }
    const { unappliedFilters, resources } = await find({ query: 'looms', maxPrice: '1' })
    expect([unappliedFilters, resources.length]).toEqual([['maxPrice'], 2])
  })

  it('continues with the cursor until every resource was found once', async () => {
    const paths: string[] = []
    let cursor: string | undefined
    let pages = 0
    do {
      const found = await find({ query: 'taste', limit: '1', ...(cursor === undefined ? {} : { cursor }) })
      paths.push(...pathsOf(found))
      expect(found.resources.length).toBeLessThanOrEqual(1)
      cursor = found.pagination?.cursor
      pages += 1
    } while (cursor !== undefined && pages < 20)
    expect(paths.toSorted()).toEqual([shop.paid, shop.other, other.paid, other.other].toSorted())
  })

  it('does not find what is not for sale any more', async () => {
    const seller = await openShop(test.app, 'sold-out')
    await untilListed(test.app, seller.profile, [seller.paid, seller.other])
    await untilIndexed(test.app)
    expect(pathsOf(await find({ query: 'looms' }))).toContain(seller.other)
    const open = { default_tier: 'public', tiers: { public: { requirements: [], access: ['*'] } } }
    await seller.put(`/eep/gates/${seller.did.replaceAll('%', '%25')}`, open)
    expect(pathsOf(await find({ query: 'looms' }))).not.toContain(seller.other)
  })

  it.each(['', '   ', 'x'.repeat(257)])('refuses the query %j', async (query) => {
    expect((await send({ query })).statusCode).toBe(400)
  })

  it('refuses a cursor of another kind', async () => {
    const response = await send({ query: 'looms', cursor: 'nothing' })
    expect([response.statusCode, response.json().error.code]).toEqual([400, 'invalid_cursor'])
  })
})
