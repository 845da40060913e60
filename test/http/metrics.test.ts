import { defineCounter, defineGauge, defineModule } from '@eep/core/module'
import { afterAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { createTestApp, type TestAppOptions } from '../support/app.ts'
import { client } from '../support/client.ts'
import { METRICS_TOKEN, measuring, readMetrics, readSamples, sumOf } from '../support/metrics.ts'
import { createCashApp, openShop } from '../support/shop.ts'

const closing: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

async function start(options: TestAppOptions = {}) {
  const made = await createCashApp({ ...measuring(), ...options })
  closing.push(made.close)
  return made
}

const { app, cashWallets } = await start({ limits: { plans: { community: { maxWorkspaces: 1 } } } })
const { get } = client(() => app)
const requests = 'eep_http_request_duration_seconds_count'

describe('GET /metrics', () => {
  it('does not exist without a token', async () => {
    const { registry } = measuring().metrics
    const other = await createTestApp({ metrics: { registry } })
    closing.push(other.close)
    expect((await client(() => other.app).get('/metrics')).statusCode).toBe(404)
    expect(other.app.hasRoute({ method: 'GET', url: '/metrics' })).toBe(false)
  })

  it('rejects requests without the token, also those of accounts', async () => {
    const ada = await signUp(app)
    const wrong = [undefined, 'Bearer', 'Bearer x', `Basic ${METRICS_TOKEN}`, `Bearer ${METRICS_TOKEN}x`]
    const answers = [
      await ada.get('/metrics'),
      ...(await Promise.all(wrong.map((authorization) => get('/metrics', authorization ? { authorization } : {})))),
    ]
    for (const { statusCode, json, headers } of answers) {
      expect([statusCode, json().error.code]).toEqual([401, 'invalid_metrics_token'])
      expect(headers['www-authenticate']).toBe('Bearer')
    }
  })

  it('answers the token with the text format of Prometheus, which no cache stores', async () => {
    const { statusCode, headers, body } = await get('/metrics', { authorization: `Bearer ${METRICS_TOKEN}` })
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(headers['cache-control']).toBe('no-store')
    expect(body).toMatch(/^# HELP eep_http_request_duration_seconds /m)
    expect(body).toMatch(/^# TYPE eep_http_request_duration_seconds histogram$/m)
    expect(readSamples(body).length).toBeGreaterThan(20)
  })

  it('is exempt from rate limits', async () => {
    const limited = await start({ limits: { rateLimit: { multiplier: 0.02 } } })
    const statuses = new Set<number>()
    for (let count = 0; count < 4; count += 1) statuses.add((await limited.app.inject('/explore')).statusCode)
    expect(statuses).toContain(429)
    for (let count = 0; count < 4; count += 1) await readMetrics(limited.app)
    const samples = await readMetrics(limited.app)
    expect(sumOf(samples, 'eep_rate_limit_refusals_total', { group: 'default' })).toBeGreaterThan(0)
    expect(sumOf(samples, 'eep_http_errors_total', { code: 'rate_limited' })).toBeGreaterThan(0)
  })
})

describe('metrics of requests', () => {
  it('count requests by operation, method and class of the status', async () => {
    const before = await readMetrics(app)
    await get('/health/live')
    await get('/health/live')
    await app.inject({ method: 'HEAD', url: '/health/live' })
    await get('/u/nobody-has-this-name')
    const after = await readMetrics(app)
    const added = (labels: Record<string, string>) =>
      (sumOf(after, requests, labels) ?? 0) - (sumOf(before, requests, labels) ?? 0)
    expect(added({ operation: 'getLiveness', method: 'GET', status: '2xx' })).toBe(2)
    expect(added({ operation: 'getLiveness', method: 'HEAD', status: '2xx' })).toBe(1)
    expect(added({ operation: 'getLiveness' })).toBe(3)
    expect(added({ status: '4xx', method: 'GET' })).toBe(1)
  })

  it('count a request once, also for a URL with a suffix and for a compressed body', async () => {
    const before = await readMetrics(app)
    await get('/docs/errors.json')
    await get('/docs/errors', { accept: 'text/markdown', 'accept-encoding': 'br' })
    await app.inject({ method: 'HEAD', url: '/docs/errors.md' })
    const after = await readMetrics(app)
    const labels = { operation: 'listErrorCodes' }
    expect((sumOf(after, requests, labels) ?? 0) - (sumOf(before, requests, labels) ?? 0)).toBe(3)
  })

  it('get no new series from paths, queries and headers of clients', async () => {
    await get('/no/such/path')
    await get('/u/nobody')
    const series = async () =>
      new Set((await readMetrics(app)).map(({ name, labels }) => JSON.stringify([name, labels])))
    await series()
    const before = await series()
    for (let index = 0; index < 30; index += 1) {
      await get(`/no/such/path-${index}?q=${index}`, { 'user-agent': `agent ${index}` })
      await get(`/u/nobody-${index}`)
    }
    expect([...(await series())].filter((each) => !before.has(each))).toEqual([])
  })

  it('count what a limit of a plan refuses by its code, and nothing else', async () => {
    const ada = await signUp(app)
    const create = (name: string) => ada.post('/workspaces', { name })
    expect((await create('The first')).statusCode).toBe(201)
    const refused = await create('One more')
    expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'too_many_workspaces'])
    expect((await create('')).statusCode).toBe(400)
    const counted = (await readMetrics(app)).filter(({ name }) => name === 'eep_plan_limit_refusals_total')
    expect(counted).toMatchObject([{ labels: { code: 'too_many_workspaces' }, value: 1 }])
  })

  it('count reads of the caches', async () => {
    const ada = await signUp(app)
    const url = `/u/${ada.account.username}`
    const read = async () => {
      await get(url)
      const samples = await readMetrics(app)
      return sumOf(samples, 'eep_cache_reads_total', { cache: 'answers', outcome: 'hit' }) ?? 0
    }
    const first = await read()
    await expect.poll(read, { timeout: 60_000 }).toBeGreaterThan(first)
  })
})

describe('metrics of payments', () => {
  it('count settled, refused and unknown payments by rail, and show those without an outcome', async () => {
    const shop = await openShop(app, 'measured-shop')
    const pay = async (url: string, fault: Parameters<typeof cashWallets.next>[1] = {}) => {
      const refusal = await get(url)
      cashWallets.next('settle', fault)
      const wallet = `wallet:${url}:${JSON.stringify(fault)}`
      return get(url, cashWallets.answer(refusal.headers['payment-required'], { wallet }))
    }
    expect((await pay(shop.other, { lose: 'request' })).statusCode).toBe(503)
    expect((await pay(shop.other, { refuse: 'no_money' })).statusCode).toBe(402)
    expect((await pay(shop.paid)).statusCode).toBe(200)
    const samples = await readMetrics(app)
    const payments = (outcome: string) => sumOf(samples, 'eep_payments_total', { rail: 'cash', outcome })
    expect([payments('settled'), payments('refused'), payments('unknown')]).toEqual([1, 1, 1])
    expect(sumOf(samples, 'eep_payment_hash_consumed_total', { rail: 'cash' })).toBe(3)
    const settled = { rail: 'cash', step: 'settle' }
    const settlements = (outcome: string) => sumOf(samples, 'eep_rail_duration_seconds_count', { ...settled, outcome })
    expect([settlements('ok'), settlements('refused'), settlements('failed')]).toEqual([1, 1, 1])
    expect(sumOf(samples, 'eep_http_errors_total', { code: 'payment_required' })).toBeGreaterThan(0)
    // The results of the database are reused for some seconds.
    const open = async (name: string) => sumOf(await readMetrics(app), name, { rail: 'cash', state: 'unknown' })
    await expect.poll(() => open('eep_payments_open'), { timeout: 60_000 }).toBe(1)
    expect(await open('eep_payments_open_oldest_seconds')).toBeGreaterThan(0)
  })
})

describe('metrics of a module of the host', () => {
  it('are counted, and read when the metrics are', async () => {
    const placed = defineCounter('shop_orders_total', 'Orders', ['country'])
    const carts = defineGauge('shop_open_carts', 'Carts with items')
    const broken = defineGauge('shop_broken', 'A gauge whose reading fails')
    let open = 2
    const shop = defineModule({
      name: 'shop',
      metrics: [placed, carts, broken],
      create({ metrics }) {
        metrics.observe(carts, () => [{ labels: {}, value: open }])
        metrics.observe(broken, () => Promise.reject(new Error('no database')))
        return { orders: metrics.counter(placed) }
      },
      routes: (_app, { orders }) => orders({ country: 'fr' }, 3),
    })
    const service = await start({ modules: [shop] })
    expect(sumOf(await readMetrics(service.app), 'shop_orders_total', { country: 'fr' })).toBe(3)
    open = 7
    const samples = await readMetrics(service.app)
    expect(sumOf(samples, 'shop_open_carts')).toBe(7)
    expect(sumOf(samples, 'shop_broken')).toBeUndefined()
  })

  it('fail the start when their names do not begin with the name of their module', async () => {
    const twice = [defineCounter('eep_emails_total', 'A name that is taken')]
    await expect(
      createTestApp({ ...measuring(), modules: [defineModule({ name: 'letters', metrics: twice })] }),
    ).rejects.toThrow('The metric "eep_emails_total" of the module "letters" must begin with "letters"')
  })
})
