import { callerOf } from '@eep/core/module'
import { storageUnavailable } from '@eep/core/ports'
import { cashRail, createCashWallets } from '@eep/core/testing'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { signUp } from '../../support/accounts.ts'
import { keyAgent } from '../../support/agents.ts'
import { newKey } from '../../support/api-keys.ts'
import { createTestApp } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { cookieOf, decodeHeader, header } from '../../support/shop.ts'

const PRICE = { amount: 0.05, currency: 'usdc', per: 'day' } as const
const cashWallets = createCashWallets()
let test: Awaited<ReturnType<typeof createTestApp>>
let seller: Awaited<ReturnType<typeof signUp>>
let otherUser: Awaited<ReturnType<typeof signUp>>
let served = 0

beforeAll(async () => {
  const profileOf = () => seller.account.active_profile_id
  test = await createTestApp({ payments: { rails: [cashRail({ cashWallets })] } }, {}, (app) => {
    const { eep } = app
    app.get('/host/me', { preHandler: eep.requireUser }, async (request) => callerOf(request).account.username)
    app.get('/host/files', { preHandler: eep.requireScope('read:files') }, async () => 'files')
    app.put('/host/profile', { preHandler: eep.requirePermission('profile.edit', profileOf) }, async () => 'edited')
    const byKey = eep.requirePermission('profile.edit', profileOf, { scope: 'write:profiles' })
    app.put('/host/profile/by-key', { preHandler: byKey }, async () => 'edited')
    const sold = { profile: profileOf, resource: 'api.quotes', price: PRICE }
    app.get('/host/quotes', { preHandler: eep.requireAccess(sold) }, async () => {
      served += 1
      return { quotes: ['Buy low.'] }
    })
    const forAgents = { ...sold, resource: 'api.agents' }
    app.get('/host/agents', { preHandler: eep.requireAccess(forAgents) }, async () => 'for agents')
    const single = { ...sold, resource: 'api.single', price: { ...PRICE, per: 'request' as const } }
    app.get('/host/single', { preHandler: eep.requireAccess(single) }, async () => 'once')
    const file = { ...single, resource: 'api.file' }
    app.get<{ Querystring: { status: number } }>(
      '/host/file',
      { preHandler: eep.requireAccess(file) },
      async (request, reply) =>
        reply.code(Number(request.query.status)).header('location', '/elsewhere').send('a part'),
    )
    app.post('/host/notes', { preHandler: eep.requireUser }, async () => 'noted')
    app.get('/host/greeting', async (request) => (await eep.authenticate(request))?.account.username ?? 'anonymous')
    app.get('/host/shelf', async (request) => {
      const caller = await eep.authenticate(request, { scope: 'read:files' })
      return caller?.account.username ?? 'anonymous'
    })
  })
  seller = await signUp(test.app)
  otherUser = await signUp(test.app)
})
afterAll(() => test.close())

const { get } = client(() => test.app)
const codeOf = (response: Awaited<ReturnType<typeof get>>) => [response.statusCode, response.json().error.code]

describe('requireUser', () => {
  it('lets sessions pass, and otherwise returns 401 in the error format of the service', async () => {
    const known = await get('/host/me', otherUser.headers)
    expect([known.statusCode, known.body]).toEqual([200, otherUser.account.username])
    expect(known.headers['cache-control']).toBe('private, no-store')
    expect(codeOf(await get('/host/me'))).toEqual([401, 'unauthenticated'])
    expect(codeOf(await get('/host/me', { authorization: 'Bearer nonsense' }))[0]).toBe(401)
  })
})

describe('requireScope', () => {
  it('lets API keys with the scope pass and returns 403 to keys without it', async () => {
    const keyWith = async (scope: string) => ({
      authorization: `Bearer ${(await newKey(test.app, otherUser.headers, { scopes: [scope] })).key}`,
    })
    expect((await get('/host/files', await keyWith('read:files'))).body).toBe('files')
    expect(codeOf(await get('/host/files', await keyWith('read:gates')))).toEqual([403, 'insufficient_scope'])
  })
})

describe('requirePermission', () => {
  it('lets the team of the profile pass and returns 403 to other accounts', async () => {
    const put = (headers: Record<string, string>) => client(test.app).with(headers).put('/host/profile')
    expect((await put(seller.headers)).body).toBe('edited')
    expect((await put(otherUser.headers)).statusCode).toBe(403)
    expect((await put({})).statusCode).toBe(401)
  })

  it('lets an API key of the team pass if it has the scope of the route', async () => {
    const put = (url: string, headers: Record<string, string>) => client(test.app).with(headers).put(url)
    const keyOf = async ({ headers }: typeof seller, scope: string) =>
      (await newKey(test.app, headers, { scopes: [scope] })).headers
    const key = await keyOf(seller, 'write:profiles')
    expect((await put('/host/profile/by-key', key)).body).toBe('edited')
    expect((await put('/host/profile/by-key', seller.headers)).body).toBe('edited')
    expect(codeOf(await put('/host/profile', key))).toEqual([403, 'forbidden'])
    expect(codeOf(await put('/host/profile/by-key', await keyOf(seller, 'read:gates')))).toEqual([
      403,
      'insufficient_scope',
    ])
    expect((await put('/host/profile/by-key', await keyOf(otherUser, 'write:profiles'))).statusCode).toBe(403)
  })
})

describe('requireAccess', () => {
  it('returns 402 with offers, takes one payment, and then lets the payer pass', async () => {
    const asked = await get('/host/quotes')
    expect(codeOf(asked)).toEqual([402, 'payment_required'])
    expect(served).toBe(0)

    const credential = cashWallets.answer(header(asked, 'payment-required'))
    const paid = await get('/host/quotes', credential)
    expect([paid.statusCode, paid.json()]).toEqual([200, { quotes: ['Buy low.'] }])
    expect(header(paid, 'payment-response')).not.toBe('')
    expect(header(paid, 'cache-control')).toBe('private, no-store')
    expect(cashWallets.balance(test.eep.profiles.didOf({ type: 'person', username: seller.account.username }))).toBe(
      50_000n,
    )

    const cookie = `eep_payer=${cookieOf(paid, 'eep_payer')}; __Host-eep_payer_sig=${cookieOf(paid, '__Host-eep_payer_sig')}`
    expect((await get('/host/quotes', { cookie })).statusCode).toBe(200)
    expect((await get('/host/quotes')).statusCode).toBe(402)
  })

  it('asks an account for no payment while it cannot be looked up', async () => {
    const { read } = test.storage
    const outage = vi.spyOn(read.sessions, 'getWithAccount').mockRejectedValue(storageUnavailable())
    const response = await get('/host/quotes', otherUser.headers)
    outage.mockRestore()
    expect([response.statusCode, response.json().error.code]).toEqual([503, 'storage_unavailable'])
    expect(header(response, 'payment-required')).toBe('')
  })

  it('serves one request per payment when each request is paid', async () => {
    const credential = cashWallets.answer(header(await get('/host/single'), 'payment-required'))
    const paid = await get('/host/single', credential)
    expect([paid.statusCode, paid.body]).toEqual([200, 'once'])
    const cookie = `eep_payer=${cookieOf(paid, 'eep_payer')}; __Host-eep_payer_sig=${cookieOf(paid, '__Host-eep_payer_sig')}`
    expect((await get('/host/single', { cookie })).statusCode).toBe(402)
    expect((await get('/host/single', credential)).statusCode).not.toBe(200)
  })

  it.each([201, 206, 302])('counts a response with status %d as the delivery of a paid request', async (status) => {
    const url = `/host/file?status=${status}`
    const credential = cashWallets.answer(header(await get(url), 'payment-required'))
    expect((await get(url, credential)).statusCode).toBe(status)
    await expect.poll(async () => (await get(url, credential)).statusCode).toBe(402)
  })

  it('keeps the delivery of a paid request open after an error', async () => {
    const url = (status: number) => `/host/file?status=${status}`
    const credential = cashWallets.answer(header(await get(url(200)), 'payment-required'))
    expect((await get(url(500), credential)).statusCode).toBe(500)
    await expect.poll(async () => (await get(url(200), credential)).statusCode).toBe(200)
  })

  it('lets the team of the seller read without paying', async () => {
    expect((await get('/host/quotes', seller.headers)).statusCode).toBe(200)
    expect((await get('/host/quotes', otherUser.headers)).statusCode).toBe(402)
  })

  it('refuses an insufficient payment, and serves nothing', async () => {
    const before = served
    const required = JSON.parse(Buffer.from(header(await get('/host/quotes'), 'payment-required'), 'base64').toString())
    required.accepts[0].amount = '1'
    const cheap = cashWallets.answer(Buffer.from(JSON.stringify(required)).toString('base64'))
    expect((await get('/host/quotes', cheap)).statusCode).toBe(402)
    expect(served).toBe(before)
  })
})

describe('hasAccess', () => {
  it('returns true for the team and for buyers of a resource with a fixed price, and false for others', async () => {
    const [buyer, team] = [await signUp(test.app), seller.account.id]
    const ask = (account: string) =>
      test.eep.paywall.hasAccess({
        account,
        profile: seller.account.active_profile_id,
        resource: 'api.quotes',
        price: PRICE,
      })
    expect([await ask(buyer.account.id), await ask('unknown'), await ask(team)]).toEqual([false, false, true])
    const required = header(await get('/host/quotes'), 'payment-required')
    const payment = cashWallets.answer(required, { wallet: 'wallet:account' })
    expect((await get('/host/quotes', { ...buyer.headers, ...payment })).statusCode).toBe(200)
    expect([await ask(buyer.account.id), await ask(otherUser.account.id)]).toEqual([true, false])
  })
})

describe('authenticate', () => {
  it('returns the caller, or undefined for an anonymous request', async () => {
    expect((await get('/host/greeting')).body).toBe('anonymous')
    expect((await get('/host/greeting', seller.headers)).body).toBe(seller.account.username)
    expect((await get('/host/greeting', { authorization: 'Bearer nonsense' })).body).toBe('anonymous')
  })

  it('returns the caller of an API key if the key has the scope', async () => {
    const keyWith = async (scope: string) => (await newKey(test.app, seller.headers, { scopes: [scope] })).headers
    const key = await keyWith('read:files')
    expect((await get('/host/shelf', key)).body).toBe(seller.account.username)
    expect((await get('/host/shelf', seller.headers)).body).toBe(seller.account.username)
    expect((await get('/host/greeting', key)).body).toBe('anonymous')
    expect((await get('/host/shelf', await keyWith('read:gates'))).body).toBe('anonymous')
  })
})

describe('requireAccess of a service below a prefix', () => {
  it('names the URLs of the route of the host and of the gate configuration', async () => {
    const sold = { resource: 'api.quotes', price: PRICE }
    const options = { publicUrl: 'https://shop.example/eep', payments: { rails: [cashRail({ cashWallets })] } }
    const below = await createTestApp(options, {}, (app) => {
      app.register(app.eep.http, { prefix: '/eep', notFound: false })
      const profile = () => app.eep.profiles.didOf({ type: 'person', username: 'quoter' })
      app.get('/quotes', { preHandler: app.eep.requireAccess({ ...sold, profile }) }, async () => 'Buy low.')
    })
    await signUp(below.app, 'quoter')
    const { get } = client(below.app)
    const refused = await get('/quotes?of=today')
    expect(decodeHeader(refused, 'payment-required').resource.url).toBe('https://shop.example/quotes')
    const config = header(refused, 'x-eep-gates-config')
    expect(config).toMatch(/^\/eep\/eep\/gates\//)
    expect((await get(config)).statusCode).toBe(200)
    const page = await get('/quotes', { accept: 'text/html' })
    const links = [...page.body.matchAll(/href="(\/[^"]*)"/g)].map(([, path]) => path)
    expect(links).toContain('/eep/')
    expect(links.filter((path) => !path?.startsWith('/eep/'))).toEqual([])
    const paid = await get('/quotes', cashWallets.answer(header(refused, 'payment-required')))
    expect([paid.statusCode, paid.body]).toEqual([200, 'Buy low.'])
    await below.close()
  })
})

describe('agents that sign requests', () => {
  const path = '/host/agents'

  it('lets agents buy access and use it by their signature', async () => {
    const agent = keyAgent()
    const refused = await get(path, agent.sign({ path }))
    expect([refused.statusCode, refused.headers['x-eep-trust-state']]).toEqual([402, 'cold_start'])
    const payment = cashWallets.answer(header(refused, 'payment-required'))
    expect((await get(path, { ...payment, ...agent.sign({ path }) })).statusCode).toBe(200)
    const again = await get(path, agent.sign({ path }))
    expect([again.statusCode, again.headers['x-eep-trust-state']]).toEqual([200, 'standard'])
    // Without the signature the name proves nothing.
    expect((await get(path, { 'eep-agent-did': agent.did })).statusCode).toBe(402)
  })

  it('rejects agents with an invalid signature or a used nonce, even with a session', async () => {
    const [agent, other] = [keyAgent(), keyAgent()]
    const forged = { ...other.sign({ path }), 'eep-agent-did': agent.did }
    expect(codeOf(await get(path, forged))).toEqual([401, 'invalid_signature'])
    const signed = agent.sign({ path })
    expect([(await get(path, signed)).statusCode, codeOf(await get(path, signed))]).toEqual([
      402,
      [401, 'invalid_signature'],
    ])
    const beside = await get('/host/me', { ...otherUser.headers, ...agent.sign({ path }) })
    expect(codeOf(beside)).toEqual([401, 'invalid_signature'])
  })

  it('does not treat agents as accounts', async () => {
    const signed = keyAgent().sign({ path: '/host/me' })
    expect(codeOf(await get('/host/me', signed))).toEqual([401, 'unauthenticated'])
  })

  it('rejects signed requests when the host did not keep the raw body', async () => {
    const body = JSON.stringify({ note: 'mine' })
    const signed = keyAgent().sign({ method: 'POST', path: '/host/notes', body })
    const headers = { ...otherUser.headers, ...signed, 'content-type': 'application/json' }
    const response = await client(test.app).post('/host/notes', body, headers)
    expect(codeOf(response)).toEqual([401, 'invalid_signature'])
  })
})

describe('what requireAccess sells', () => {
  const hookOf = (more: object) => () =>
    test.app.eep.requireAccess({ profile: 1, resource: 'api.checked', price: PRICE, ...more })

  it.each([[-1], [0], [0.000_000_01], [Number.NaN], [1_000_001]])(
    'rejects the amount %d when the hook is made',
    (amount) => {
      expect(hookOf({ price: { ...PRICE, amount } })).toThrow(TypeError)
      expect(hookOf({ price: { ...PRICE, amount } })).toThrow(/price of "api.checked" is not valid: amount/)
    },
  )

  it.each([
    [{ ...PRICE, currency: 'eurr' }, /currency/],
    [{ ...PRICE, per: 'fortnight' }, /per/],
  ])('rejects the price %j when the hook is made', (price, named) => {
    expect(hookOf({ price })).toThrow(named)
  })

  it.each(['content.x', 'files.f1', 'profile', 'public', 'Api/Quotes !', '', 'api..quotes', 'api.*'])(
    'rejects the resource "%s" when the hook is made',
    (resource) => {
      expect(hookOf({ resource })).toThrow(TypeError)
    },
  )

  it('rejects an invalid price in a question about access', async () => {
    const price = { ...PRICE, amount: Number.NaN }
    const asked = test.eep.paywall.hasAccess({ account: 'a', profile: 1, resource: 'api.quotes', price })
    await expect(asked).rejects.toThrow(TypeError)
  })
})

describe('requireAccess on other methods than GET', () => {
  const profile = () => 'did:web:profiles.example:u:poster'

  it('fails the registration of a route with a method that takes no payments', async () => {
    const make = createTestApp({ storage: test.storage }, {}, (app) => {
      const preHandler = app.eep.requireAccess({ profile, resource: 'api.ask', price: PRICE })
      app.post('/api/ask', { preHandler }, async () => 'answered')
    })
    await expect(make).rejects.toThrow('requireAccess takes payments on GET requests only, and guards POST /api/ask')
  })

  it('offers nothing where the hook of a scope guards such a route, and reports that a payment was not taken', async () => {
    const options = { storage: test.storage, payments: { rails: [cashRail({ cashWallets })] } }
    const service = await createTestApp(options, {}, (app) => {
      app.register(async (scope) => {
        scope.addHook('preHandler', app.eep.requireAccess({ profile, resource: 'api.ask', price: PRICE }))
        scope.post('/api/ask', async () => 'answered')
        scope.get('/api/ask', async () => 'answered')
      })
    })
    await signUp(service.app, 'poster')
    const { get, post } = client(service.app)
    const refused = await post('/api/ask', {})
    expect([refused.statusCode, refused.json().inline_retry_supported]).toEqual([402, false])
    expect(refused.json().decoded_payment_required?.accepts ?? []).toEqual([])
    const payment = cashWallets.answer(header(await get('/api/ask'), 'payment-required'))
    const paid = await post('/api/ask', {}, payment)
    expect(paid.statusCode).toBe(402)
    expect(decodeHeader(paid, 'payment-response')).toMatchObject({
      success: false,
      errorReason: 'method_takes_no_payment',
    })
    expect((await get('/api/ask', payment)).body).toBe('answered')
    expect(
      (await post('/api/ask', {}, { cookie: `eep_payer=${cookieOf(await get('/api/ask', payment), 'eep_payer')}` }))
        .body,
    ).toBe('answered')
    await service.close()
  })
})

describe('descriptions of what requireAccess sells', () => {
  it('names the media type of the route in its offers', async () => {
    expect(decodeHeader(await get('/host/quotes'), 'payment-required').resource.mimeType).toBe('application/json')
  })

  it('links the gate that sells the resource', async () => {
    const refused = await get('/host/quotes')
    const { gates_config_url: url } = refused.json()
    const { pathname } = new URL(url)
    expect(header(refused, 'x-eep-gates-config')).toBe(pathname)
    const { tiers } = (await get(pathname)).json()
    expect(tiers.paid).toEqual({ requirements: [{ type: 'payment', ...PRICE }], access: ['api.quotes'] })
    expect((await get(pathname.replace('api.quotes', 'api.unknown'))).statusCode).toBe(404)
  })

  it('lists the routes in OpenAPI, /discover and llms.txt', async () => {
    const { paths } = (await get('/docs/openapi.json')).json()
    expect(paths['/host/quotes'].get).toMatchObject({ servers: [{ url: 'https://profiles.example' }], tags: ['sold'] })
    expect(Object.keys(paths['/host/quotes'].get.responses)).toEqual(expect.arrayContaining(['200', '402']))
    const { sold } = (await get('/discover?format=json')).json()
    expect(sold).toContainEqual({
      method: 'GET',
      url: 'https://profiles.example/host/quotes',
      resource: 'api.quotes',
      description: 'api.quotes',
      mime_type: 'application/json',
      price: { amount: '0.05', currency: 'usdc', per: 'day' },
      seller: null,
    })
    expect((await get('/llms.txt')).body).toContain('`GET https://profiles.example/host/quotes`')
  })
})
