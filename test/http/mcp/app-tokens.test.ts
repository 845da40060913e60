import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type Person, signUp } from '../../support/accounts.ts'
import { newKey } from '../../support/api-keys.ts'
import { PUBLIC_URL } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { errorCodeOf, mcpClient } from '../../support/mcp.ts'
import { BASIC_SCOPES, bearer, connect } from '../../support/oauth-server.ts'
import { createCashApp, header, openShop, SECRET_WORD } from '../../support/shop.ts'

const service = await createCashApp({ withSearch: true })
const { app, cashWallets } = service
afterAll(() => service.close())
const shop = await openShop(app, 'seller', { per: 'request' })
const resources = [PUBLIC_URL, `${PUBLIC_URL}/mcp`, `${PUBLIC_URL}/mcp/account`]
const { scopes_supported: GRANTABLE } = (await client(app).get('/.well-known/oauth-authorization-server')).json()

let person: Person
beforeEach(async () => {
  person = await signUp(app)
})

/** An assistant that the person connected with scopes. */
async function assistantWith(...scopes: string[]) {
  const { access_token: token } = await connect(service, person, { scopes, resources, maySpend: true })
  const call = (name: string, args: object = {}, meta?: object) =>
    mcpClient(app, bearer(token)).post({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args, ...(meta && { _meta: meta }) },
    })
  return { ...mcpClient(app, bearer(token)), token, send: call }
}

/** The parameters of a challenge. */
const challengeOf = (response: Parameters<typeof header>[0]) =>
  Object.fromEntries(
    [...header(response, 'www-authenticate').matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key, value]),
  )

/** A payment of a wallet for the page that is sold, as `_meta` of a call. */
async function payment() {
  const unpaid = await mcpClient(app).call('read_page', { url: shop.paid })
  const terms = Buffer.from(JSON.stringify(unpaid.structuredContent)).toString('base64')
  const { 'payment-signature': signature = '' } = cashWallets.answer(terms)
  return { 'x402/payment': JSON.parse(Buffer.from(signature, 'base64').toString()) as object }
}

describe('the list of tools of a connected app', () => {
  it('has those of its scopes, and none of others', async () => {
    const { names } = await (await assistantWith('read:content', 'read:notifications')).list()
    expect(names).toEqual(expect.arrayContaining(['read_page', 'list_pages', 'list_notifications']))
    for (const name of ['update_page', 'create_page', 'mark_notifications_read', 'list_sales', 'create_post'])
      expect(names).not.toContain(name)
    expect((await (await assistantWith('write:content')).list()).names).toContain('update_page')
  })

  it('has at most 40 of them with all scopes, the same ones each time', async () => {
    const assistant = await assistantWith(...GRANTABLE)
    const { names, result } = await assistant.list()
    expect([names.length, new Set(names).size, result?.nextCursor]).toEqual([40, 40, undefined])
    expect((await assistant.list()).names).toEqual(names)
  })

  it('does not close tools that have no room in it', async () => {
    const assistant = await assistantWith(...GRANTABLE)
    const { names } = await assistant.list()
    expect(names).not.toContain('list_memory_sessions')
    const own = { profile_id: person.account.active_profile_id }
    const { result } = (await assistant.send('list_memory_sessions', own)).json()
    expect(result.isError).toBeUndefined()
  })
})

describe('a tool beyond the scopes of a connected app', () => {
  it.each([
    ['get_account', {}, 'read:profiles'],
    ['list_pages', {}, 'read:content'],
    ['create_page', { title: 'Looms' }, 'write:content'],
    ['list_notifications', {}, 'read:notifications'],
    ['list_sales', {}, 'read:payments'],
    ['create_post', { body: 'Looms' }, 'write:feed'],
  ])('%s %j is 403 with the challenge for the granted scopes and %s', async (name, args, required) => {
    const assistant = await assistantWith('read:feed')
    const response = await assistant.send(name, args)
    expect(response.statusCode).toBe(403)
    expect(response.json().error).toMatchObject({ code: 'insufficient_scope', details: { required: [required] } })
    expect(challengeOf(response)).toMatchObject({
      error: 'insufficient_scope',
      scope: `read:feed ${required}`,
      resource_metadata: `${PUBLIC_URL}/.well-known/oauth-protected-resource/mcp`,
    })
  })

  it('changes nothing when it is called', async () => {
    const assistant = await assistantWith('read:feed')
    await assistant.send('create_post', { body: 'An unwanted post' })
    expect((await client(app).get('/feed')).body).not.toContain('An unwanted post')
  })

  it('is a result with an error for API keys, which cannot ask for more', async () => {
    const key = await newKey(app, person.headers, { scopes: ['read:feed'] })
    const refused = await mcpClient(app, key.headers).call('list_notifications')
    expect([refused.isError, errorCodeOf(refused)]).toEqual([true, 'insufficient_scope'])
  })

  it('works with the same token once the person allowed its scope, and is listed then', async () => {
    const assistant = await assistantWith('read:feed')
    expect((await assistant.send('list_notifications')).statusCode).toBe(403)
    const { data } = (await person.get('/account/apps')).json()
    const scopes = ['read:feed', 'read:notifications']
    expect((await person.put(`/account/apps/${data[0].id}`, { scopes })).statusCode).toBe(200)
    const response = await assistant.send('list_notifications', { profile_id: person.account.active_profile_id })
    expect([response.statusCode, response.json().result.isError]).toEqual([200, undefined])
    expect((await assistant.list()).names).toContain('list_notifications')

    // The reverse takes effect with the next call too.
    await person.put(`/account/apps/${data[0].id}`, { scopes: ['read:feed'] })
    expect((await assistant.send('list_notifications')).statusCode).toBe(403)
  })

  it('is 401 after the person ended the connection', async () => {
    const assistant = await assistantWith('read:feed')
    const { data } = (await person.get('/account/apps')).json()
    await person.delete(`/account/apps/${data[0].id}`)
    const response = await assistant.send('get_feed')
    expect([response.statusCode, challengeOf(response).error]).toEqual([401, 'invalid_token'])
  })
})

describe('/mcp/account', () => {
  it.each([
    ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }],
    ['ping', {}],
    ['tools/list', {}],
    ['tools/call', { name: 'get_profile', arguments: { url: '/u/seller' } }],
    ['resources/read', { uri: 'eep://profiles.example/u/seller' }],
  ])('answers %s without a credential with 401 and the scopes to ask for', async (method, params) => {
    const message = { jsonrpc: '2.0', id: 1, method, params }
    const response = await mcpClient(app, {}, '/mcp/account').post(message)
    expect(response.statusCode).toBe(401)
    const { resource_metadata: address = '' } = challengeOf(response)
    expect(address).toBe(`${PUBLIC_URL}/.well-known/oauth-protected-resource/mcp/account`)
    const metadata = (await client(app).get(new URL(address).pathname)).json()
    expect(metadata.resource).toBe(`${PUBLIC_URL}/mcp/account`)
    expect(metadata.scopes_supported).toEqual(expect.arrayContaining([...BASIC_SCOPES, 'write:content']))
    expect((await mcpClient(app).post(message)).statusCode).toBe(200)
  })

  it('is the same server for a connected app', async () => {
    const { token } = await assistantWith('read:feed')
    const listed = await mcpClient(app, bearer(token), '/mcp/account').list()
    expect(listed.names).toEqual((await mcpClient(app, bearer(token)).list()).names)
    expect(listed.names).toContain('get_feed')
  })
})

describe('a payment of a connected app', () => {
  it('without spend:payments is 403, takes nothing and leaves the signature unspent', async () => {
    const assistant = await assistantWith('read:content')
    const meta = await payment()
    const before = cashWallets.balance(shop.did)
    const response = await assistant.send('read_page', { url: shop.paid }, meta)
    expect([response.statusCode, challengeOf(response).scope]).toEqual([403, 'read:content spend:payments'])
    expect(response.body).not.toContain(SECRET_WORD)
    expect(cashWallets.balance(shop.did)).toBe(before)

    // The person allows it, and the same payment is taken.
    const { data } = (await person.get('/account/apps')).json()
    const allowed = await person.put(`/account/apps/${data[0].id}`, { scopes: ['read:content', 'spend:payments'] })
    expect(allowed.statusCode).toBe(200)
    expect((await assistant.send('read_page', { url: shop.paid }, meta)).body).toContain(SECRET_WORD)
    expect(cashWallets.balance(shop.did)).toBeGreaterThan(before)
  })
})
