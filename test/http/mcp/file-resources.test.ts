import { randomBytes } from 'node:crypto'
import type { Client as ModernClient } from '@modelcontextprotocol/client'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { afterAll, describe, expect, it } from 'vitest'
import { client } from '../../support/client.ts'
import { field, fileOf, PNG, upload } from '../../support/files.ts'
import { mcpClient, publishedClients } from '../../support/mcp.ts'
import { createCashApp, openShop, shopGate } from '../../support/shop.ts'

const test = await createCashApp({ payments: { settlementLeaseMs: 600_000 } })
afterAll(() => test.close())
const { app, cashWallets } = test
const shop = await openShop(app, 'seller')
const uriOf = (id: number) => `eep://profiles.example/files/${id}`
const LARGE = 1_048_577

/** Stores a file of the shop, and sells it unless it is open. */
async function newFile(content: Buffer | string, filename: string): Promise<number> {
  const sent = await upload(app, [field('username', 'seller'), fileOf(content, filename)], shop.headers)
  if (sent.statusCode !== 200) throw new Error(sent.body)
  return sent.json().id
}
const image = await newFile(PNG, 'pixel.png')
const archive = await newFile(randomBytes(500), 'data.bin')
const large = await newFile(randomBytes(LARGE), 'large.bin')
const text = await newFile('Hello.', 'notes.txt')
const sold = await newFile(randomBytes(600), 'sold.bin')
const soldLarge = await newFile(randomBytes(LARGE), 'sold-large.bin')
const { tiers: _, ...gate } = shopGate()
const price = { type: 'payment', amount: 0.01, currency: 'usdc', per: 'day' }
const tierOf = (id: number) => ({ label: `File ${id}`, requirements: [price], access: [`files.f${id}`] })
const access = ['profile.*', 'content.*', ...[image, archive, large, text].map((id) => `files.f${id}`)]
await shop.put(`/eep/gates/${shop.did}`, {
  ...gate,
  tiers: { public: { requirements: [], access }, one: tierOf(sold), other: tierOf(soldLarge) },
})

const bytesOf = async (id: number) => (await client(app).get(`/files/${id}`)).rawPayload.toString('base64')
const { older, newer } = await publishedClients(app)
const CLIENTS: readonly (readonly [string, () => Promise<Client | ModernClient>])[] = [
  ['the client of 2025', () => older()],
  ['the client of 2026 by its default', () => newer('legacy')],
  ['the client of 2026 on 2026-07-28', () => newer('auto')],
]

describe.each(CLIENTS)('for %s', (_name, connect) => {
  it('an image and a file without a text are their bytes', async () => {
    const reader = await connect()
    for (const [id, mimeType] of [
      [image, 'image/png'],
      [archive, 'application/octet-stream'],
    ] as const) {
      const { contents } = await reader.readResource({ uri: uriOf(id) })
      expect(contents).toMatchObject([{ uri: uriOf(id), mimeType, blob: await bytesOf(id) }])
    }
  })

  it('a document is its text, and a file above 1 MiB its URL', async () => {
    const reader = await connect()
    expect((await reader.readResource({ uri: uriOf(text) })).contents).toMatchObject([{ text: 'Hello.' }])
    const { contents } = await reader.readResource({ uri: uriOf(large) })
    expect(contents).toMatchObject([
      { mimeType: 'text/plain', text: expect.stringContaining(`https://profiles.example/files/${large}`) },
    ])
    expect(contents[0]).not.toHaveProperty('blob')
  })

  it('a file that is sold asks for its payment, and one that is hidden does not exist', async () => {
    const reader = await connect()
    const refused = await reader.readResource({ uri: uriOf(sold) }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: expect.any(Number), data: { httpStatus: 402, x402: { x402Version: 2 } } })
    await expect(reader.readResource({ uri: uriOf(999_999) })).rejects.toMatchObject({ code: -32_602 })
  })
})

describe('a payment', () => {
  const mcp = mcpClient(app)
  const money = () => cashWallets.balance(shop.did)
  async function payFor(id: number) {
    const { error } = await mcp.ask('resources/read', { uri: uriOf(id) })
    const terms = Buffer.from(JSON.stringify(error?.data?.x402)).toString('base64')
    const { 'payment-signature': signature = '' } = cashWallets.answer(terms)
    const payment: unknown = JSON.parse(Buffer.from(signature, 'base64').toString())
    const params = { uri: uriOf(id), _meta: { 'x402/payment': payment } }
    return { signature, answer: await mcp.ask('resources/read', params) }
  }

  it('opens the bytes of a file, with its receipt', async () => {
    const before = money()
    const { answer } = await payFor(sold)
    expect(answer.result).toMatchObject({
      contents: [{ mimeType: 'application/octet-stream', blob: expect.any(String) }],
      _meta: { 'x402/payment-response': { success: true } },
    })
    expect(money() - before).toBe(10_000n)
  })

  it('stays unspent for a file that is too large, and pays for its URL', async () => {
    const before = money()
    const { signature, answer } = await payFor(soldLarge)
    const text = expect.stringMatching(new RegExp(`/files/${soldLarge} The payment was not taken`))
    expect(answer.result).toMatchObject({ contents: [{ text }] })
    expect(money()).toBe(before)
    const bought = await client(app).get(`/files/${soldLarge}`, { 'payment-signature': signature })
    expect([bought.statusCode, bought.rawPayload.length, money() - before]).toEqual([200, LARGE, 10_000n])
  })
})

it('a file of a profile that the caller may not see does not exist', async () => {
  await shop.put(`/profiles/${shop.profileId}/visibility`, { visibility: 'private' })
  for (const id of [image, sold, large]) {
    expect(await mcpClient(app).ask('resources/read', { uri: uriOf(id) })).toMatchObject({
      error: { code: -32_602, message: 'The resource does not exist' },
    })
  }
})
