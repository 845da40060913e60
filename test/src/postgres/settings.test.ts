import { postgresStorage } from '@eep/adapters-postgres'
import { newAccount } from '@eep/core/testing'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, onPglite } from '../support/database.ts'
import type { TestDatabase } from '../support/postgres-server.ts'

describe.skipIf(onPglite())('storage on a PostgreSQL with custom settings', () => {
  let database: TestDatabase
  let pool: Pool

  beforeAll(async () => {
    database = await createDatabase()
    const setUp = new Pool({ connectionString: database.connectionString, max: 1 })
    await setUp.query(`do $$ begin
      execute format('alter database %I set datestyle to ''SQL, DMY''', current_database());
      execute format('alter database %I set timezone to ''Asia/Kolkata''', current_database());
      execute format('alter database %I set default_transaction_isolation to ''serializable''', current_database());
    end $$`)
    await setUp.end()
    pool = new Pool({ connectionString: database.connectionString })
  })
  afterAll(async () => {
    await pool.end()
    await database.drop()
  })

  it('reads and writes the same times with custom settings', async () => {
    const storage = postgresStorage({ pool })
    await storage.migrate()
    await storage.ping()
    const account = newAccount({ createdAt: new Date('2026-03-04T05:06:07.089Z') })
    const deletionScheduledAt = new Date('2027-12-11T10:09:08.007Z')
    await storage.transaction((tx) => tx.accounts.insert(account))
    await storage.transaction((tx) => tx.accounts.save(account.id, { deletionScheduledAt }))
    const read = await Promise.all(Array.from({ length: 5 }, () => storage.read.accounts.get(account.id)))
    for (const found of read) expect(found).toMatchObject({ createdAt: account.createdAt, deletionScheduledAt })
    await storage.close()
  })
})
