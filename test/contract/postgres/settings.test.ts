import { kyselyOf, postgresStorage } from '@eep/adapters-postgres'
import { newAccount } from '@eep/core/testing'
import { sql } from 'kysely'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, onPglite } from '../../support/database.ts'
import type { TestDatabase } from '../../support/postgres-server.ts'

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

describe.skipIf(onPglite())('the time limit of a transaction', () => {
  let database: TestDatabase
  let pool: Pool
  beforeAll(async () => {
    database = await createDatabase()
    pool = new Pool({ connectionString: database.connectionString })
    await postgresStorage({ pool }).migrate()
  })
  afterAll(async () => {
    await pool.end()
    await database.drop()
  })

  it('ends a statement that takes longer', async () => {
    const storage = postgresStorage({ pool, transactionTimeoutMs: 50 })
    const sleeping = storage.transaction((tx) => sql`select pg_sleep(600)`.execute(kyselyOf(tx)))
    await expect(sleeping).rejects.toThrow('canceling statement due to statement timeout')
    await storage.close()
  })

  it('ends many statements that take longer together, and stores nothing', async () => {
    const storage = postgresStorage({ pool, transactionTimeoutMs: 50 })
    const account = newAccount()
    const many = storage.transaction(async (tx) => {
      await tx.accounts.insert(account)
      for (;;) await tx.accounts.get(account.id)
    })
    // On a busy machine one of the statements takes that long by itself.
    await expect(many).rejects.toThrow(/The transaction took longer than 0.05 seconds|statement timeout/)
    expect(await storage.read.accounts.get(account.id)).toBeUndefined()
    await storage.close()
  })

  it('ends a transaction whose work waits for something else', async () => {
    const storage = postgresStorage({ pool, transactionTimeoutMs: 50 })
    const ended = Promise.withResolvers<void>()
    pool.once('acquire', (client) => client.once('error', () => ended.resolve()))
    const account = newAccount()
    const waiting = storage.transaction(async (tx) => {
      await tx.accounts.insert(account)
      await ended.promise
    })
    await expect(waiting).rejects.toThrow()
    expect(await storage.read.accounts.get(account.id)).toBeUndefined()
    await storage.close()
  })

  it('has no limit with 0', async () => {
    const storage = postgresStorage({ pool, transactionTimeoutMs: 0 })
    const { rows } = await storage.transaction((tx) =>
      sql<{ limit: string }>`show statement_timeout`.execute(kyselyOf(tx)),
    )
    expect(Object.values(rows[0] ?? {})).toEqual(['0'])
    await storage.close()
  })
})
