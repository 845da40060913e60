import { afterAll, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { analyticsOf, BROWSER, untilTotals } from '../../support/analytics.ts'
import { PUBLIC_URL } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { mcpClient } from '../../support/mcp.ts'
import { bearer, connect } from '../../support/oauth-server.ts'
import { createCashApp, openShop } from '../../support/shop.ts'

const service = await createCashApp()
const { app } = service
afterAll(() => service.close())

it('counts reads through MCP as those of agents, apart from reads by HTTP', async () => {
  const shop = await openShop(app, 'read-by-assistants')
  await client(app).get(shop.open, { 'user-agent': BROWSER })
  const assistant = mcpClient(app, { 'user-agent': BROWSER })
  const read = await assistant.call('read_page', { url: shop.open })
  expect(read.isError, JSON.stringify(read)).toBeFalsy()
  await assistant.call('read_page', { url: shop.open })
  await untilTotals(shop, shop.profileId, { views: 3, clients: { human: 1, agent: 2, bot: 0 } })
  const { channels } = await analyticsOf(shop, shop.profileId)
  expect(channels).toEqual([
    { channel: 'mcp', count: 2 },
    { channel: 'http', count: 1 },
  ])
})

it('counts what a connected app reads and is refused as those of an agent, by either protocol', async () => {
  const shop = await openShop(app, 'read-by-an-app')
  const resources = [PUBLIC_URL, `${PUBLIC_URL}/mcp`]
  const { access_token: token } = await connect(service, await signUp(app), { scopes: ['read:content'], resources })
  const headers = { ...bearer(token), 'user-agent': BROWSER }
  await client(app).get(shop.open, headers)
  await mcpClient(app, headers).call('read_page', { url: shop.paid })
  await untilTotals(shop, shop.profileId, { views: 1, challenges: 1, clients: { human: 0, agent: 1, bot: 0 } })
  const { agents } = (await shop.get(`/insights/agents?profile_id=${shop.profileId}`)).json()
  expect(agents).toEqual([
    expect.objectContaining({ kind: 'app', name: null, agent_id: expect.any(String), reads: 1, refusals: 1 }),
  ])
})
