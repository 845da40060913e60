import { postgresRateLimits, postgresStorage } from '@eep/adapters-postgres'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createMigratedDatabase } from '../../support/app.ts'
import { onPglite } from '../../support/database.ts'
import type { TestDatabase } from '../../support/postgres-server.ts'
import { soon } from '../../support/wait.ts'

const MINUTE = 60_000

describe.skipIf(onPglite())('rate limits on PostgreSQL', () => {
  let database: TestDatabase
  let pool: Pool

  beforeAll(async () => {
    database = await createMigratedDatabase()
    pool = new Pool({ connectionString: database.connectionString })
  })
  afterAll(async () => {
    await pool.end()
    await database.drop()
  })

  const rows = async () => (await pool.query('select * from eep.rate_limits')).rows

  it('shares rate limits between instances and with a storage', async () => {
    const other = new Pool({ connectionString: database.connectionString })
    const stores = [
      postgresRateLimits({ pool }),
      postgresRateLimits({ pool: other }),
      postgresStorage({ pool }).rateLimits(),
    ]
    const hits = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => (await stores[index % 3]?.hit('shared', MINUTE))?.count),
    )
    expect(hits.sort((left = 0, right = 0) => left - right)).toEqual(
      Array.from({ length: 30 }, (_, index) => index + 1),
    )
    await other.end()
  })

  it('uses one query per hit', async () => {
    const limits = postgresRateLimits({ pool })
    await limits.hit('warm', MINUTE)
    const client = await pool.connect()
    const queries = vi.spyOn(Object.getPrototypeOf(client), 'query')
    client.release()
    await limits.hit('counted', MINUTE)
    expect(queries).toHaveBeenCalledTimes(1)
    queries.mockRestore()
  })

  it('uses one query per batch', async () => {
    const limits = postgresRateLimits({ pool })
    const batch = Array.from({ length: 500 }, (_, index) => ({ key: `batched-${index}`, windowMs: MINUTE, hits: 2 }))
    const client = await pool.connect()
    const queries = vi.spyOn(Object.getPrototypeOf(client), 'query')
    client.release()
    const states = await limits.hitMany(batch)
    // Expired keys may be swept meanwhile, and other tests of this process may query in the background.
    expect(queries.mock.calls.filter((call) => JSON.stringify(call).includes('window_ms'))).toHaveLength(1)
    queries.mockRestore()
    expect(new Set(states.map(({ count }) => count))).toEqual(new Set([2]))
  })

  it('stores no address, no account id, and no write-ahead log', async () => {
    await postgresRateLimits({ pool }).hit('auth:192.0.2.7', MINUTE)
    expect(JSON.stringify(await rows())).not.toContain('192.0.2.7')
    const kind = await pool.query(`select relpersistence from pg_class where oid = 'eep.rate_limits'::regclass`)
    expect(kind.rows).toEqual([{ relpersistence: 'u' }])
  })

  it('deletes ended windows every minute', async () => {
    const limits = postgresRateLimits({ pool })
    await limits.hit('over', 1)
    await limits.hit('running', MINUTE)
    const before = (await rows()).length
    await limits.hit('running', MINUTE)
    expect((await rows()).length).toBe(before)
    const now = Date.now()
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => now + MINUTE + 1)
    await limits.hit('running', MINUTE)
    clock.mockRestore()
    await soon(async () => expect((await rows()).length).toBe(before - 1))
    expect((await limits.hit('running', MINUTE)).count).toBe(4)
  })

  it('times out on an unresponsive database, and continues when it responds again', async () => {
    const limits = postgresRateLimits({ pool })
    await pool.query('delete from eep.rate_limits')
    await limits.hit('stuck', MINUTE)
    const holder = await pool.connect()
    await holder.query('begin')
    await holder.query('lock table eep.rate_limits in access exclusive mode')
    await expect(limits.hit('stuck', MINUTE)).rejects.toThrow('did not count requests within 1000 ms')
    await holder.query('rollback')
    holder.release()
    // The second hit was given up, and counts all the same.
    await soon(async () => expect(await rows()).toMatchObject([{ count: '2' }]))
    expect((await limits.hit('stuck', MINUTE)).count).toBe(3)
  })

  it('throws while the schema is not migrated', async () => {
    await expect(async () => postgresRateLimits({ pool, schema: 'absent' }).hit('a', MINUTE)).rejects.toThrow(
      'does not exist',
    )
    expect(() => postgresRateLimits({ pool, schema: 'a"b' })).toThrow('is not a valid schema name')
  })
})
