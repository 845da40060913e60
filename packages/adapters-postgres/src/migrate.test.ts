import { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Pool, type PoolConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assertMigrated, migrate, migrationStatus } from './migrate.ts'
import { migrations } from './migrations/index.ts'

describe('migrations', () => {
  let lite: PGlite
  let db: Kysely<unknown>

  beforeAll(async () => {
    lite = await PGlite.create()
    const pool = new Pool({ ...(createPgConfig(lite) as PoolConfig), max: 1, idleTimeoutMillis: 0 })
    db = new Kysely({ dialect: new PostgresDialect({ pool }) })
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

  it('are applied once, in order, and a second run does nothing', async () => {
    expect(await migrate(db, 'once', migrations)).toEqual(Object.keys(migrations))
    const before = await migrationStatus(db, 'once', migrations)
    expect(await migrate(db, 'once', migrations)).toEqual([])
    expect(await migrationStatus(db, 'once', migrations)).toEqual(before)
    expect(before).toMatchObject({ pending: [], unknown: [], changed: [] })
  })

  it('bring the records of an earlier release along', async () => {
    const earlier = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '0007'))
    await migrate(db, 'upgraded', earlier)
    const id = crypto.randomUUID()
    const odd = JSON.stringify({ accountId: id, text: '\0 and \ud800' })
    await sql`insert into upgraded.accounts (id, email, username, created_at) values (${id}, 'a@example.com', 'a', now())`.execute(
      db,
    )
    await sql`
      insert into upgraded.profiles (owner_account_id, type, username, skills, socials, keywords, capabilities,
        custom_fields, type_data, visibility, created_at, updated_at)
      values (${id}, 'person', 'a', '{}', '{}', '{}', '{}', ${odd}, '{}', 'public', now(), now())`.execute(db)
    await sql`insert into upgraded.events (id, type, data, at) values (${id}, 'test.one', ${odd}, now())`.execute(db)

    expect(await migrate(db, 'upgraded', migrations)).toHaveLength(Object.keys(migrations).length - 6)
    const { rows } = await sql`
      select withdrawn_at, data::text as data from upgraded.profiles, upgraded.events`.execute(db)
    expect(rows).toEqual([{ withdrawn_at: null, data: odd }])
  })

  it('keep to their schema', async () => {
    await migrate(db, 'one', { '0001_a': ['create table a ()'] })
    await migrate(db, 'other', { '0001_b': ['create table b ()'] })
    expect(await tables('one')).toEqual(['a', 'migrations'])
    expect(await tables('other')).toEqual(['b', 'migrations'])
    expect(await tables('public')).toEqual([])
    const path = await sql<{ search_path: string }>`show search_path`.execute(db)
    expect(path.rows[0]?.search_path).toBe('public')
  })

  it('leave nothing behind when one fails, and name it', async () => {
    const failing = {
      '0001_good': ['create table good ()'],
      '0002_bad': ['create table half ()', 'create tabel bad ()'],
    }
    await expect(migrate(db, 'failing', failing)).rejects.toThrow('Migration 0002_bad failed and nothing was changed')
    expect(await tables('failing')).toEqual([])

    const mended = { ...failing, '0002_bad': ['create table half ()'] }
    expect(await migrate(db, 'failing', mended)).toEqual(['0001_good', '0002_bad'])
  })

  it('refuse a database that an edited migration has made', async () => {
    await migrate(db, 'edited', { '0001_a': ['create table a ()'] })
    const edited = { '0001_a': ['create table a (n int)'], '0002_b': ['create table b ()'] }
    await expect(migrate(db, 'edited', edited)).rejects.toThrow('another form of 0001_a')
    expect(await migrationStatus(db, 'edited', edited)).toMatchObject({ changed: ['0001_a'], pending: ['0002_b'] })
  })

  it('let an older release run on the database of a newer one', async () => {
    await migrate(db, 'newer', { '0001_a': ['create table a ()'], '0002_b': ['create table b ()'] })
    const older = { '0001_a': ['create table a ()'] }
    expect(await migrate(db, 'newer', older)).toEqual([])
    expect(await migrationStatus(db, 'newer', older)).toMatchObject({ unknown: ['0002_b'], pending: [] })
  })

  it('are missed with a sentence that says what to do', async () => {
    await expect(assertMigrated(db, 'absent', { '0001_a': [] })).rejects.toThrow(
      'The schema "absent" lacks 0001_a: call storage.migrate() before the service starts, or run `eep-postgres migrate`',
    )
  })
})
