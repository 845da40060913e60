import { cashRail, createCashWallets } from '@eep/core/testing'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { untilTotals } from '../../support/analytics.ts'
import { client } from '../../support/client.ts'
import { openInstances } from '../../support/instances.ts'
import { header, openShop } from '../../support/shop.ts'
import { newSigningKey, openDirectory, signedHeaders } from '../../support/signers.ts'
import { LONG } from '../../support/wait.ts'

const cashWallets = createCashWallets()
const key = await newSigningKey()
const directory = await openDirectory([key])
afterAll(directory.close)
const { database, instance } = await openInstances({
  payments: { rails: [cashRail({ cashWallets })] },
  http: { allowPrivateHosts: [directory.host] },
})
const app = await instance()
const agent = directory.origin

describe('a program that signs its requests', () => {
  it('is proven in insights and in receipts of payments, also for the request that makes its keys known', async () => {
    const shop = await openShop(app, 'shop-for-signers')
    const signed = () => signedHeaders({ key, agent })
    // Nothing is waited for, and yet the figures have the result.
    await client(app).get(shop.open, await signed())
    const challenge = await client(app).get(shop.paid, await signed())
    const paying = cashWallets.answer(header(challenge, 'payment-required'), { wallet: 'wallet:signer' })
    const paid = await client(app).get(shop.paid, { ...(await signed()), ...paying })
    expect(paid.statusCode, paid.body).toBe(200)
    await client(app).get(shop.paid, { 'signature-agent': `sig1="${agent}"`, signature: 'sig1=:AA==:' })

    await untilTotals(shop, shop.profileId, { views: 2, challenges: 2 })
    const found = (await shop.get(`/insights/agents?profile_id=${shop.profileId}`)).json()
    expect(found.agents).toHaveLength(2)
    expect(found.agents).toEqual([
      expect.objectContaining({ kind: 'signed', name: agent, reads: 2, refusals: 1, sales: 1 }),
      expect.objectContaining({ kind: 'web_bot_auth', refusals: 1, sales: null }),
    ])
    expect(found.paywalls).toMatchObject([{ agents: 2, proven_bots: 1, paying_bots: 1 }])
    const rows = (await database.dump?.(['payments'])) ?? []
    expect(rows.filter((row) => row.includes(agent))).toHaveLength(rows.length === 0 ? 0 : 1)
  })

  it('is named in agent.access.read', async () => {
    const shop = await openShop(app, 'shop-read-by-signers')
    await client(app).get(shop.open, await signedHeaders({ key, agent }))
    const reads = async () => (await shop.get('/eep/events?limit=1000&types=agent.access.read')).json().events
    await vi.waitFor(async () => expect(await reads()).toHaveLength(1), LONG)
    const [{ data }] = await reads()
    expect(data).toMatchObject({ agent_did: null, verified: false, bot: { origin: agent, verified: true } })
  })
})
