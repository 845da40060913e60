import { cashRail } from '@eep/core/testing'
import { afterAll, expect, it } from 'vitest'
import { codeOf, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { openShop } from '../support/shop.ts'

const service = await createTestApp()
afterAll(service.close)
const owner = await signUp(service.app, 'ada')
const { get, post } = client(service.app)

/** The service with so few requests that a test can use them up; the window is a minute. */
const smallService = (multiplier: number) =>
  createTestApp({ storage: service.storage, limits: { rateLimit: { multiplier } } })

it('sends rate limit headers with every answer', async () => {
  const { headers } = await get('/u/ada')
  const answers = {
    200: await get('/u/ada'),
    304: await get('/u/ada', { 'if-none-match': String(headers.etag) }),
    401: await get('/auth/me'),
    404: await get('/u/unknown'),
    400: await get('/u/ada?format=xml'),
    415: await post('/auth/login', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
    505: await get('/u/ada', { 'eep-version': '9.9' }),
  }
  for (const [status, answer] of Object.entries(answers)) {
    expect(answer.statusCode).toBe(Number(status))
    expect(Number(answer.headers['x-ratelimit-limit']), status).toBeGreaterThan(0)
    expect(Number(answer.headers['x-ratelimit-remaining']), status).toBeGreaterThanOrEqual(0)
    expect(answer.headers.ratelimit, status).toMatch(/^"\w+";r=\d+;t=\d+$/)
    expect(answer.headers['ratelimit-policy'], status).toMatch(/^"\w+";q=\d+;w=60$/)
  }
  for (const answer of [await get('/nowhere/at/all'), await post('/u/ada', {})]) {
    expect(answer.statusCode).toBe(404)
    expect(answer.headers).toHaveProperty('x-ratelimit-remaining')
  }
})

it('sends rate limit headers with a 402 and to banned accounts', async () => {
  const seller = await createTestApp({ payments: { rails: [cashRail()] } })
  const shop = await openShop(seller.app, 'seller')
  const priced = await client(seller.app).get(shop.paid)
  expect(priced.statusCode).toBe(402)
  expect(Number(priced.headers['x-ratelimit-remaining'])).toBeGreaterThan(0)

  const { headers, account } = await signUp(seller.app)
  await seller.storage.transaction((tx) => tx.accounts.save(account.id, { bannedAt: new Date() }))
  const banned = await client(seller.app).get('/auth/me', headers)
  expect([401, 403]).toContain(banned.statusCode)
  expect(Number(banned.headers['x-ratelimit-remaining'])).toBeGreaterThan(0)
  await seller.close()
})

it('sends the end of a window in seconds since 1970', async () => {
  const reset = Number((await get('/u/ada')).headers['x-ratelimit-reset'])
  expect(reset - Date.now() / 1000).toBeGreaterThan(0)
  expect(reset - Date.now() / 1000).toBeLessThanOrEqual(61)
})

it('refuses requests above a rate limit with the time to wait', async () => {
  const { app, close } = await smallService(0.03)
  for (const remaining of [2, 1, 0]) {
    expect(Number((await client(app).get('/u/ada')).headers['x-ratelimit-remaining'])).toBe(remaining)
  }
  const refused = await client(app).get('/u/ada')
  expect(refused.statusCode).toBe(429)
  expect(codeOf(refused)).toBe('rate_limited')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused.headers['x-ratelimit-remaining']).toBe('0')
  expect(refused.headers['cache-control']).toBe('no-store')
  await close()
})

it('counts the requests of each rate group separately', async () => {
  const { app, close } = await smallService(0.2)
  const login = () => client(app).post('/auth/login', { email: 'a@b.example', password: 'x' })
  expect((await login()).headers['x-ratelimit-limit']).toBe('1')
  expect((await login()).statusCode).toBe(429)
  const other = await client(app).get('/u/ada')
  expect(other.statusCode).toBe(200)
  expect(other.headers['x-ratelimit-limit']).toBe('20')
  await close()
})

it('counts the requests of an account apart from those of its address', async () => {
  const { app, close } = await smallService(0.02)
  const own = () => client(app).as(owner).get('/u/ada')
  for (let left = 2; left > 0; left--) await client(app).get('/u/ada')
  expect((await client(app).get('/u/ada')).statusCode).toBe(429)
  expect((await own()).statusCode).toBe(200)
  await close()
})

it('counts sign-ins by address, with any account', async () => {
  const { app, close } = await smallService(0.2)
  const login = (headers: Record<string, string>) =>
    client(app).post('/auth/login', { email: 'a@example.com', password: 'x' }, headers)
  expect((await login({})).statusCode).toBe(401)
  expect((await login(owner.headers)).statusCode).toBe(429)
  await close()
})

it('never refuses a health check', async () => {
  const { app, close } = await smallService(0.001)
  for (let round = 0; round < 10; round++) expect((await client(app).get('/health/live')).statusCode).toBe(200)
  await close()
})

it('does not trust a forwarded address by default', async () => {
  const { app, close } = await smallService(0.02)
  const from = (address: string) => client(app).get('/u/ada', { 'x-forwarded-for': address })
  await from('203.0.113.1')
  await from('203.0.113.2')
  expect((await from('203.0.113.3')).statusCode).toBe(429)
  await close()
})

it('counts the settlement of payments and checkouts in the default group', async () => {
  for (const url of ['/eep/payment/x402/settle', '/eep/payment/stripe/checkout-human', '/checkout/usdc-receipt']) {
    const { headers } = await post(url, {}, owner.headers)
    expect(headers['ratelimit-policy'], url).toMatch(/^"default";/)
  }
})
