import { defineTool } from '@eep/core/mcp'
import { defineModule } from '@eep/core/module'
import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp } from '../../support/app.ts'
import { catalogueOf, catalogueRail, untilListed } from '../../support/catalogue.ts'
import { client } from '../../support/client.ts'
import { mcpClient } from '../../support/mcp.ts'
import { decodeHeader, openShop } from '../../support/shop.ts'

const tool = {
  title: 'Draw a text',
  description: 'Draws a text',
  input: z.strictObject({ text: z.string().max(100) }),
  output: z.object({ drawing: z.string() }),
  readOnly: false,
  profile: 'did:web:profiles.example:u:seller',
  run: async ({ text }: { text: string }) => ({ drawing: `<${text}>` }),
} as const
const drawing = defineModule({
  name: 'drawing',
  mcp: () => ({
    tools: [
      defineTool({ ...tool, name: 'draw', price: { amount: 0.02, currency: 'usdc', per: 'request' } }),
      defineTool({
        ...tool,
        name: 'draw_by_length',
        price: ({ text }) => ({ amount: 0.01 * text.length, currency: 'usdc', per: 'request' }),
      }),
    ],
  }),
})

const sellPrints = (app: TestApp) => {
  const sold = app.eep.paidRoute({
    profile: tool.profile,
    resource: 'api.prints',
    price: { amount: 0.05, currency: 'usdc', per: 'request' },
    charge: 'before',
    listing: { path: '/prints', title: 'Prints' },
  })
  app.get('/prints', sold, async () => ({ prints: [] }))
}
const test = await createTestApp({ modules: [drawing], payments: { rails: [catalogueRail()] } }, {}, sellPrints)
afterAll(() => test.close())
const shop = await openShop(test.app, 'seller')
type Offers = readonly { readonly extra: object }[]
const withoutTypedData = (accepts: Offers) =>
  accepts.map((offer) => ({ ...offer, extra: { ...offer.extra, eip3009: undefined } }))
const TOOL = 'mcp://profiles.example/tools/draw'
await untilListed(test.app, shop.profile, [shop.paid, shop.other, '/prints', '/tools/draw'])

it('lists a tool with a fixed price with the offer of its call, and how MCP calls it', async () => {
  const { items } = await catalogueOf(test.app, { type: 'mcp' })
  const { structuredContent } = await mcpClient(test.app).call('draw', { text: 'a' })
  expect(items).toEqual([
    expect.objectContaining({ resource: TOOL, type: 'mcp', description: 'Draw a text', mimeType: 'application/json' }),
  ])
  expect(items[0]?.accepts).toEqual(withoutTypedData(structuredContent?.accepts as Offers))
  expect(items[0]?.extensions.bazaar).toMatchObject({
    info: { input: { type: 'mcp', toolName: 'draw', description: 'Draws a text', transport: 'streamable-http' } },
  })
})

it('lists a route that takes payments for single requests with the offer of its 402', async () => {
  const { items } = await catalogueOf(test.app, { type: 'http' })
  const { accepts } = decodeHeader(await client(test.app).get('/prints'), 'payment-required') as { accepts: Offers }
  expect(items.find(({ resource }) => resource.endsWith('/prints'))?.accepts).toEqual(withoutTypedData(accepts))
})

it('lists what HTTP reaches apart from tools', async () => {
  const { items } = await catalogueOf(test.app, { type: 'http' })
  expect(items.map(({ resource, type }) => [new URL(resource).pathname, type]).toSorted()).toEqual(
    [shop.paid, shop.other, '/prints'].toSorted().map((path) => [path, 'http']),
  )
})

it('does not describe a tool as an operation of HTTP', async () => {
  const document = (await client(test.app).get('/openapi.json')).json()
  expect(JSON.stringify(document.paths)).not.toContain('draw')
})

it('removes the tools of a seller who leaves public lists', async () => {
  const hidden = await shop.put(`/profiles/${shop.profileId}/visibility`, { visibility: 'unlisted' })
  expect(hidden.statusCode, hidden.body).toBe(200)
  await untilListed(test.app, shop.profile, [])
  expect((await catalogueOf(test.app, { type: 'mcp' })).pagination.total).toBe(0)
})
