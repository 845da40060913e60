import { cashRail, createCashWallets } from '@eep/core/testing'
import { describe, expect, it } from 'vitest'
import { didOf, signUp } from '../support/accounts.ts'
import { keyAgent } from '../support/agents.ts'
import { untilTotals } from '../support/analytics.ts'
import { newKey } from '../support/api-keys.ts'
import { client } from '../support/client.ts'
import { openInstances } from '../support/instances.ts'
import { header, openShop } from '../support/shop.ts'
import { join } from '../support/teams.ts'

const cashWallets = createCashWallets()
const { instance } = await openInstances({ payments: { rails: [cashRail({ cashWallets })] } })
const app = await instance()

describe('GET /insights/agents', () => {
  it('shows what agents read and were refused, at what price, and suggests', async () => {
    const shop = await openShop(app, 'shop-with-insights')
    const get = (path: string, headers: Record<string, string>) => client(app).get(path, headers)
    const buyer = keyAgent()
    const challenge = await get(shop.paid, buyer.sign({ path: shop.paid }))
    const paying = cashWallets.answer(header(challenge, 'payment-required'), { wallet: 'wallet:agent' })
    const paid = await get(shop.paid, { ...buyer.sign({ path: shop.paid }), ...paying })
    expect(paid.statusCode, paid.body).toBe(200)
    const leaving = [
      { 'user-agent': 'Mozilla/5.0 (compatible; GPTBot/1.3)' },
      { 'user-agent': 'Claude-User/1.0' },
      { 'user-agent': 'Mozilla/5.0', 'signature-agent': '"https://agents.example"' },
      { 'eep-agent-did': keyAgent().did },
    ]
    for (const headers of leaving) await get(shop.paid, headers)
    const reader = await signUp(app)
    await get(shop.open, (await newKey(app, reader.headers, { scopes: ['read:content'] })).headers)
    const own = didOf(reader)
    await get(shop.open, { 'eep-agent-did': own })
    await get(shop.open, { 'user-agent': 'Mozilla/5.0 Firefox/140.0' })

    await untilTotals(shop, shop.profileId, { views: 4, challenges: 5 })
    const response = await shop.get(`/insights/agents?profile_id=${shop.profileId}`)
    expect(response.statusCode, response.body).toBe(200)
    const found = response.json()
    const path = '/content/notes/engines'
    const refused = [{ path, price: '0.01 USDC', count: 1 }]
    expect(found.agents).toHaveLength(7)
    expect(found.agents[0]).toMatchObject({
      kind: 'verified',
      name: buyer.did,
      agent_id: null,
      reads: 1,
      refusals: 1,
      searches: 0,
      sales: 1,
      pages: [{ path, count: 1 }],
      refused,
    })
    expect(found.agents).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'family', name: 'GPTBot', operator: 'OpenAI', purpose: 'training', refused }),
        expect.objectContaining({ kind: 'family', name: 'Claude-User', sales: null }),
        expect.objectContaining({ kind: 'web_bot_auth', name: 'agents.example', refused }),
        expect.objectContaining({ kind: 'named', name: leaving[3]?.['eep-agent-did'], refused }),
        expect.objectContaining({ kind: 'key', name: null, agent_id: expect.stringMatching(/^[\w-]{22}$/), reads: 1 }),
        expect.objectContaining({
          kind: 'named',
          name: null,
          agent_id: expect.stringMatching(/^[\w-]{22}$/),
          reads: 1,
        }),
      ]),
    )
    expect(response.body).not.toContain(own)
    expect(found.paywalls).toEqual([
      { path, agents: 5, refusals: 5, readers: 1, proven_bots: 0, paying_bots: 0, median_price: '0.01 USDC' },
    ])
    expect(found.suggestions).toEqual([
      {
        rule: 'paywall_left',
        path,
        agents: 4,
        message: `4 agents met the paywall of ${path} and left: median offer 0.01 USDC`,
      },
    ])
    expect(found.known_agents.date).toMatch(/^\d{4}-\d\d-\d\d$/)
  })

  it('shows who paid to members who may read payments only', async () => {
    const shop = await openShop(app, 'shop-with-a-team')
    const team = { owner: shop, id: shop.profileId, team: `/profiles/${shop.profileId}/team` }
    const buyer = keyAgent()
    const challenge = await client(app).get(shop.paid, buyer.sign({ path: shop.paid }))
    const paying = cashWallets.answer(header(challenge, 'payment-required'), { wallet: 'wallet:seen' })
    await client(app).get(shop.paid, { ...buyer.sign({ path: shop.paid }), ...paying })
    await untilTotals(shop, shop.profileId, { views: 1, challenges: 1 })
    const seen: Record<string, unknown> = {}
    for (const role of ['admin', 'editor', 'viewer'] as const) {
      const member = await signUp(app)
      await join(team, member, role)
      const found = (await member.get(`/insights/agents?profile_id=${shop.profileId}`)).json()
      expect(found.agents).toMatchObject([{ name: buyer.did, reads: 1, refusals: 1 }])
      seen[role] = found.agents[0].sales
    }
    expect(seen).toEqual({ admin: 1, editor: null, viewer: null })
  })

  it('refuses periods that are not kept, and accounts outside the team', async () => {
    const [ada, bob] = [await signUp(app), await signUp(app)]
    const url = `/insights/agents?profile_id=${ada.account.active_profile_id}`
    for (const query of ['&from=2020-01-01T00:00:00Z', '&from=2040-01-02T00:00:00Z&to=2040-01-01T00:00:00Z']) {
      const response = await ada.get(url + query)
      expect([response.statusCode, response.json().error.code]).toEqual([400, 'invalid_period'])
    }
    expect((await bob.get(url)).statusCode).toBe(403)
    expect((await ada.get(url)).json()).toMatchObject({ agents: [], paywalls: [], suggestions: [] })
  })
})
