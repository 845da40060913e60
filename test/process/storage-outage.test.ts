import { type PostgresStorage, postgresRateLimits, postgresStorage } from '@eep/adapters-postgres'
import { cashRail } from '@eep/core/testing'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createMigratedDatabase, createTestApp, type TestApp } from '../support/app.ts'
import { client } from '../support/client.ts'
import { onPglite } from '../support/database.ts'
import { measuring, readMetrics, sumOf } from '../support/metrics.ts'
import type { TestDatabase } from '../support/postgres-server.ts'
import { openShop, type Shop } from '../support/shop.ts'
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts'

describe.skipIf(onPglite())('while the database is unavailable', { timeout: 300_000 }, () => {
  let database: TestDatabase
  let proxy: TcpProxy
  let pool: Pool
  let storage: PostgresStorage
  let service: Awaited<ReturnType<typeof createTestApp>>
  let app: TestApp
  let shop: Shop
  const logger = { info: vi.fn(), warn: vi.fn(), error: vi.fn() }

  beforeAll(async () => {
    database = await createMigratedDatabase()
    proxy = await startTcpProxy(database.connectionString)
    pool = new Pool({ connectionString: proxy.url })
    storage = postgresStorage({ pool })
    service = await createTestApp({
      storage,
      logger,
      ...measuring(),
      payments: { rails: [cashRail()] },
      limits: { rateLimit: { multiplier: 1_000, store: postgresRateLimits({ pool }) } },
    })
    app = service.app
    shop = await openShop(app, 'outage')
  })
  afterAll(async () => {
    await proxy.restore().catch(() => {})
    await service.close()
    await storage.close()
    await pool.end()
    await proxy.close()
    await database.drop()
  })

  const { get } = client(() => app)
  const open = () => [shop.profile, shop.open, shop.contents]
  const misses = async () =>
    sumOf(await readMetrics(app), 'eep_cache_reads_total', { cache: 'documents', outcome: 'miss' }) ?? 0
  const missesOfOpenReads = async () => {
    const before = await misses()
    for (const url of open()) await get(url)
    return (await misses()) - before
  }
  const expectUnavailable = ({ statusCode, headers, json }: Awaited<ReturnType<typeof get>>) => {
    expect([statusCode, json().error.code]).toEqual([503, 'storage_unavailable'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  }

  it('serves what is open from the cache, refuses the rest with 503, and recovers by itself', async () => {
    for (const url of open()) expect((await get(url)).statusCode).toBe(200)
    expect((await get(shop.paid)).statusCode).toBe(402)
    // The catalogue reads a new profile afresh, and what was loaded meanwhile is not cached.
    await expect.poll(missesOfOpenReads, { timeout: 60_000 }).toBe(0)
    const before = await Promise.all(open().map((url) => get(url)))

    await proxy.cut()
    // For two seconds after the log was last read, the cache is as good as the database.
    await expect.poll(async () => (await get(shop.paid)).statusCode, { timeout: 60_000 }).not.toBe(402)

    // Open pages are served from the cache, for anonymous callers and for those whose session cannot be checked.
    for (const [index, url] of open().entries()) {
      for (const headers of [{}, shop.headers]) {
        const answer = await get(url, headers)
        expect([url, answer.statusCode, answer.body]).toEqual([url, 200, before[index]?.body])
      }
    }
    await Promise.all(Array.from({ length: 100 }, () => get(shop.open)))
    // What costs something, what is not in the cache, and what needs an account is not known now.
    expectUnavailable(await get(shop.paid))
    expectUnavailable(await get(shop.paid, { 'x-eep-payer-wallet': 'wallet:ada', 'x-eep-payer-network': 'cash:test' }))
    expectUnavailable(await get('/u/not-cached'))
    expectUnavailable(await get('/auth/me', shop.headers))
    // Writes store nothing and say so.
    expectUnavailable(
      await client(app).post('/auth/register', {
        email: 'late@example.com',
        username: 'late',
        password: 'Correct horse 7 battery',
      }),
    )
    expectUnavailable(await shop.post('/manage/pages', { profile_id: shop.profileId, title: 'Late', body: 'Late' }))
    expect((await get('/health/live')).statusCode).toBe(200)
    await expect.poll(async () => (await get('/health/ready')).statusCode, { timeout: 60_000 }).toBe(503)

    await proxy.restore()
    await expect.poll(async () => (await get('/auth/me', shop.headers)).statusCode, { timeout: 60_000 }).toBe(200)
    expect((await get(shop.paid)).statusCode).toBe(402)
    await expect.poll(async () => (await get('/health/ready')).statusCode, { timeout: 60_000 }).toBe(200)
    expect((await get('/u/late')).statusCode).toBe(404)

    // An outage is a few lines in the log, not one for each request.
    const lines = [...logger.warn.mock.calls, ...logger.error.mock.calls].map(([, message]) => message as string)
    const counts = Map.groupBy(lines, (line) => line)
    for (const [line, { length }] of counts) expect([line, length < 20]).toEqual([line, true])
    expect([...counts.keys()]).toContain('rate limit store unavailable; limits apply per instance')
  })
})
