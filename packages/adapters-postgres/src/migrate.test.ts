import { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool, type PoolConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEVELOPMENT_REFUSAL, developmentDatabase } from '../../../test/support/development-database.ts'
import { migratedDump } from '../../../test/support/migrated-pglite.ts'
import { assertMigrated, migrate, migrationStatus } from './migrate.ts'
import { migrations } from './migrations/index.ts'

describe('migrations', () => {
  let lite: PGlite
  let db: Kysely<unknown>
  const statements: string[] = []

  beforeAll(async () => {
    // A copy opens five times as fast as a new database; these tests use their own schemas.
    lite = await PGlite.create({ loadDataDir: await migratedDump() })
    const pool = new Pool({ ...(createPgConfig(lite) as PoolConfig), max: 1, idleTimeoutMillis: 0 })
    db = new Kysely({
      dialect: new PostgresDialect({ pool }),
      log: ({ query }) => void statements.push(query.sql.trim()),
    })
  })
  afterAll(async () => {
    await db.destroy()
    await lite.close()
  })

  const tables = async (schema: string) => {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_catalog.pg_tables where schemaname = ${schema} order by 1`.execute(db)
    return rows.map(({ name }) => name)
  }

  it('applies migrations once, in order', async () => {
    expect(await migrate(db, 'once', migrations)).toEqual(Object.keys(migrations))
    const before = await migrationStatus(db, 'once', migrations)
    expect(await migrate(db, 'once', migrations)).toEqual([])
    expect(await migrationStatus(db, 'once', migrations)).toEqual(before)
    expect(before).toMatchObject({ pending: [], unknown: [], changed: [] })
  })

  it('changes only the given schema', async () => {
    await migrate(db, 'one', { '0001_a': ['create table a ()'] })
    await migrate(db, 'other', { '0001_b': ['create table b ()'] })
    expect(await tables('one')).toEqual(['a', 'migrations'])
    expect(await tables('other')).toEqual(['b', 'migrations'])
    expect(await tables('public')).toEqual([])
    const path = await sql<{ search_path: string }>`show search_path`.execute(db)
    expect(path.rows[0]?.search_path).toBe('public')
  })

  it('rolls back all migrations when one fails, and names it', async () => {
    const failing = {
      '0001_good': ['create table good ()'],
      '0002_bad': ['create table half ()', 'create tabel bad ()'],
    }
    await expect(migrate(db, 'failing', failing)).rejects.toThrow('Migration 0002_bad failed and nothing was changed')
    expect(await tables('failing')).toEqual([])

    const mended = { ...failing, '0002_bad': ['create table half ()'] }
    expect(await migrate(db, 'failing', mended)).toEqual(['0001_good', '0002_bad'])
  })

  it('refuses a database that was migrated by an edited migration', async () => {
    await migrate(db, 'edited', { '0001_a': ['create table a ()'] })
    const edited = { '0001_a': ['create table a (n int)'], '0002_b': ['create table b ()'] }
    await expect(migrate(db, 'edited', edited)).rejects.toThrow('a different version of 0001_a')
    expect(await migrationStatus(db, 'edited', edited)).toMatchObject({ changed: ['0001_a'], pending: ['0002_b'] })
  })

  it('does not serve a database that was migrated by an edited migration', async () => {
    await migrate(db, 'altered', { '0001_a': ['create table a ()'] })
    const edited = { '0001_a': ['create table a (n int)'] }
    await expect(assertMigrated(db, 'altered', edited)).rejects.toThrow('a different version of 0001_a')
  })

  it('refuses a database of a development version before it changes anything, and names the ways out', async () => {
    await lite.exec(developmentDatabase('development'))
    const refusal = DEVELOPMENT_REFUSAL.replace('"eep"', '"development"')
    const before = await tables('development')
    statements.length = 0
    await expect(migrate(db, 'development', migrations)).rejects.toThrow(refusal)
    await expect(assertMigrated(db, 'development', migrations)).rejects.toThrow(refusal)
    expect(await migrationStatus(db, 'development', migrations)).toMatchObject({ refusal })
    expect(statements.filter((statement) => !statement.startsWith('select'))).toEqual([])
    expect(await tables('development')).toEqual(before)
  })

  it('lets an older release run on the database of a newer one', async () => {
    await migrate(db, 'newer', { '0001_a': ['create table a ()'], '0002_b': ['create table b ()'] })
    const older = { '0001_a': ['create table a ()'] }
    expect(await migrate(db, 'newer', older)).toEqual([])
    expect(await migrationStatus(db, 'newer', older)).toMatchObject({ unknown: ['0002_b'], pending: [] })
  })

  it('reports missing migrations, and how to apply them', async () => {
    await expect(assertMigrated(db, 'absent', { '0001_a': [] })).rejects.toThrow(
      'The schema "absent" lacks 0001_a: call storage.migrate() before the service starts, or run `npx --no-install eep-postgres migrate`',
    )
  })
})
