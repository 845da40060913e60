import { HTTPFacilitatorClient } from '@x402/core/http'
import {
  type DiscoveryExtension,
  sanitizeResourceServiceMetadata,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
  withBazaar,
} from '@x402/extensions/bazaar'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp } from '../support/app.ts'
import { catalogueRail, type Item, type Listed, OTHER_NETWORK, untilListed } from '../support/catalogue.ts'
import { freePort } from '../support/ports.ts'
import { untilIndexed } from '../support/search.ts'
import { openShop, type Shop, shopGate } from '../support/shop.ts'

let test: Awaited<ReturnType<typeof createTestApp>>
let url: string
let shop: Shop
let one: Shop

beforeAll(async () => {
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  test = await createTestApp({ publicUrl: url, withSearch: true, payments: { rails: [catalogueRail()] } })
  shop = await openShop(test.app, 'both-networks')
  one = await openShop(test.app, 'one-network')
  const { tiers, ...gate } = shopGate()
  const [payment] = tiers.reader.requirements
  const x402 = { enabled: true, network: OTHER_NETWORK }
  const reader = { ...tiers.reader, requirements: [{ ...payment, x402 }] }
  await one.put(`/eep/gates/${one.did.replaceAll('%', '%25')}`, { ...gate, tiers: { ...tiers, reader } })
  for (const seller of [shop, one]) await untilListed(test.app, seller.profile, [seller.paid, seller.other])
  await untilIndexed(test.app)
  await test.app.listen({ port, host: '127.0.0.1' })
})
afterAll(async () => {
  test.app.server.closeAllConnections()
  await test.close()
})

describe('withBazaar of @x402/extensions', () => {
  const bazaar = () => withBazaar(new HTTPFacilitatorClient({ url })).extensions.bazaar

  it('lists the catalogue, filters it and reads it in parts', async () => {
    const all = await bazaar().listResources()
    expect([all.x402Version, all.items.length, all.pagination]).toEqual([2, 4, { limit: 20, offset: 0, total: 4 }])
    for (const { resource, type, x402Version, lastUpdated, extensions, ...metadata } of all.items) {
      expect([type, x402Version]).toEqual(['http', 2])
      expect(new URL(resource).origin).toBe(url)
      expect(new Date(lastUpdated).toISOString()).toBe(lastUpdated)
      // The types of the client do not name the members of extensions.
      const extension = extensions?.bazaar as DiscoveryExtension & Record<string, unknown>
      expect(validateDiscoveryExtension(extension)).toEqual({ valid: true })
      expect(validateDiscoveryExtensionSpec(extension)).toEqual({ valid: true })
      const info = { url: resource, ...metadata }
      expect(sanitizeResourceServiceMetadata(info)).toMatchObject({ serviceName: metadata.serviceName })
    }
    const filtered = await bazaar().listResources({
      type: 'http',
      scheme: 'exact',
      network: 'eip155:84532',
      extensions: 'bazaar',
    })
    expect(filtered.items.map(({ resource }) => resource).toSorted()).toEqual(
      [url + shop.paid, url + shop.other].toSorted(),
    )
    const [first, second] = [
      await bazaar().listResources({ limit: 1 }),
      await bazaar().listResources({ limit: 1, offset: 1 }),
    ]
    expect(first.items[0]?.resource).not.toBe(second.items[0]?.resource)
  })

  it('searches the catalogue, and continues with the cursor', async () => {
    const all = await bazaar().search({ query: 'looms' })
    expect(all.resources.map(({ resource }) => resource).toSorted()).toEqual(
      [url + shop.other, url + one.other].toSorted(),
    )
    const first = await bazaar().search({ query: 'looms', limit: 1, type: 'http' })
    expect([first.resources.length, first.pagination?.limit]).toEqual([1, 1])
    const second = await bazaar().search({ query: 'looms', limit: 1, cursor: first.pagination?.cursor ?? '' })
    expect(second.resources.map(({ resource }) => resource)).not.toEqual(
      first.resources.map(({ resource }) => resource),
    )
    const none = await bazaar().search({ query: 'looms', payTo: '0x0000000000000000000000000000000000000001' })
    expect(none.resources).toEqual([])
  })
})

// The vectors of bazaar_discovery_conformance.md (x402-foundation/x402, 797e191): a filter is applied to every item, or is named.
describe('the vectors of the filters', () => {
  const fetchList = async (query: Readonly<Record<string, string>>) => {
    const response = await fetch(`${url}/discovery/resources?${new URLSearchParams({ limit: '50', ...query })}`)
    expect(response.status).toBe(200)
    return (await response.json()) as Listed
  }
  const satisfies = ({ type, accepts, extensions }: Item, name: string, value: string): boolean => {
    if (name === 'type') return type === value
    if (name === 'extensions') return value in extensions
    return accepts.some((offer) => String(offer[name]).toLowerCase() === value.toLowerCase())
  }

  it('V0: returns items with a type, offers and extensions', async () => {
    const { items } = await fetchList({})
    expect(items).toHaveLength(4)
    for (const { type, accepts, extensions } of items) {
      expect([typeof type, Array.isArray(accepts), typeof extensions]).toEqual(['string', true, 'object'])
    }
  })

  it.each([
    ['V1', 'type', 'mcp'],
    ['V2', 'payTo', '0x0000000000000000000000000000000000000001'],
    ['V3', 'scheme', 'batch-settlement'],
    ['V4', 'network', 'eip155:999999999'],
    ['V5', 'extensions', 'payment-identifier'],
    ['V6', 'network', '!!!'],
  ])('%s: returns only items with %s %s, and a total of 0 without one', async (_, name, value) => {
    const { items, pagination, unappliedFilters } = await fetchList({ [name]: value })
    expect(unappliedFilters).toBeUndefined()
    expect(items.filter((item) => !satisfies(item, name, value))).toEqual([])
    if (items.length === 0) expect(pagination.total).toBe(0)
  })

  it('V7: returns some of the items by a network that only these have', async () => {
    const { items } = await fetchList({})
    const networks = items.flatMap(({ accepts }) => accepts.map(({ network }) => network))
    const rare = networks.find(
      (network) => items.filter((item) => satisfies(item, 'network', network)).length < items.length,
    )
    const filtered = await fetchList({ network: rare ?? '' })
    expect(filtered.items.length).toBeGreaterThan(0)
    expect(filtered.items.length).toBeLessThan(items.length)
    expect(filtered.items.every((item) => satisfies(item, 'network', rare ?? ''))).toBe(true)
  })
})
