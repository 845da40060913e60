import { defineModule } from '@eep/core/module'
import { afterAll, describe, expect, it } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { errorCodeOf, mcpClient } from '../../support/mcp.ts'
import { bearer, connect } from '../../support/oauth-server.ts'
import { createCashApp, openShop } from '../../support/shop.ts'

const asked: string[] = []
const badges = defineModule({
  name: 'badges',
  authenticate: () => ({
    carrier: { cookie: 'badge' },
    authenticate: async (credential) => {
      asked.push(credential)
      return { accountId: credential }
    },
  }),
})

const service = await createCashApp({ modules: [badges], payments: { settlementLeaseMs: 600_000 } })
const { app, cashWallets } = service
afterAll(() => service.close())
const shop = await openShop(app, 'seller', { per: 'request' })
const uri = `eep://profiles.example${shop.paid}`
const buyer = await signUp(app, 'buyer')
const resources = ['https://profiles.example', 'https://profiles.example/mcp']

/** A connected app with scopes. */
const appWith = async (...scopes: string[]) =>
  mcpClient(app, bearer((await connect(service, buyer, { scopes, resources })).access_token))

const message = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })

/** Signs a payment for the page, as `_meta` of a message. */
async function payment() {
  const unpaid = await mcpClient(app).call('read_page', { url: shop.paid })
  const terms = Buffer.from(JSON.stringify(unpaid.structuredContent)).toString('base64')
  const { 'payment-signature': signature = '' } = cashWallets.answer(terms)
  return { 'x402/payment': JSON.parse(Buffer.from(signature, 'base64').toString()) as object }
}

describe('apps that lack a scope', () => {
  it('get the challenge when they read a resource without the scope of it', async () => {
    const mcp = await appWith('read:feed')
    const response = await mcp.post(message('resources/read', { uri }))
    expect(response.statusCode).toBe(403)
    expect(response.headers['www-authenticate']).toMatch(/^Bearer .*insufficient_scope.*read:content/)
  })

  it('get the challenge when they pay for a resource without spend:payments, and nothing is taken', async () => {
    const mcp = await appWith('read:content')
    const response = await mcp.post(message('resources/read', { uri, _meta: await payment() }))
    expect(response.statusCode).toBe(403)
    expect(response.headers['www-authenticate']).toMatch(/spend:payments/)
    expect(cashWallets.balance(shop.did)).toBe(0n)
  })

  it('get the challenge of tools and resources of anonymous callers also when they ask for progress', async () => {
    const mcp = await appWith('read:feed')
    const _meta = { progressToken: 7 }
    for (const [method, params] of [
      ['tools/call', { name: 'read_page', arguments: { url: shop.paid }, _meta }],
      ['resources/read', { uri, _meta }],
    ] as const)
      expect([method, (await mcp.post(message(method, params))).statusCode]).toEqual([method, 403])
  })
})

describe('a payment that is refused', () => {
  it('is answered with the reason as failure, in tools and in resources', async () => {
    cashWallets.next('settle', { refuse: 'insufficient_funds' })
    const refused = await mcpClient(app).call('read_page', { url: shop.paid }, await payment())
    expect(refused._meta?.['org.paymentauth/payment-required']).toMatchObject({ failure: 'insufficient_funds' })
    cashWallets.next('settle', { refuse: 'insufficient_funds' })
    const { error } = await mcpClient(app).ask('resources/read', { uri, _meta: await payment() })
    expect(error).toMatchObject({ code: -32_043, data: { failure: 'insufficient_funds' } })
    const { error: unpaid } = await mcpClient(app).ask('resources/read', { uri })
    expect(unpaid?.data).not.toHaveProperty('failure')
  })

  it('and one that is missing name the page where a person pays', async () => {
    const unpaid = await mcpClient(app).call('read_page', { url: shop.paid })
    expect(unpaid.content[1]?.text).toContain(`https://profiles.example${shop.paid}`)
    expect(errorCodeOf(unpaid)).toBeUndefined()
  })
})

it('cookies of modules are not read either', async () => {
  const call = message('tools/call', { name: 'get_account', arguments: {} })
  const response = await mcpClient(app, { cookie: `badge=${buyer.account.id}` }).post(call)
  expect([response.statusCode, asked]).toEqual([401, []])
  // Other routes read them.
  const me = await app.inject({ method: 'GET', url: '/auth/me', headers: { cookie: `badge=${buyer.account.id}` } })
  expect([me.statusCode, asked.length]).toEqual([200, 1])
})
