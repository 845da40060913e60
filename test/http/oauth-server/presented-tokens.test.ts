import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { login, PASSWORD, signUp } from '../../support/accounts.ts'
import { PUBLIC_URL } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { bearer, connect, credentialText } from '../../support/oauth-server.ts'
import { createCashApp, header, openShop, type Shop } from '../../support/shop.ts'

let now = new Date()
let service: Awaited<ReturnType<typeof createCashApp>>
let shop: Shop
let buyer: Shop
const METADATA = `${PUBLIC_URL}/.well-known/oauth-protected-resource`

beforeAll(async () => {
  service = await createCashApp({ clock: () => now })
  shop = await openShop(service.app, 'seller')
  buyer = await openShop(service.app, 'buyer')
})
afterAll(() => service.close())

const get = (path: string, headers: Record<string, string> = {}) => client(service.app).get(path, headers)
const read = (path: string, headers: Record<string, string> = {}) =>
  get(path, { accept: 'application/json', ...headers })
const errorOf = (response: { json(): { error: { code: string } } }) => response.json().error.code

describe('a token of an app', () => {
  it('asks anonymous callers to connect, on routes that need a caller: where the metadata is, and what to ask for', async () => {
    const response = await get('/manage/pages?profile_id=1')
    expect(response.statusCode).toBe(401)
    expect(header(response, 'www-authenticate')).toBe(
      `Bearer resource_metadata="${METADATA}", scope="read:profiles read:content read:files read:feed"`,
    )
  })

  it('is refused by name on every route, also where anonymous visitors may read, when it is not valid', async () => {
    for (const path of ['/auth/me', shop.open, shop.paid, '/u/nobody-has-this-name']) {
      const response = await read(path, bearer(credentialText('eepa_')))
      expect([path, response.statusCode, errorOf(response)]).toEqual([path, 401, 'invalid_token'])
      expect(header(response, 'www-authenticate')).toContain('error="invalid_token"')
      expect(header(response, 'www-authenticate')).toContain(`resource_metadata="${METADATA}"`)
    }
  })

  it('never falls back to the cookie beside it', async () => {
    const session = (await login(service.app, 'seller@example.com', PASSWORD)).json<{ token: string }>().token
    const cookie = `__Host-eep_session=${session}`
    expect((await get('/auth/me', { cookie })).statusCode).toBe(200)
    expect((await get('/auth/me', { cookie, ...bearer(credentialText('eepa_')) })).statusCode).toBe(401)
  })

  it('is asked for nothing by a 402, whose challenges are those of payments', async () => {
    const response = await read(shop.paid)
    expect(response.statusCode).toBe(402)
    expect(header(response, 'www-authenticate')).not.toContain('Bearer')
  })

  it('without the scope of a public route reads as an anonymous visitor what is open, and learns of the scope where one pays', async () => {
    const { access_token: token } = await connect(service, buyer, { scopes: ['read:feed'] })
    expect((await read(shop.open, bearer(token))).statusCode).toBe(200)
    for (const path of [shop.paid, `${shop.contents}/nothing-here`]) {
      const response = await read(path, bearer(token))
      expect([path, response.statusCode, errorOf(response)]).toEqual([path, 403, 'insufficient_scope'])
      expect(header(response, 'www-authenticate')).toBe(
        `Bearer error="insufficient_scope", scope="read:feed read:content", resource_metadata="${METADATA}", error_description="Allow it at ${PUBLIC_URL}/account/apps or connect again"`,
      )
    }
  })

  it('may not pay without the scope for it, and the payment stays unspent', async () => {
    const { access_token: token } = await connect(service, buyer, { scopes: ['read:content'] })
    const refusal = await read(shop.paid, bearer(token))
    expect(refusal.statusCode).toBe(402)
    const payment = service.cashWallets.answer(header(refusal, 'payment-required'), { wallet: 'wallet:stranger' })
    const refused = await read(shop.paid, { ...bearer(token), ...payment })
    expect([refused.statusCode, errorOf(refused)]).toEqual([403, 'insufficient_scope'])
    expect(header(refused, 'www-authenticate')).toContain('scope="read:content spend:payments"')
    expect((await read(shop.paid, payment)).statusCode).toBe(200)
  })

  it('pays for no account without the scope of what it pays for, in the request and at the route that settles', async () => {
    const { access_token: token } = await connect(service, buyer, { scopes: ['read:feed'] })
    const other = await signUp(service.app)
    const paying = await connect(service, other, { scopes: ['spend:payments'] })
    const payment = service.cashWallets.answer(header(await read(shop.paid), 'payment-required'), {
      wallet: 'wallet:nobody',
    })
    const settle = (as: string) =>
      client(service.app).post(
        '/eep/payment/x402/settle',
        { payment_signature: payment['payment-signature'], did: shop.did, resource: shop.paid },
        bearer(as),
      )
    for (const refused of [await read(shop.paid, { ...bearer(token), ...payment }), await settle(token)]) {
      expect([refused.statusCode, errorOf(refused)]).toEqual([403, 'insufficient_scope'])
      expect(header(refused, 'www-authenticate')).toContain('scope="read:feed spend:payments read:content"')
    }
    expect((await settle(paying.access_token)).statusCode).not.toBe(403)
    expect((await read(shop.paid, bearer(paying.access_token))).statusCode).toBe(200)
  })

  it('cannot rename a profile, and one of a single profile reaches no other and creates none', async () => {
    const scopes = ['read:profiles', 'write:profiles', 'read:content']
    const { access_token: token } = await connect(service, buyer, { scopes, profileId: buyer.profileId })
    const put = (path: string, body: object) => client(service.app).put(path, body, bearer(token))
    const renamed = await put('/profiles/u/buyer', { username: 'another-name' })
    expect([renamed.statusCode, errorOf(renamed)]).toEqual([403, 'session_required'])
    expect((await put('/profiles/u/buyer', { bio: 'Written by an app.' })).statusCode).toBe(200)
    expect((await put('/profiles/u/seller', { bio: 'Not mine.' })).statusCode).toBe(403)
    const made = await client(service.app).post(
      '/profiles',
      { profile_type: 'place', username: 'elsewhere', type_data: {} },
      bearer(token),
    )
    expect([made.statusCode, errorOf(made)]).toEqual([403, 'session_required'])
  })

  it('for one resource is refused at another', async () => {
    const { access_token: token } = await connect(service, buyer, { resources: [`${PUBLIC_URL}/mcp`] })
    const response = await read(shop.open, bearer(token))
    expect([response.statusCode, errorOf(response)]).toEqual([401, 'invalid_token'])
  })

  it('that pays buys for the account, and buys nothing again after it has expired', async () => {
    const { access_token: token } = await connect(service, buyer, { scopes: ['read:content', 'spend:payments'] })
    const refusal = await read(shop.other, bearer(token))
    const payment = service.cashWallets.answer(header(refusal, 'payment-required'))
    const paid = await read(shop.other, { ...bearer(token), ...payment })
    expect([paid.statusCode, paid.body.slice(0, 200)]).toEqual([200, expect.any(String)])
    // The account has it, so another app of it reads it.
    const { access_token: second } = await connect(service, buyer, { scopes: ['read:content'] })
    expect((await read(shop.other, bearer(second))).statusCode).toBe(200)
    now = new Date(now.getTime() + 3_700_000)
    const expired = await read(shop.other, bearer(token))
    expect([expired.statusCode, errorOf(expired)]).toEqual([401, 'invalid_token'])
    expect(header(expired, 'payment-required')).toBe('')
  })
})
