import { eep } from '@eep/core'
import { everything } from '@eep/core/everything'
import type { Plan, RateLimitStore } from '@eep/core/ports'
import Fastify, { type FastifyServerOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { openStorage, PUBLIC_URL, SECRET } from '../support/app.ts'
import { client } from '../support/client.ts'
import { countingIn, rateLimitsOf } from '../support/rate-limits.ts'
import { soon } from '../support/wait.ts'

let database: Awaited<ReturnType<typeof openStorage>>
const closers: (() => Promise<unknown>)[] = []

/** A server of the host's own making, with limits so low that a test can use them up. */
async function server(
  multiplier: number,
  options: { readonly store?: RateLimitStore } = {},
  host: FastifyServerOptions = {},
) {
  const app = Fastify(host)
  await app.register(eep, {
    modules: everything(),
    publicUrl: PUBLIC_URL,
    secret: SECRET,
    storage: database.another(),
    limits: { rateLimit: { multiplier, ...options } },
    auth: { passwordHashing: { memoryKiB: 1_024 } },
  })
  await app.ready()
  closers.push(() => app.close())
  return app
}

beforeAll(async () => {
  database = await openStorage()
})
afterAll(async () => {
  for (const close of closers) await close()
  await database.close()
})

type Server = Awaited<ReturnType<typeof server>>

/** How many requests of one kind are answered before one is refused. */
async function allowed(app: Server, request: object): Promise<number> {
  for (let count = 0; count < 50; count++) {
    if ((await app.inject({ url: '/discover', ...request })).statusCode === 429) return count
  }
  return Number.POSITIVE_INFINITY
}

describe('an address', () => {
  it('counts a forwarded address only from a trusted proxy', async () => {
    const through = (ip: string) => ({ remoteAddress: '10.0.0.1', headers: { 'x-forwarded-for': ip } })
    const trusting = await server(0.02, {}, { trustProxy: '10.0.0.1' })
    expect(await allowed(trusting, through('203.0.113.1'))).toBe(2)
    expect(await allowed(trusting, through('203.0.113.2'))).toBe(2)
    // A client that is not the proxy can send any header.
    const forged = (ip: string) => ({ ...through(ip), remoteAddress: '198.51.100.1' })
    expect(await allowed(trusting, forged('203.0.113.3'))).toBe(2)
    expect(await allowed(trusting, forged('203.0.113.4'))).toBe(0)

    const plain = await server(0.02)
    expect(await allowed(plain, through('203.0.113.1'))).toBe(2)
    expect(await allowed(plain, through('203.0.113.2'))).toBe(0)
  })

  it('uses the last address that no trusted proxy added, ignoring those of the client', async () => {
    const app = await server(0.02, {}, { trustProxy: '10.0.0.1' })
    const claimed = (lie: string) => ({
      remoteAddress: '10.0.0.1',
      headers: { 'x-forwarded-for': `${lie}, 203.0.113.9` },
    })
    expect(await allowed(app, claimed('1.1.1.1'))).toBe(2)
    expect(await allowed(app, claimed('2.2.2.2'))).toBe(0)
  })

  it('counts an IPv6 address with its /64 network', async () => {
    const app = await server(0.02)
    const from = (remoteAddress: string) => ({ remoteAddress })
    expect(await allowed(app, from('2001:db8:0:1::1'))).toBe(2)
    expect(await allowed(app, from('2001:db8:0:1:ffff::2'))).toBe(0)
    expect(await allowed(app, from('2001:db8:0:2::1'))).toBe(2)
    expect(await allowed(app, from('::ffff:203.0.113.7'))).toBe(2)
    expect(await allowed(app, from('203.0.113.7'))).toBe(0)
  })
})

describe('an API key', () => {
  it.each([
    ['community', 60],
    ['pro', 300],
    ['team', 1_000],
  ] satisfies [Plan, number][])('limits keys of the tier %s to %i requests per minute', async (tier, limit) => {
    const app = await server(1)
    const { headers, account } = await signUp(app)
    const key = await newKey(app, headers)
    await database.storage.transaction((tx) => tx.accounts.save(account.id, { tier }))
    const response = await client(app).as(key).get('/discover')
    expect(response.headers['x-ratelimit-limit']).toBe(String(limit))
    expect(response.headers.ratelimit).toMatch(/^"key";/)
    expect((await client(app).get('/discover', headers)).headers['x-ratelimit-limit']).toBe('100')
    // Expensive requests have the same limit with a key.
    const login = { method: 'POST', url: '/auth/login', payload: {}, headers: key.headers } as const
    expect((await app.inject(login)).headers['x-ratelimit-limit']).toBe('5')
  })

  it('shares the limit with other keys of the account, but not with sessions', async () => {
    const maker = await server(1_000)
    const { headers } = await signUp(maker)
    const [one, other] = [await newKey(maker, headers), await newKey(maker, headers)]
    const app = await server(0.05)
    expect(await allowed(app, { headers: one.headers })).toBe(3)
    expect(await allowed(app, { headers: other.headers })).toBe(0)
    expect(await allowed(app, { headers })).toBe(5)
  })

  it('counts requests with an invalid API key by address', async () => {
    const app = await server(0.05)
    for (let guess = 0; guess < 5; guess++) {
      await client(app).get('/discover', { 'x-api-key': `eep_guess${guess}` })
    }
    expect(await allowed(app, {})).toBe(0)
  })
})

describe('a group', () => {
  it('applies the documented limit on every route', async () => {
    const app = await server(1)
    const { paths } = (await client(app).get('/docs/openapi.json')).json()
    const limits = new Map<number, string[]>()
    const reads = new Set<string>()
    for (const [path, methods] of Object.entries<Record<string, { 'x-auth': string }>>(paths)) {
      for (const method of Object.keys(methods)) {
        const url = path.replaceAll(/\{\w+\}/g, '1')
        const { headers } = await app.inject({ method: method.toUpperCase() as 'GET', url, remoteAddress: '192.0.2.8' })
        const limit = Number(headers['x-ratelimit-limit'])
        limits.set(limit, [...(limits.get(limit) ?? []), path])
        if (/^\/auth\//.test(path) && limit === 100) reads.add(`${method.toUpperCase()} ${path}`)
      }
    }
    // Routes that check credentials, send email or begin a sign-in. Other routes below /auth are in the default group.
    const credentials = /^\/(auth|eep\/payment\/recovery|manage\/payouts\/undo|notifications\/unsubscribe)(\/|$)/
    const forms =
      /^\/(login(\/code)?|register|forgot-password|reset-password|verify|email\/(change|undo)|payouts\/undo|purchases|dashboard\/resend-verification|account\/second-factor(\/confirm|\/remove)?|account\/security\/delete(-all)?|oauth\/authorize|device)$/
    expect(limits.get(5)?.filter((path) => !credentials.test(path) && !forms.test(path))).toEqual([])
    expect(limits.get(5)).toEqual(expect.arrayContaining(['/auth/login', '/auth/register', '/auth/forgot-password']))
    expect(reads).toContain('GET /auth/me')
    expect(
      [...reads].filter(
        (route) =>
          !/^((GET|DELETE) \/auth\/(me|sessions|siwe\/wallets|identities)|GET \/auth\/second-factor$|(GET|PATCH) \/auth\/passkeys|POST \/auth\/passkeys\/options$|POST \/auth\/logout$)/.test(
            route,
          ),
      ),
    ).toEqual([])
    expect(limits.get(100)?.length).toBeGreaterThan(20)
    // 600: what apps of OAuth call, for many accounts at one address.
    const known = [5, 10, 30, 60, 100, 120, 600]
    const others = [...limits].filter(([limit]) => !known.includes(limit)).flatMap(([, routes]) => routes)
    // Health checks and webhooks of processors are not counted; processors repeat refused messages.
    expect(others.filter((path) => !/^\/health|\/webhook$/.test(path))).toEqual([])
  })
})

describe('a refusal', () => {
  it.each([
    ['a document', { url: '/u/unknown', headers: { accept: 'text/markdown' } }],
    ['a problem', { url: '/u/unknown', headers: { accept: 'application/problem+json' } }],
    ['a body', { method: 'POST', url: '/profiles', payload: {} }],
    ['nothing but headers', { method: 'HEAD', url: '/discover' }],
    ['a path that does not exist', { url: '/nowhere' }],
    ['a page of another origin', { url: '/discover', headers: { origin: 'https://elsewhere.example' } }],
  ])('sends Retry-After with a refusal as %s', async (_what, request) => {
    const app = await server(0.01)
    expect(await allowed(app, {})).toBe(1)
    const { statusCode, headers } = await app.inject(request as { url: string })
    expect(statusCode).toBe(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(headers['x-ratelimit-limit']).toBe('1')
    expect(headers['x-ratelimit-remaining']).toBe('0')
    expect(Number(headers['x-ratelimit-reset'])).toBeGreaterThan(Date.now() / 1000 - 1)
    expect(headers.ratelimit).toMatch(/^"default";r=0;t=\d+$/)
    expect(headers['ratelimit-policy']).toBe('"default";q=1;w=60')
    expect(headers['cache-control']).toMatch(/\bno-store$/)
  })
})

describe('counting requests', () => {
  it('counts in each process without a shared store', async () => {
    const store = countingIn(new Map())
    const [one, other] = [await server(0.03, { store }), await server(0.03, { store })]
    expect(await allowed(one, {})).toBe(3)
    // The other instance asks the store near the limit, and learns there that it is exceeded.
    expect(await allowed(other, {})).toBeLessThan(3)
    expect(await allowed(other, {})).toBe(0)
    expect(await allowed(await server(0.03), {})).toBe(3)
  })

  it('counts in the database for all instances, which are synchronized within an interval', async () => {
    const LIMIT = 40
    const [here, there] = [database.another().rateLimits(), database.another().rateLimits()]
    const one = await server(LIMIT / 100, { store: here })
    const batches: number[] = []
    const watched: RateLimitStore = {
      ...there,
      async hitMany(batch) {
        const hits = await there.hitMany(batch)
        batches.push(hits[0]?.count ?? 0)
        return hits
      },
    }
    const other = await server(LIMIT / 100, { store: watched })
    const from = { remoteAddress: '203.0.113.50' }
    const remaining = async (app: Server) =>
      Number((await app.inject({ url: '/discover', ...from })).headers['x-ratelimit-remaining'])
    for (let count = 0; count < 10; count++) await remaining(one)
    // Counts that were not sent yet are sent when an instance stops.
    await one.close()
    expect(await remaining(other)).toBe(LIMIT - 1)
    await soon(() => expect(batches).toEqual([11]))
    await soon(async () => expect(await remaining(other)).toBeLessThan(LIMIT - 11))
  })

  it('lets all instances together exceed a limit by no more than one of them receives within an interval', async () => {
    const LIMIT = 40
    const apps = [
      await server(LIMIT / 100, { store: database.another().rateLimits() }),
      await server(LIMIT / 100, { store: database.another().rateLimits() }),
    ]
    const from = { remoteAddress: '203.0.113.51' }
    const requests = apps.flatMap((app) =>
      Array.from({ length: 2 * LIMIT }, () => app.inject({ url: '/discover', ...from })),
    )
    const passed = (await Promise.all(requests)).filter(({ statusCode }) => statusCode !== 429).length
    expect(passed).toBeGreaterThanOrEqual(LIMIT)
    // No instance allows more than the limit by itself, however late it learns what the other one allowed.
    expect(passed).toBeLessThanOrEqual(2 * LIMIT)
    for (const app of apps) expect(await allowed(app, from)).toBe(0)
  })

  it('counts each request that signs in where all instances count', async () => {
    const [one, other] = [
      await server(1, { store: database.another().rateLimits() }),
      await server(1, { store: database.another().rateLimits() }),
    ]
    const signIn = {
      method: 'POST',
      url: '/auth/login',
      payload: { email: 'unknown@example.com', password: 'Wrong horse 7 battery' },
      remoteAddress: '203.0.113.52',
    } as const
    const remaining = async (app: Server) => (await app.inject(signIn)).headers['x-ratelimit-remaining']
    expect(await remaining(one)).toBe('4')
    expect(await remaining(other)).toBe('3')
    expect(await remaining(one)).toBe('2')
    const rest = await Promise.all([one, other, one, other].map((app) => app.inject(signIn)))
    expect(rest.filter(({ statusCode }) => statusCode === 429)).toHaveLength(2)
  })

  it('closes the store when the service stops', async () => {
    let closed = 0
    const store: RateLimitStore = {
      ...rateLimitsOf((_key, windowMs) => ({ count: 1, resetAtMs: Date.now() + windowMs })),
      async close() {
        closed += 1
      },
    }
    const app = await server(1, { store })
    await client(app).get('/discover')
    expect(closed).toBe(0)
    await app.close()
    expect(closed).toBe(1)
  })

  it('counts in each process while the shared store is unavailable, and never uses it for health checks', async () => {
    let asked = 0
    const store = rateLimitsOf(() => {
      asked += 1
      throw new Error('the database is gone')
    })
    const app = await server(0.03, { store })
    expect(await allowed(app, {})).toBe(3)
    expect(asked).toBeGreaterThan(0)
    const before = asked
    expect((await client(app).get('/health/live')).statusCode).toBe(200)
    expect(asked).toBe(before)
  })
})
