import { createCardApp } from '@eep/test/support/cards'
import { publishedClients } from '@eep/test/support/mcp'
import { openShop, SECRET_WORD } from '@eep/test/support/shop'
import { stripe as stripeMethods } from 'mppx/client'
import { McpClient } from 'mppx/mcp/client'
import { afterAll, expect, it } from 'vitest'

// The client of the scheme `Payment` around the published client of MCP, both unmodified.

const test = await createCardApp()
afterAll(() => test.close())
const { app, stripe } = test
const { older } = await publishedClients(app)
afterAll(() => app.server.closeAllConnections())
const shop = await openShop(app, 'seller', { amount: 5, currency: 'usd' })

/** A client that pays with a card. */
async function payer(paymentMethod = 'pm_card_visa') {
  return McpClient.wrap(await older(), {
    methods: [
      stripeMethods({
        paymentMethod,
        createToken: async ({ amount, currency, expiresAt, paymentMethod: card }) =>
          stripe.grant({ paymentMethod: card, currency, maxAmount: Number(amount), expiresAt }).id,
      }),
    ],
  })
}
const readPage = { name: 'read_page', arguments: { url: shop.paid } }

it('lets McpClient.wrap of mppx pay for a page by card, once, with a receipt', async () => {
  const client = await payer()
  const result = await client.callTool(readPage)
  expect(JSON.stringify(result.content)).toContain(SECRET_WORD)
  expect(result.receipt).toMatchObject({ status: 'success', method: 'stripe', challengeId: expect.any(String) })
  expect(stripe.charges()).toHaveLength(1)
})

it('charges nothing for what is free, and for a price that the person declines', async () => {
  const client = await payer()
  const before = stripe.charges().length
  const open = await client.callTool({ name: 'read_page', arguments: { url: shop.open } })
  expect(open.isError).toBeUndefined()
  const declined = client.callTool(readPage, undefined, { onPaymentRequired: async () => false })
  await expect(declined).rejects.toThrow('Payment declined')
  expect(stripe.charges()).toHaveLength(before)
})

it('gives up on a card that is declined', async () => {
  const client = await payer('pm_card_chargeDeclined')
  const before = stripe.charges().length
  const outcome = await client.callTool(readPage).catch((error: unknown) => error)
  expect(JSON.stringify(outcome)).not.toContain(SECRET_WORD)
  expect(stripe.charges()).toHaveLength(before)
})
