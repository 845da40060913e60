import { setTimeout as sleep } from 'node:timers/promises'
import { cashRail, createCashWallets } from '@eep/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, openStorage } from '../support/app.ts'
import { client } from '../support/client.ts'
import { cookieOf, header, openShop, type Shop } from '../support/shop.ts'
import { watchedStorage } from '../support/watched-storage.ts'

type Headers = Record<string, string>

const cashWallets = createCashWallets()
const database = await openStorage()
const { storage, asked } = watchedStorage(database.storage)
let test: Awaited<ReturnType<typeof createTestApp>>
let shop: Shop
let gated: Shop

beforeAll(async () => {
  test = await createTestApp({ storage, payments: { rails: [cashRail({ cashWallets })] } })
  shop = await openShop(test.app, 'open-shop')
  gated = await openShop(test.app, 'gated-shop')
  await shop.put(`/profiles/${shop.profileId}/smart-sections`, {
    sections: [{ key: 'jobs', title: 'Jobs', body: 'Open to offers', agent_types: ['recruiter'] }],
  })
  const requirements = [{ type: 'payment', amount: 0.01, currency: 'usdc', per: 'day' }]
  await gated.put(`/eep/gates/${gated.did}`, {
    default_tier: 'public',
    tiers: {
      public: { requirements: [], access: ['profile.*', 'content.*'] },
      reader: { requirements, access: ['profile.bio', 'content.notes.*'] },
    },
  })
})
afterAll(async () => {
  await test.close()
  await database.close()
})

/** What a read asks of the storage once the cache is warm: the least of a few, as this instance also tails its own log. */
async function callsOf(url: string, headers: Headers = {}, atLeast = 0): Promise<readonly string[]> {
  let least: readonly string[] | undefined
  for (let turn = 0; turn < 30 && least?.length !== atLeast; turn += 1) {
    // Consumers of events work between the requests, for example after a sale.
    await sleep(10)
    asked.length = 0
    const { statusCode, body } = await client(test.app).get(url, headers)
    expect(statusCode, body).toBeLessThan(403)
    if (turn > 0 && (least === undefined || asked.length < least.length)) least = [...asked]
  }
  return least ?? []
}

async function buy(url: string, wallet: string): Promise<Headers> {
  const challenge = await client(test.app).get(url)
  const paid = await client(test.app).get(url, cashWallets.answer(header(challenge, 'payment-required'), { wallet }))
  expect(paid.statusCode, paid.body).toBe(200)
  return { cookie: `eep_payer=${cookieOf(paid, 'eep_payer')}` }
}

it.each([
  ...['?format=markdown', '?format=json', '?format=toon', '?agent_type=recruiter'],
  ...['/content', '/content/welcome', '/freshness'],
])('asks nothing of the storage for a public read of %s on a warm cache', async (below) => {
  expect(await callsOf(shop.profile + below)).toEqual([])
  expect(await callsOf(gated.profile + below)).toEqual([])
})

it('makes no storage call for the 402 of an anonymous reader', async () => {
  expect(await callsOf(shop.paid)).toEqual([])
  expect(await callsOf(`${gated.profile}?fields=bio`)).toEqual([])
})

it('asks for the patterns of a payer once in an entitled read', async () => {
  const page = await buy(shop.paid, 'wallet:page')
  expect(await callsOf(shop.paid, page, 1)).toEqual(['entitlements.listActivePatterns'])
  const field = await buy(`${gated.profile}?fields=bio`, 'wallet:field')
  expect(await callsOf(`${gated.profile}?fields=bio`, field, 1)).toEqual(['entitlements.listActivePatterns'])
  expect(await callsOf(gated.profile, field, 1)).toEqual(['entitlements.listActivePatterns'])
})

it('asks nothing of the storage for the record and the agent card of an open profile', async () => {
  expect(await callsOf(`/profiles${shop.profile}`)).toEqual([])
  expect(await callsOf(`${shop.profile}/agent-card.json`)).toEqual([])
})
