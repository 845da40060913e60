import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineTool } from '@eep/core/mcp'
import { defineModule } from '@eep/core/module'
import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import { createTestApp } from '../../support/app.ts'
import { held, openCashShops } from '../../support/cash-shops.ts'
import { mcpClient, type ToolResult } from '../../support/mcp.ts'
import { SECRET_WORD, type Shop } from '../../support/shop.ts'

const { test, shopOf, moneyOf } = await openCashShops()
const { app, cashWallets } = test
afterAll(() => app.server.closeAllConnections())
await app.listen({ port: 0, host: '127.0.0.1' })
const anonymous = mcpClient(app)

const textOf = ({ content }: ToolResult) => content[0]?.text ?? ''
const read = (url: string, meta?: object, more: object = {}) => anonymous.call('read_page', { url, ...more }, meta)

/** Signs a payment for a page, as `_meta` of the call. */
async function paymentFor({ paid }: Shop) {
  const terms = Buffer.from(JSON.stringify((await read(paid)).structuredContent)).toString('base64')
  const { 'payment-signature': signature = '' } = cashWallets.answer(terms)
  return { 'x402/payment': JSON.parse(Buffer.from(signature, 'base64').toString()) as object }
}

/** Sends a message on a separate connection. */
async function send(at: typeof app, params: object) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const head = [
    'POST /mcp HTTP/1.1',
    'Host: profiles.example',
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  const socket = connect((at.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  return socket
}

it('serves a payment for one request again, free, when the connection closed before its result was sent', async () => {
  const shop = await shopOf({ per: 'request' })
  const meta = await paymentFor(shop)
  const { promise, release } = held()
  cashWallets.next('settle', { hold: promise })
  const settled = cashWallets.calls.filter((call) => call === 'settle').length
  const arrived = once(app.server, 'connection')
  const socket = await send(app, { name: 'read_page', arguments: { url: shop.paid }, _meta: meta })
  const [peer] = await arrived
  await expect.poll(() => cashWallets.calls.filter((call) => call === 'settle').length).toBe(settled + 1)
  const gone = once(peer, 'close')
  socket.destroy()
  await gone
  release()
  await expect.poll(() => moneyOf(shop)).toBe(10_000n)
  // The first delivery may still end, for which the same payment waits.
  await sleep(200)
  expect(textOf(await read(shop.paid, meta))).toContain(SECRET_WORD)
  expect(moneyOf(shop)).toBe(10_000n)
  expect((await read(shop.paid, meta)).isError).toBe(true)
})

it('delivers a payment for one request once when its result was sent', async () => {
  const shop = await shopOf({ per: 'request' })
  const meta = await paymentFor(shop)
  expect(textOf(await read(shop.paid, meta))).toContain(SECRET_WORD)
  await expect.poll(async () => (await read(shop.paid, meta)).isError).toBe(true)
})

it('never cuts a text that was paid for with its call', async () => {
  const shop = await shopOf({ per: 'request' })
  const paid = await read(shop.paid, await paymentFor(shop), { max_chars: 5 })
  expect(textOf(paid)).toContain(SECRET_WORD)
  expect(paid._meta?.['dev.eep/text']).not.toHaveProperty('next_offset')
  expect(textOf(await read(shop.open, undefined, { max_chars: 5 }))).toContain('more characters')
})

it('finishes the calls that run when the service stops', async () => {
  let starts = 0
  const slow = defineModule({
    name: 'slow',
    mcp: () => ({
      tools: [
        defineTool({
          name: 'wait',
          title: 'Wait',
          description: 'Waits',
          input: z.object({}),
          output: z.object({ done: z.boolean() }),
          run: async () => {
            starts++
            await sleep(500)
            return { done: true }
          },
        }),
      ],
    }),
  })
  const { app: stopping, close } = await createTestApp({ modules: [slow] })
  await stopping.listen({ port: 0, host: '127.0.0.1' })
  const socket = await send(stopping, { name: 'wait', arguments: {} })
  let received = ''
  socket.setEncoding('utf8').on('data', (text) => {
    received += text
  })
  await expect.poll(() => starts).toBe(1)
  const ended = once(socket, 'close')
  await Promise.all([close(), ended])
  expect(received).toMatch(/^HTTP\/1.1 200 /)
  expect(received).toContain('"done":true')
})
