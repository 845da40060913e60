import { Readable } from 'node:stream'
import { memory } from '@eep/core/memory'
import { defineEvent, defineMessages, defineModule, profiles, routeConfig } from '@eep/core/module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { signUp } from '../../support/accounts.ts'
import { createTestApp, type TestAppOptions } from '../../support/app.ts'
import { client } from '../../support/client.ts'
import { createMailbox, tokenIn } from '../../support/mailbox.ts'
import { ordersModule } from '../../support/orders-module.ts'

const quoteAsked = defineEvent('quotes.quote_asked', {
  audience: 'team',
  subject: 'profile',
  data: z.object({ text: z.string() }),
  summary: 'Someone asked a profile for a quote',
})

/** Notes what the service does with the module. */
function createQuotes() {
  const seen: string[] = []
  let answers = true
  const quotes = defineModule({
    name: 'quotes',
    requires: [profiles],
    stores: ['connections'],
    events: [quoteAsked],
    scopes: ['write:quotes'],
    limits: { quotes: 7 },
    create: ({ write }, { profiles: known }) => ({
      quotes: {
        async ask(username: string, text: string) {
          const profile = await known.find('person', username)
          await write(async (_tx, emit) => emit(quoteAsked, { text }, { profileId: profile.id }))
          return profile.username
        },
      },
    }),
    routes(app, { quotes: service }) {
      app.post(
        '/quotes/:username',
        {
          config: routeConfig({
            auth: 'key',
            scope: 'write:quotes',
            limit: 'quotes',
            tag: 'quotes',
            summary: 'Ask a profile for a quote',
            operationId: 'askForQuote',
          }),
          schema: {
            params: z.object({ username: z.string() }),
            body: z.strictObject({ text: z.string().max(100) }),
            response: { 200: z.object({ asked: z.string() }) },
          },
        },
        async (request) => ({ asked: await service.ask(request.params.username, request.body.text) }),
      )
    },
    workers: (_services, { listen }) => {
      let unlisten: (() => void) | undefined
      return [
        {
          start() {
            seen.push('worker started')
            unlisten = listen(({ type, data }) => {
              if (type === quoteAsked.type) seen.push(`asked: ${data.text}`)
            })
          },
          async stop() {
            unlisten?.()
            seen.push('worker stopped')
          },
        },
      ]
    },
    readiness: () => [
      {
        name: 'quote-provider',
        async ping() {
          if (!answers) throw new Error('no answer')
        },
      },
    ],
    eraseAccount: () => ({
      async before({ id }) {
        seen.push(`before the erasure of ${id}`)
      },
      async within(_tx, { id, profiles: owned }) {
        seen.push(`erased ${id} with ${owned.length} profile`)
      },
    }),
    takeOverAccount: async (_tx, _emit, accountId) => void seen.push(`taken over: ${accountId}`),
    close: async () => void seen.push('closed'),
  })
  return {
    quotes,
    seen,
    fail: () => {
      answers = false
    },
  }
}

const mailbox = createMailbox()

describe('a module of the host', () => {
  const module = createQuotes()
  const { seen } = module
  let test: Awaited<ReturnType<typeof createTestApp>>
  beforeAll(async () => {
    test = await createTestApp({
      modules: [module.quotes],
      email: { mailer: mailbox.mailer },
      auth: { purgeIntervalMs: 100, expiry: { deletionGraceDays: 1 / 86_400 } },
    })
  })
  afterAll(() => test.close())

  it('is listed after the modules that it requires', () => {
    const { modules } = test.eep
    expect(modules).toContain('quotes')
    expect(modules.indexOf('quotes')).toBeGreaterThan(modules.indexOf('profiles'))
  })

  it('serves its routes, limits them by its own rate group and emits its events', async () => {
    const { app } = test
    const user = await signUp(app)
    const { username } = user.account
    const response = await user.post(`/quotes/${username}`, { text: 'a poem' })
    expect([response.statusCode, response.json()]).toEqual([200, { asked: username }])
    // 7 a minute, with the multiplier of the test server.
    expect(response.headers['x-ratelimit-limit']).toBe('7000')
    expect((await user.post(`/quotes/${username}`, { text: 7 })).statusCode).toBe(400)
    await expect.poll(() => seen).toContain('asked: a poem')
  })

  it('is described in OpenAPI with its scope', async () => {
    const { paths } = (await client(test.app).get('/docs/openapi.json')).json()
    expect(paths['/quotes/{username}'].post).toMatchObject({
      summary: 'Ask a profile for a quote',
      'x-scope': 'write:quotes',
    })
  })

  it('adds its scope to those that API keys may have', async () => {
    const { app } = test
    const user = await signUp(app)
    const keyWith = async (scope: string) => {
      const made = await user.post('/api-keys', { name: 'quotes', scopes: [scope] })
      expect(made.statusCode).toBe(201)
      return { authorization: `Bearer ${made.json().key}` }
    }
    const path = `/quotes/${user.account.username}`
    expect((await client(app).post(path, { text: 'x' }, await keyWith('write:quotes'))).statusCode).toBe(200)
    expect((await client(app).post(path, { text: 'x' }, await keyWith('read:profiles'))).statusCode).toBe(403)
  })

  it('takes part in the deletion of accounts', async () => {
    const { app, storage } = test
    const { account } = await signUp(app)
    await storage.transaction((tx) => tx.accounts.save(account.id, { deletionScheduledAt: new Date(0) }))
    await expect.poll(() => seen).toContain(`erased ${account.id} with 1 profile`)
    expect(seen.indexOf(`before the erasure of ${account.id}`)).toBeGreaterThanOrEqual(0)
  })

  it('takes part in the takeover of accounts', async () => {
    const { app } = test
    const { account } = await signUp(app)
    await client(app).post('/auth/forgot-password', { email: account.email })
    const token = tokenIn(await mailbox.take(account.email, 'reset'))
    await client(app).post('/auth/reset-password', { token, password: 'Another staple 8 horse' })
    expect(seen).toContain(`taken over: ${account.id}`)
  })

  it('degrades readiness when its dependency fails', async () => {
    module.fail()
    await expect
      .poll(async () => (await client(test.app).get('/health/ready')).json())
      .toMatchObject({ status: 'degraded', degraded: { 'quote-provider': 'unavailable' } })
  })
})

describe('switching modules off', () => {
  it('removes their routes, scopes and description', async () => {
    const { app, eep, close } = await createTestApp({ commerce: false, listings: false })
    const { paths } = (await client(app).get('/docs/openapi.json')).json()
    expect(Object.keys(paths).filter((path) => path.startsWith('/negotiations'))).toEqual([])
    expect((await client(app).get('/services/svc_1')).statusCode).toBe(404)
    expect(eep.modules).not.toContain('commerce')
    expect(eep.negotiations).toBeUndefined()
    const { headers } = await signUp(app)
    const key = await client(app).post('/api-keys', { name: 'deals', scopes: ['commerce:negotiate'] }, headers)
    expect(key.statusCode).toBe(400)
    await close()
  })

  it('fails at start when another module requires one that is off', async () => {
    await expect(createTestApp({ without: ['connections'] })).rejects.toThrow(
      'The module "feed" requires "connections", which "without" leaves out',
    )
  })

  it('refuses a module with the service name of another one, and a route with an unknown rate group', async () => {
    const twin = defineModule({ name: 'twin', create: () => ({ profiles: {} }) })
    await expect(createTestApp({ modules: [twin] })).rejects.toThrow(
      new TypeError('The module "twin" provides the service "profiles", which the module "profiles" provides'),
    )
    const unlimited = defineModule({
      name: 'unlimited',
      routes(app) {
        const config = routeConfig({ auth: 'none', limit: 'qoutes', tag: 'x', summary: 'x', operationId: 'getX' })
        app.get('/x', { config }, async () => 'x')
      },
    })
    await expect(createTestApp({ modules: [unlimited] })).rejects.toThrow('the rate group "qoutes"')
  })

  it('survives a stream that fails before it is sent', async () => {
    const config = routeConfig({ auth: 'none', tag: 'notes', summary: 'Read notes', operationId: 'readNotes' })
    const failing = defineModule({
      name: 'notes',
      routes: (app) =>
        void app.get('/notes', { config }, (_request, reply) => {
          const body = new Readable({ read() {} })
          setImmediate(() => body.destroy(new Error('The connection ended')))
          return reply.send(body)
        }),
    })
    const test = await createTestApp({ modules: [failing] })
    try {
      expect((await client(test.app).get('/notes')).statusCode).toBe(500)
      expect((await client(test.app).get('/health/live')).statusCode).toBe(200)
    } finally {
      await test.close()
    }
  })

  it('refuses a route with a scope that no module defines', async () => {
    const config = routeConfig({
      auth: 'key',
      scope: 'read:contnet',
      tag: 'notes',
      summary: 'Read notes',
      operationId: 'readNotes',
    })
    const misspelt = defineModule({
      name: 'notes',
      routes: (app) => void app.get('/notes', { config }, async () => ''),
    })
    const refused = createTestApp({ modules: [misspelt] })
    await expect(refused).rejects.toThrow('GET /notes requires the scope "read:contnet", which no module defines')
  })

  it('refuses a guard with a scope that no module defines', async () => {
    const test = await createTestApp()
    const { requireScope, requirePermission } = test.eep
    const message = 'the scope "read:contnet", which no module defines'
    expect(() => requireScope('read:contnet')).toThrow(message)
    expect(() => requirePermission('profile.edit', 1, { scope: 'read:contnet' })).toThrow(message)
    await test.close()
  })

  it('accepts a guard with a scope of a module that is left out', async () => {
    const { eep, close } = await createTestApp({ without: ['api-keys'] })
    expect(eep.requireScope('manage:keys')).toBeTypeOf('function')
    await close()
  })

  it('creates each module after those that it uses, in whatever order the host lists them', async () => {
    const orders = ordersModule(() => {})
    const bills = defineModule({ name: 'bills', uses: [orders] })
    const { eep, close } = await createTestApp({ modules: [bills, orders] })
    expect(eep.modules.filter((name) => name === 'bills' || name === 'orders')).toEqual(['orders', 'bills'])
    await close()
  })

  it('creates a module without one that it uses while that one is off', async () => {
    const bills = defineModule({ name: 'bills', uses: [ordersModule(() => {})] })
    const { eep, close } = await createTestApp({ modules: [bills] })
    expect(eep.modules).toContain('bills')
    await close()
  })

  it('refuses modules that require each other, and names the circle', async () => {
    const orders = defineModule({ name: 'orders' })
    const bills = defineModule({ name: 'bills', requires: [orders] })
    const circular = defineModule({ name: 'orders', uses: [bills] })
    await expect(createTestApp({ modules: [bills, circular] })).rejects.toThrow(
      new TypeError('Modules require or use each other: "bills" → "orders" → "bills"'),
    )
  })

  it('refuses a module whose required module is missing, and names both', async () => {
    const bills = defineModule({ name: 'bills', requires: [defineModule({ name: 'orders' })] })
    await expect(createTestApp({ modules: [bills] })).rejects.toThrow('The module "bills" requires "orders"')
  })

  it('refuses a module that changes a rate group of the service', async () => {
    const generous = defineModule({ name: 'generous', limits: { auth: 10_000 } })
    await expect(createTestApp({ modules: [generous] })).rejects.toThrow(
      'The module "generous" defines the rate group "auth", which the service has',
    )
  })

  it('refuses a module that defines the rate group of another one, and names both', async () => {
    const quotes = defineModule({ name: 'quotes', limits: { quotes: 10 } })
    const offers = defineModule({ name: 'offers', limits: { quotes: 20 } })
    await expect(createTestApp({ modules: [quotes, offers] })).rejects.toThrow(
      new TypeError('The module "offers" defines the rate group "quotes", which the module "quotes" defines'),
    )
  })

  it('refuses a module that defines the scope of another one, and names both', async () => {
    const twin = defineModule({ name: 'twin', scopes: ['read:memory'] })
    const refusal = new TypeError(
      'The module "twin" defines the scope "read:memory", which the module "memory" defines',
    )
    await expect(createTestApp({ modules: [twin] })).rejects.toThrow(refusal)
  })

  it.each([
    ['quotes', 'page', 'The module "quotes" defines texts "page", which the service has'],
    ['quotes', 'offers', 'The module "quotes" defines texts "offers". Begin their keys with "quotes." or "quotes-"'],
  ])('refuses a module %s that defines texts %s', async (name, area, refusal) => {
    const messages = defineMessages({ [`${area}.title`]: 'Quotes' })
    const app = createTestApp({ modules: [defineModule({ name, messages })] })
    await expect(app).rejects.toThrow(new TypeError(refusal))
  })

  it.each([
    [{}, ['sse', 'webhook', 'websocket']],
    [{ sockets: false }, ['sse', 'webhook']],
    [{ webhooks: false }, ['sse', 'websocket']],
  ] satisfies [TestAppOptions, string[]][])(
    'lists in profiles the ways to receive events of the modules that are on: %o',
    async (options, delivery) => {
      const { app, close } = await createTestApp(options)
      const { account } = await signUp(app)
      const record = await client(app).get(`/profiles/u/${account.username}`)
      expect(record.json<{ eep: { supported_delivery: string[] } }>().eep.supported_delivery).toEqual(delivery)
      await close()
    },
  )

  it('refuses to leave out a module that others require, and names those that can be', async () => {
    const leaveOut = (name: string) => createTestApp({ without: [name as 'teams'] })
    await expect(leaveOut('profiles')).rejects.toThrow(
      /^without: "profiles" cannot be left out\. Those that can are "teams", .*"discovery"$/,
    )
    await expect(leaveOut('team')).rejects.toThrow('without: "team" cannot be left out')
  })

  it('refuses the same feature twice', async () => {
    await expect(createTestApp({ modules: [memory()] })).rejects.toThrow(
      new TypeError('Two modules are named "memory"'),
    )
  })
})
