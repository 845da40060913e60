import { defineTool } from '@eep/core/mcp'
import { defineModule } from '@eep/core/module'
import {
  type DiscoveryExtension,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from '@x402/extensions/bazaar'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { newKey } from '../../support/api-keys.ts'
import { client } from '../../support/client.ts'
import { errorCodeOf, mcpClient, type ToolResult } from '../../support/mcp.ts'
import { createCashApp, openShop } from '../../support/shop.ts'
import { soon } from '../../support/wait.ts'

const runs: string[] = []
const SELLER = 'did:web:profiles.example:u:seller'
const priced = {
  title: 'Draw',
  description: 'Draws a text',
  input: z.strictObject({ text: z.string().max(100) }),
  output: z.object({ drawing: z.string() }),
  readOnly: false,
  price: { amount: 0.02, currency: 'usdc', per: 'request' },
  profile: SELLER,
  run: async ({ text }: { text: string }) => {
    runs.push(text)
    return { drawing: `<${text}>` }
  },
} as const
const failing = {
  ...priced,
  run: async () => {
    runs.push('failed')
    throw new Error('a bug')
  },
}
const drawing = defineModule({
  name: 'drawing',
  mcp: () => ({
    tools: [
      defineTool({ ...priced, name: 'draw' }),
      defineTool({ ...priced, name: 'draw_after', charge: 'after' }),
      defineTool({ ...failing, name: 'draw_badly', charge: 'after' }),
      defineTool({
        ...priced,
        name: 'draw_by_length',
        price: ({ text }) => ({ amount: 0.01 * text.length, currency: 'usdc', per: 'request' }),
      }),
    ],
  }),
})

const test = await createCashApp({ modules: [drawing], payments: { settlementLeaseMs: 600_000 } })
afterAll(() => test.close())
const { app, cashWallets } = test
const shop = await openShop(app, 'seller')
const mcp = mcpClient(app)
let before = 0n
beforeEach(() => {
  runs.length = 0
  before = cashWallets.balance(shop.did)
})
const taken = () => cashWallets.balance(shop.did) - before

/** Signs a payment for the terms in a result, as `_meta` of the call. */
function paymentFor({ structuredContent }: ToolResult) {
  const terms = Buffer.from(JSON.stringify(structuredContent)).toString('base64')
  const { 'payment-signature': signature = '' } = cashWallets.answer(terms)
  return { 'x402/payment': JSON.parse(Buffer.from(signature, 'base64').toString()) as object }
}

describe('a tool with a price', () => {
  it('answers a call without a payment with the offer, and does not run', async () => {
    const unpaid = await mcp.call('draw', { text: 'a' })
    expect(unpaid.isError).toBe(true)
    expect(unpaid.structuredContent).toMatchObject({
      x402Version: 2,
      resource: { url: 'mcp://profiles.example/tools/draw' },
      accepts: [{ payTo: shop.did, amount: '20000' }],
    })
    expect(unpaid.content[1]?.text).toBe('This call costs money. A program pays with the call')
    expect([runs, taken()]).toEqual([[], 0n])
  })

  it('runs once for a payment, and confirms it', async () => {
    const meta = paymentFor(await mcp.call('draw', { text: 'b' }))
    const paid = await mcp.call('draw', { text: 'b' }, meta)
    expect(paid.structuredContent).toEqual({ drawing: '<b>' })
    expect(paid._meta).toMatchObject({
      'x402/payment-response': { success: true },
      'dev.eep/receipt': { receipt_id: expect.any(String) },
    })
    expect([runs, taken()]).toEqual([['b'], 20_000n])
  })

  it('never runs or charges twice for twenty calls with one payment', async () => {
    const meta = paymentFor(await mcp.call('draw', { text: 'c' }))
    const answers = await Promise.all(Array.from({ length: 20 }, () => mcp.call('draw', { text: 'c' }, meta)))
    expect(answers.some(({ structuredContent }) => structuredContent?.drawing === '<c>')).toBe(true)
    expect([runs, taken()]).toEqual([['c'], 20_000n])
  })

  it('does not sell other arguments for a payment', async () => {
    const meta = paymentFor(await mcp.call('draw', { text: 'd' }))
    expect((await mcp.call('draw', { text: 'd' }, meta)).structuredContent).toEqual({ drawing: '<d>' })
    const other = await mcp.call('draw', { text: 'other' }, meta)
    expect(other.isError).toBe(true)
    expect([runs, taken()]).toEqual([['d'], 20_000n])
  })

  it('has the price of its arguments, so that a payment for cheap ones does not buy expensive ones', async () => {
    const cheap = await mcp.call('draw_by_length', { text: 'e' })
    expect(cheap.structuredContent).toMatchObject({ accepts: [{ amount: '10000' }] })
    const dear = await mcp.call('draw_by_length', { text: 'eeee' }, paymentFor(cheap))
    expect(dear.structuredContent).toMatchObject({ accepts: [{ amount: '40000' }] })
    expect([runs, taken()]).toEqual([[], 0n])
  })

  it('costs nothing when the arguments are wrong', async () => {
    const meta = paymentFor(await mcp.call('draw', { text: 'f' }))
    expect(errorCodeOf(await mcp.call('draw', { text: 1 }, meta))).toBe('validation_failed')
    expect([runs, taken()]).toEqual([[], 0n])
  })

  it('is charged after its result with charge: after, and not at all when it fails', async () => {
    const meta = paymentFor(await mcp.call('draw_after', { text: 'g' }))
    expect((await mcp.call('draw_after', { text: 'g' }, meta)).structuredContent).toEqual({ drawing: '<g>' })
    expect([runs, taken()]).toEqual([['g'], 20_000n])
    const badly = paymentFor(await mcp.call('draw_badly', { text: 'g' }))
    await expect(mcp.call('draw_badly', { text: 'g' }, badly)).rejects.toMatchObject({ code: -32_603 })
    await soon(() => expect([runs, taken()]).toEqual([['g', 'failed'], 20_000n]))
  })

  it('cannot be reached but by its call', async () => {
    const direct = await client(app).post('/mcp/tools/draw', { name: 'draw', arguments: { text: 'h' } })
    expect(direct.statusCode).toBe(404)
    const named = await client(app).get('/mcp/tools/draw')
    expect(named.statusCode).toBe(404)
  })

  it('is free for the team of the profile that is paid', async () => {
    const key = await newKey(app, shop.headers, { scopes: ['read:content'] })
    const free = await mcpClient(app, key.headers).call('draw', { text: 'i' })
    expect(free.structuredContent).toEqual({ drawing: '<i>' })
    expect([runs, taken()]).toEqual([['i'], 0n])
  })

  it('is described in its offer for catalogues, as a tool that is called by MCP', async () => {
    const { structuredContent } = await mcp.call('draw', { text: 'a' })
    const { extensions } = structuredContent as {
      readonly extensions: { readonly bazaar: DiscoveryExtension & Record<string, unknown> }
    }
    const { inputSchema } = (await mcp.list()).tools.find(({ name }) => name === 'draw') ?? {}
    expect(extensions.bazaar.info.input).toMatchObject({
      type: 'mcp',
      toolName: 'draw',
      description: 'Draws a text',
      transport: 'streamable-http',
      inputSchema: { type: 'object', properties: inputSchema?.properties },
    })
    expect(validateDiscoveryExtension(extensions.bazaar)).toEqual({ valid: true })
    expect(validateDiscoveryExtensionSpec(extensions.bazaar)).toEqual({ valid: true })
  })

  it('has the offer in its output schema, because clients check results that are errors too', async () => {
    const { tools } = await mcp.list()
    expect(tools.find(({ name }) => name === 'draw')?.outputSchema).toMatchObject({ type: 'object', anyOf: [{}, {}] })
  })
})
