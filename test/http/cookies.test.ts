import { type EepPluginOptions, eep } from '@eep/core'
import { everything } from '@eep/core/everything'
import { githubProvider } from '@eep/core/oauth'
import { cashRail, createCashWallets } from '@eep/core/testing'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newRegistration, register } from '../support/accounts.ts'
import { createTestApp, openStorage } from '../support/app.ts'
import { client } from '../support/client.ts'
import { header, openShop } from '../support/shop.ts'

let database: Awaited<ReturnType<typeof openStorage>>
let second: Awaited<ReturnType<typeof createTestApp>>
const cashWallets = createCashWallets()
const cookies = {
  path: '/second',
  names: {
    session: 'second_session',
    payer: 'second_payer',
    payerProof: 'second_proof',
    oauthState: 'second_state',
    oauthNext: 'second_next',
  },
}

beforeAll(async () => {
  database = await openStorage()
  second = await createTestApp({
    storage: database.storage,
    payments: { rails: [cashRail({ cashWallets })], payerProof: 'signed' },
    oauth: { providers: [githubProvider({ clientId: 'id', clientSecret: 'secret' })] },
    http: { cookies },
  })
})
afterAll(async () => {
  await second.close()
  await database.close()
})

describe('a service with custom cookie names and a custom path', () => {
  it('issues, reads and clears the session cookie under that name and path', async () => {
    const registered = await register(second.app, newRegistration('named'))
    const token = String(registered.cookies[0]?.value)
    expect(registered.cookies).toMatchObject([
      { name: 'second_session', value: expect.stringMatching(/^ey/), path: '/second', httpOnly: true, sameSite: 'Lax' },
    ])

    const me = (name: string) => second.app.inject({ url: '/auth/me', cookies: { [name]: token } })
    expect((await me('second_session')).statusCode).toBe(200)
    expect((await me('eep_session')).statusCode).toBe(401)

    const out = await second.app.inject({ method: 'POST', url: '/auth/logout', cookies: { second_session: token } })
    expect(out.cookies).toMatchObject([{ name: 'second_session', value: '', path: '/second', maxAge: 0 }])
  })

  it('issues the payer cookies under those names and opens paid pages with them', async () => {
    const shop = await openShop(second.app, 'named-shop')
    const offer = await client(second.app).get(shop.paid)
    const paid = await client(second.app).get(shop.paid, cashWallets.answer(header(offer, 'payment-required')))
    expect(paid.statusCode, paid.body).toBe(200)
    expect(paid.cookies.map(({ name, path }) => [name, path])).toEqual([
      ['second_payer', '/second'],
      ['second_proof', '/second'],
      ['eep_purchases', '/second'],
    ])
    const jar = Object.fromEntries(paid.cookies.map(({ name, value }) => [name, value]))
    expect((await second.app.inject({ url: shop.paid, cookies: jar })).statusCode).toBe(200)
    const renamed = { eep_payer: jar.second_payer ?? '', eep_payer_sig: jar.second_proof ?? '' }
    expect((await second.app.inject({ url: shop.paid, cookies: renamed })).statusCode).toBe(402)
  })

  it('issues the OAuth cookies under those names, for the routes of the sign-in only', async () => {
    const begun = await client(second.app).get('/auth/oauth/github?next=/here')
    expect(begun.cookies.map(({ name, path }) => [name, path])).toEqual([
      ['second_state', '/auth/oauth'],
      ['second_next', '/auth/oauth'],
    ])
  })

  it('describes the session cookie by that name in OpenAPI', async () => {
    const { components } = (await client(second.app).get('/docs/openapi.json')).json()
    expect(components.securitySchemes.cookie.name).toBe('second_session')
  })
})

describe('the names of cookies', () => {
  it.each([
    ['https://names.example', '/', '__Host-eep_session'],
    ['https://names.example', '/below', 'eep_session'],
    ['http://localhost:3000', '/', 'eep_session'],
  ])(
    'of a service at %s with the path %s begin with __Host- where browsers accept it',
    async (publicUrl, path, name) => {
      const { app, close } = await createTestApp({ storage: database.storage, publicUrl, http: { cookies: { path } } })
      const { cookies, json } = await register(app, newRegistration())
      expect(cookies).toMatchObject([{ name, path }])
      const me = (cookie: string) => client(app).get('/auth/me', { cookie: `${cookie}=${json().token}` })
      expect((await me(name)).statusCode).toBe(200)
      const other = name === 'eep_session' ? '__Host-eep_session' : 'eep_session'
      expect((await me(other)).statusCode).toBe(401)
      const { components } = (await client(app).get('/docs/openapi.json')).json()
      expect(components.securitySchemes.cookie.name).toBe(name)
      expect((await client(app).get('/discover?format=json')).body).toContain(`Cookie: ${name}"`)
      await close()
    },
  )
})

describe('the cookie options', () => {
  it.each([
    ['a name with a separator', { names: { session: 'a b' } }],
    ['a name with a prefix that browsers restrict', { names: { payer: '__Host-payer' } }],
    ['the same name twice', { names: { payer: 'eep_session' } }],
    ['a path with a slash at the end', { path: '/second/' }],
    ['a path with an attribute in it', { path: '/; Domain=example.com' }],
    ['an unknown name', { names: { basket: 'basket' } }],
  ])('reject %s', async (_, wrong) => {
    const app = Fastify()
    const options = { publicUrl: 'https://a.example', secret: 'x'.repeat(32), storage: database.storage }
    await expect(
      app.register(eep, { modules: everything(), ...options, http: { cookies: wrong } } as EepPluginOptions),
    ).rejects.toThrow(/cookies\b/)
    await app.close()
  })
})
