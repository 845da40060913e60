import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineTool } from '@eep/core/mcp'
import { defineError, defineModule } from '@eep/core/module'
import { cashRail } from '@eep/core/testing'
import { startFakeStripe } from '@eep/payments-card/testing'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp } from '../../support/app.ts'
import { cardRailOn } from '../../support/cards.ts'
import { held } from '../../support/cash-shops.ts'
import { errorCodeOf, mcpClient, type ToolResult } from '../../support/mcp.ts'
import { createCashApp, openShop } from '../../support/shop.ts'
import { soon } from '../../support/wait.ts'

const notDrawable = defineError('not_drawable', 422, 'This text cannot be drawn')

/** What a result asks for in the scheme `Payment`. */
interface Required {
  readonly challenges: readonly object[]
}

/** What the tool does next. */
let draw: (text: string) => Promise<object>
const runs: string[] = []
const definition = {
  name: 'draw',
  title: 'Draw',
  description: 'Draws a text',
  input: z.strictObject({ text: z.string().max(100), size: z.int().optional() }),
  output: z.object({ drawing: z.string() }),
  readOnly: false,
  price: { amount: 0.02, currency: 'usdc', per: 'request' },
  profile: 'did:web:profiles.example:u:seller',
  async run({ text }: { text: string }) {
    runs.push(text)
    await draw(text)
    return { drawing: `<${text}>` }
  },
} as const
const drawing = (more: object = {}) =>
  defineModule({ name: 'drawing', mcp: () => ({ tools: [defineTool({ ...definition, ...more })] }) })

const test = await createCashApp({ modules: [drawing()], payments: { settlementLeaseMs: 600_000 } })
afterAll(() => test.close())
const { app, cashWallets } = test
afterAll(() => app.server.closeAllConnections())
await app.listen({ port: 0, host: '127.0.0.1' })
const shop = await openShop(app, 'seller')
const mcp = mcpClient(app)
let before = 0n
beforeEach(() => {
  runs.length = 0
  draw = async () => ({})
  before = cashWallets.balance(shop.did)
})
const taken = () => cashWallets.balance(shop.did) - before

/** Signs a payment for the terms in a result, as `_meta` of the call. */
function paymentFor({ structuredContent }: ToolResult) {
  const terms = Buffer.from(JSON.stringify(structuredContent)).toString('base64')
  const { 'payment-signature': signature = '' } = cashWallets.answer(terms)
  return { 'x402/payment': JSON.parse(Buffer.from(signature, 'base64').toString()) as object }
}

/** Starts a call on its own connection. */
async function callOnConnection(at: TestApp, params: object) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const socket = connect((at.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  const head = ['POST /mcp HTTP/1.1', 'Host: profiles.example', 'Content-Type: application/json']
  const accept = 'Accept: application/json, text/event-stream'
  socket.write(`${[...head, accept, `Content-Length: ${Buffer.byteLength(body)}`].join('\r\n')}\r\n\r\n${body}`)
  return socket
}

describe('a price of a tool', () => {
  const start = (more: object, rails = [cashRail()]) => createTestApp({ modules: [drawing(more)], payments: { rails } })

  it.each([
    [{ price: { ...definition.price, currency: 'jpy' } }, 'No configured payment method takes 0.02 jpy'],
    [{ price: { ...definition.price, amount: -1 } }, 'The price of "tools.draw" is not valid: amount'],
    [{ charge: 'later' }, 'charge must be before or after'],
  ])('stops the start with an error that names tool and option: %j', async (more, message) => {
    await expect(start(more)).rejects.toThrow(message)
    await expect(start(more)).rejects.toThrow('The tool "draw" cannot be sold')
  })

  it('stops the start without a rail, and without a profile that is paid', async () => {
    await expect(start({}, [])).rejects.toThrow('The tool "draw" cannot be sold: The option price needs a payment rail')
    await expect(start({ profile: undefined })).rejects.toThrow('The tool "draw" has a price, but no profile')
  })
})

describe('the offer of a tool', () => {
  it('has no header or member of the request that the service sent to itself', async () => {
    const params = { name: 'draw', arguments: { text: 'a' } }
    const { headers, body } = await mcp.post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const names = Object.keys(headers)
    expect(names).not.toContain('x-eep-gates-config')
    for (const name of ['payment-required', 'www-authenticate', 'eep-entity-did']) expect(names).not.toContain(name)
    expect(body).not.toMatch(/gates-config|\/mcp\/tools\//)
  })
})

describe('a payment of a tool', () => {
  it('runs nothing for other arguments while its call runs, and answers its own when that was done', async () => {
    const { promise, release } = held()
    draw = async () => {
      await promise
      return {}
    }
    const meta = paymentFor(await mcp.call('draw', { text: 'cheap' }))
    const first = mcp.call('draw', { text: 'cheap' }, meta)
    await soon(() => expect(runs).toEqual(['cheap']))
    const other = await mcp.call('draw', { text: 'other' }, meta)
    expect(other.isError).toBe(true)
    release()
    expect((await first).structuredContent).toEqual({ drawing: '<cheap>' })
    expect([runs, taken()]).toEqual([['cheap'], 20_000n])
  })

  it('buys the result although the connection closed before it was sent: it is kept, and not made again', async () => {
    const { promise, release } = held()
    draw = async () => {
      await promise
      return {}
    }
    const meta = paymentFor(await mcp.call('draw', { text: 'lost', size: 1 }))
    const arrived = once(app.server, 'connection')
    const socket = await callOnConnection(app, { name: 'draw', arguments: { text: 'lost', size: 1 }, _meta: meta })
    const [peer] = await arrived
    await soon(() => expect(runs).toEqual(['lost']))
    const gone = once(peer, 'close')
    socket.destroy()
    await gone
    release()
    await soon(() => expect(taken()).toBe(20_000n))
    // The first delivery may still end, for which the same payment waits.
    await sleep(200)
    expect((await mcp.call('draw', { text: 'other', size: 1 }, meta)).isError).toBe(true)
    // The order of arguments is not a part of a call.
    const again = await mcp.call('draw', { size: 1, text: 'lost' }, meta)
    expect(again.structuredContent).toEqual({ drawing: '<lost>' })
    expect([runs, taken()]).toEqual([['lost'], 20_000n])
    expect((await mcp.call('draw', { text: 'lost', size: 1 }, meta)).isError).toBe(true)
  })

  it('is used again for a call that failed, without another charge', async () => {
    draw = () => Promise.reject(new Error('a bug'))
    const meta = paymentFor(await mcp.call('draw', { text: 'twice' }))
    await expect(mcp.call('draw', { text: 'twice' }, meta)).rejects.toMatchObject({ code: -32_603 })
    expect(taken()).toBe(20_000n)
    draw = async () => ({})
    await soon(async () => {
      const { structuredContent } = await mcp.call('draw', { text: 'twice' }, meta)
      expect(structuredContent).toEqual({ drawing: '<twice>' })
    })
    expect([runs, taken()]).toEqual([['twice', 'twice'], 20_000n])
  })

  it('is refunded where the rail can, when the tool refused what it was paid for', async () => {
    draw = () => Promise.reject(notDrawable())
    const stripe = await startFakeStripe()
    const priced = { ...definition, price: { amount: 5, currency: 'usd', per: 'request' } }
    const cards = await createTestApp({
      modules: [drawing(priced)],
      payments: { rails: [cardRailOn(stripe)], settlementLeaseMs: 200 },
    })
    onTestFinished(async () => {
      await cards.close()
      await stripe.stop()
    })
    await openShop(cards.app, 'seller', { amount: 5, currency: 'usd' })
    const client = mcpClient(cards.app)
    const unpaid = await client.call('draw', { text: 'odd' })
    const { 'org.paymentauth/payment-required': required } = unpaid._meta ?? {}
    const { challenges } = required as Required
    const payload = { spt: stripe.grant().id }
    const meta = { 'org.paymentauth/credential': { challenge: challenges[0], payload } }
    expect(errorCodeOf(await client.call('draw', { text: 'odd' }, meta))).toBe('not_drawable')
    expect(stripe.charges()).toHaveLength(1)
    await soon(() => expect(stripe.refunds()).toHaveLength(1))
    expect(runs).toEqual(['odd'])
  })
})
