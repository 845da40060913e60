import { type PostgresStorage, postgresStorage } from '@eep/adapters-postgres'
import { newAccount, newApiKey } from '@eep/core/testing'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMigratedDatabase } from '../../support/app.ts'
import { onPglite } from '../../support/database.ts'
import type { TestDatabase } from '../../support/postgres-server.ts'
import { queriesOf } from '../../support/sent-queries.ts'

describe.skipIf(onPglite())('API keys on PostgreSQL', () => {
  let database: TestDatabase
  let pool: Pool
  let storage: PostgresStorage

  beforeAll(async () => {
    database = await createMigratedDatabase()
    pool = new Pool({ connectionString: database.connectionString, max: 1 })
    storage = postgresStorage({ pool, listen: false })
  })
  afterAll(async () => {
    await storage.close()
    await pool.end()
    await database.drop()
  })

  it('finds API keys with their account in one query, by an index', async () => {
    const account = newAccount()
    const key = newApiKey(account.id)
    await storage.transaction(async (tx) => {
      await tx.accounts.insert(account)
      await tx.apiKeys.insert(key)
    })
    const [query, ...more] = await queriesOf(pool, () => storage.read.apiKeys.getByHash(key.hash))
    expect(more).toEqual([])
    const client = await pool.connect()
    await client.query('set enable_seqscan to off')
    const plan = await client.query(`explain ${query?.text}`, query?.values)
    client.release(true)
    expect(JSON.stringify(plan.rows)).toContain('api_keys_hash_key')
  })

  it('counts the uses of many API keys together', async () => {
    const account = newAccount()
    const keys = await storage.transaction(async (tx) => {
      await tx.accounts.insert(account)
      return Promise.all(Array.from({ length: 50 }, () => tx.apiKeys.insert(newApiKey(account.id))))
    })
    const uses = keys.map((key) => ({ keyId: key?.id ?? 0, count: 2, lastUsedAt: new Date() }))
    await storage.transaction((tx) => tx.apiKeys.addUses(uses))
    const stored = await storage.read.apiKeys.listOfAccount(account.id)
    expect(stored.map(({ usage }) => usage.total)).toEqual(keys.map(() => 2))
  })
})
