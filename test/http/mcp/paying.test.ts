import { describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { newKey } from '../../support/api-keys.ts'
import { openCashShops } from '../../support/cash-shops.ts'
import { client } from '../../support/client.ts'
import { errorCodeOf, mcpClient, type ToolResult } from '../../support/mcp.ts'
import { SECRET_WORD } from '../../support/shop.ts'

const { test, shopOf, moneyOf } = await openCashShops()
const { app } = test
const anonymous = mcpClient(app)

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const decoded = (text: string): object => JSON.parse(Buffer.from(text, 'base64').toString())

/** Signs a payment for the terms in a result, as `_meta` of the repeated call. */
async function paymentFor(terms: unknown) {
  const { 'payment-signature': signature = '' } = await test.cashWallets.answer(encoded(terms))
  return { 'x402/payment': decoded(signature) }
}
const read = (url: string, meta?: object, mcp = anonymous) => mcp.call('read_page', { url }, meta)
const textOf = ({ content }: ToolResult) => content[0]?.text ?? ''

it('marks the tools whose results can have a price in the list, and names no price', async () => {
  const { tools } = await anonymous.list()
  const marked = tools.filter(({ _meta }) => _meta?.x402 !== undefined)
  expect(marked.map(({ name }) => name)).toEqual(expect.arrayContaining(['read_page', 'fetch', 'read_file_text']))
  expect(marked.map(({ _meta }) => _meta?.x402)).toEqual(marked.map(() => ({ paymentRequired: true })))
  for (const free of ['get_price', 'get_account']) expect(marked.map(({ name }) => name)).not.toContain(free)
})

describe('a page that is sold', () => {
  it('asks for a payment in the form of x402 over tools, without a challenge to sign in', async () => {
    const shop = await shopOf()
    const unpaid = await read(shop.paid)
    expect(unpaid.isError).toBe(true)
    expect(unpaid.structuredContent).toMatchObject({ x402Version: 2, accepts: [{ payTo: shop.did }] })
    expect(JSON.parse(textOf(unpaid))).toEqual(unpaid.structuredContent)
    expect(JSON.stringify(unpaid)).not.toContain(SECRET_WORD)
    const request = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'read_page', arguments: { url: shop.paid } },
    }
    const response = await anonymous.post(request)
    expect([response.statusCode, response.headers['www-authenticate']]).toEqual([200, undefined])
  })

  it('answers clients of the extension of 2026 with payment_required', async () => {
    const shop = await shopOf()
    const params = { name: 'read_page', arguments: { url: shop.paid } }
    const { result } = await anonymous.askModern('tools/call', params, { extensions: { 'org.x402/payment': {} } })
    expect(result).toMatchObject({ resultType: 'payment_required', paymentRequired: { x402Version: 2 } })
    const { result: plain } = await anonymous.askModern('tools/call', params)
    expect(plain).toMatchObject({ resultType: 'complete', isError: true })
  })

  it('is read with a payment in the call, which is taken once, and has its receipts', async () => {
    const shop = await shopOf({ amount: 0.02 })
    const meta = await paymentFor((await read(shop.paid)).structuredContent)
    const paid = await read(shop.paid, meta)
    expect(textOf(paid)).toContain(SECRET_WORD)
    expect(paid._meta).toMatchObject({
      'x402/payment-response': { success: true },
      'dev.eep/receipt': { receipt_id: expect.any(String), url: expect.stringContaining('/eep/payment/receipts/') },
    })
    expect(textOf(await read(shop.paid, meta))).toContain(SECRET_WORD)
    expect(moneyOf(shop)).toBe(20_000n)
  })

  it('is taken once for twenty calls with one payment at a time', async () => {
    const shop = await shopOf({ amount: 0.03 })
    const meta = await paymentFor((await read(shop.paid)).structuredContent)
    const answers = await Promise.all(Array.from({ length: 20 }, () => read(shop.paid, meta)))
    const outcomes = new Set(answers.map((answer) => (answer.isError ? errorCodeOf(answer) : 'read')))
    expect(outcomes).toContain('read')
    outcomes.delete('read')
    outcomes.delete('settlement_pending')
    expect([...outcomes]).toEqual([])
    expect(moneyOf(shop)).toBe(30_000n)
  })

  it('opens over HTTP for the account that bought it here, and the reverse', async () => {
    const shop = await shopOf()
    const reader = await signUp(app)
    const key = await newKey(app, reader.headers, { scopes: ['read:content', 'read:payments'] })
    const own = mcpClient(app, key.headers)
    const meta = await paymentFor((await read(shop.paid, undefined, own)).structuredContent)
    expect(textOf(await read(shop.paid, meta, own))).toContain(SECRET_WORD)
    expect((await client(app).get(shop.paid, key.headers)).body).toContain(SECRET_WORD)
    expect(textOf(await read(shop.paid, undefined, own))).toContain(SECRET_WORD)
    expect((await read(shop.paid)).isError).toBe(true)
  })

  it('keeps a signature unspent when the price was raised, and asks for the new one', async () => {
    const shop = await shopOf({ amount: 0.01 })
    const meta = await paymentFor((await read(shop.paid)).structuredContent)
    const gate = {
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['profile.*'] },
        reader: {
          label: 'Reader',
          requirements: [{ type: 'payment', amount: 5, currency: 'usdc', per: 'day' }],
          access: ['content.notes.*'],
        },
      },
    }
    await shop.put(`/eep/gates/${shop.did}`, gate)
    const refused = await read(shop.paid, meta)
    expect(refused.isError).toBe(true)
    expect(refused.structuredContent).toMatchObject({ x402Version: 2 })
    expect(moneyOf(shop)).toBe(0n)
  })
})

describe('payments in calls', () => {
  it('are refused when there are two of them, or one cannot be read', async () => {
    const shop = await shopOf()
    for (const [meta, error] of [
      [{ 'x402/payment': {}, 'org.paymentauth/credential': {} }, 'ambiguous_payment'],
      [{ 'x402/payment': 'text' }, 'malformed_credential'],
      [{ 'org.paymentauth/credential': { challenge: 1 } }, 'malformed_credential'],
    ] as const) {
      const answer = await anonymous.ask('tools/call', {
        name: 'read_page',
        arguments: { url: shop.paid },
        _meta: meta,
      })
      expect(answer.error).toMatchObject({ code: -32_602, data: { error } })
    }
  })

  it('are not read from headers of the request', async () => {
    const shop = await shopOf()
    const { 'x402/payment': payment } = await paymentFor((await read(shop.paid)).structuredContent)
    const paying = mcpClient(app, { 'payment-signature': encoded(payment) })
    expect((await read(shop.paid, undefined, paying)).isError).toBe(true)
    expect(moneyOf(shop)).toBe(0n)
  })

  it('stay unspent in tools that show prices and lists', async () => {
    const shop = await shopOf()
    const price = await anonymous.call('get_price', { url: shop.paid })
    expect(price.structuredContent).toMatchObject({ access: 'payment_required', payment_required: { x402Version: 2 } })
    const meta = await paymentFor(price.structuredContent?.payment_required)
    expect((await anonymous.call('get_price', { url: shop.paid }, meta)).structuredContent).toMatchObject({
      access: 'payment_required',
    })
    expect(moneyOf(shop)).toBe(0n)
    expect((await anonymous.call('get_price', { url: shop.open })).structuredContent).toMatchObject({ access: 'open' })
  })
})

describe('the response cache', () => {
  it('never answers one caller of a tool with what another one may read, in any order', async () => {
    const shop = await shopOf()
    const buyer = await signUp(app)
    const key = await newKey(app, buyer.headers, { scopes: ['read:content', 'read:payments'] })
    const [stranger, own] = [anonymous, mcpClient(app, key.headers)]
    const first = await read(shop.paid)
    const meta = await paymentFor((await read(shop.paid, undefined, own)).structuredContent)
    const bought = await read(shop.paid, meta, own)
    const again = await Promise.all([
      read(shop.paid, undefined, own),
      read(shop.paid, undefined, stranger),
      read(shop.paid, undefined, own),
      read(shop.paid, undefined, stranger),
    ])
    expect(again.map((each) => textOf(each).includes(SECRET_WORD))).toEqual([true, false, true, false])
    expect(textOf(again[0] as ToolResult)).toBe(textOf(bought))
    expect(first.isError).toBe(true)
  })
})
