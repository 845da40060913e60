import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pgliteStorage } from './pglite.ts'
import { makeSnapshot } from './pglite-snapshot.ts'

/** What a database consists of, without the numbers that PostgreSQL gives to its parts. */
const CATALOG = {
  columns: `select table_name, column_name, ordinal_position, data_type, is_nullable, column_default, is_identity, is_generated
    from information_schema.columns where table_schema = 'eep'`,
  tables: `select relname, relkind, relpersistence, reloptions, relispartition, relreplident, pg_get_expr(relpartbound, oid) as bound
    from pg_class where relnamespace = 'eep'::regnamespace and relkind <> 't'`,
  indexes: `select indexname, indexdef from pg_indexes where schemaname = 'eep'`,
  constraints: `select conrelid::regclass::text as table, conname, convalidated, pg_get_constraintdef(oid) as definition
    from pg_constraint where connamespace = 'eep'::regnamespace`,
  triggers: `select tgrelid::regclass::text as table, tgname, tgenabled, pg_get_triggerdef(oid) as definition
    from pg_trigger where not tgisinternal`,
  functions: `select oid::regprocedure::text as name, pg_get_functiondef(oid) as definition
    from pg_proc where pronamespace = 'eep'::regnamespace and prokind = 'f'`,
  sequences: `select sequencename, data_type::text, start_value, increment_by, last_value from pg_sequences where schemaname = 'eep'`,
  types: `select typname, typtype from pg_type where typnamespace = 'eep'::regnamespace`,
  extensions: 'select extname, extversion from pg_extension',
  schemas: 'select nspname, nspowner::regrole::text as owner from pg_namespace',
  settings: `select name, setting from pg_settings where source in ('configuration file', 'database', 'user')`,
  migrations: 'select name, checksum from eep.migrations',
  queue: `select to_jsonb(queue) - 'created_on' - 'updated_on' as row from eep.queue`,
  eventLog: 'select * from eep.event_log',
  search: 'select * from eep.search_state',
}

/** The rows of every table that are not in `CATALOG`. */
const filledTables = async (database: PGlite) => {
  const { rows } = await database.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relnamespace = 'eep'::regnamespace and relkind = 'r' order by 1`,
  )
  const filled: string[] = []
  for (const { name } of rows) {
    const found = await database.query(`select from ${name} limit 1`)
    if (found.rows.length > 0) filled.push(name)
  }
  return filled
}

const openRaw = (dataDir: string) => PGlite.create({ dataDir: join(dataDir, 'postgres') })

async function catalogOf(dataDir: string) {
  const database = await openRaw(dataDir)
  try {
    const catalog: Record<string, readonly string[]> = { filled: await filledTables(database) }
    for (const [name, query] of Object.entries(CATALOG)) {
      const { rows } = await database.query(query)
      catalog[name] = rows.map((row) => JSON.stringify(row)).sort()
    }
    return catalog
  } finally {
    await database.close()
  }
}

describe('the snapshot of a migrated database', () => {
  let home: string
  const dataDirectory = (name: string) => join(home, name)

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'eep-snapshot-'))
  })
  afterAll(() => rm(home, { recursive: true }))

  it('starts a new database with the catalog that the migrations make', async () => {
    const [copied, migrated] = [dataDirectory('copied'), dataDirectory('migrated')]
    const copy = pgliteStorage({ dataDir: copied })
    await copy.ping()
    await copy.close()
    const original = pgliteStorage({ dataDir: migrated, migrateOnOpen: false })
    expect((await original.status()).applied).toEqual([])
    await original.migrate()
    await original.close()

    const catalog = await catalogOf(copied)
    expect(catalog).toEqual(await catalogOf(migrated))
    // A table that migrations fill must be compared, and have nothing that every installation would share.
    expect(catalog.filled).toEqual([
      'eep.event_log',
      'eep.migrations',
      'eep.queue',
      'eep.search_state',
      'eep.service_settings',
      'eep.version',
    ])
  })

  it('leaves the time of its making out of a database that starts from it', async () => {
    const dataDir = dataDirectory('stamped')
    const before = Date.now()
    const storage = pgliteStorage({ dataDir })
    const { applied } = await storage.status()
    await storage.close()
    const inTime = (at: Date) => at.getTime() >= before && at.getTime() <= Date.now()
    expect(applied.filter(({ at }) => !inTime(at))).toEqual([])

    const database = await openRaw(dataDir)
    const { rows } = await database.query<{ created_on: Date; updated_on: Date }>('select * from eep.queue')
    await database.close()
    expect(rows.map(({ created_on, updated_on }) => [inTime(created_on), inTime(updated_on)])).toEqual([[true, true]])
  })

  it('keeps the times of the migrations when a database is opened again', async () => {
    const dataDir = dataDirectory('stamped')
    const applied = async () => {
      const storage = pgliteStorage({ dataDir })
      const { applied } = await storage.status()
      await storage.close()
      return applied
    }
    expect(await applied()).toEqual(await applied())
  })

  it('replaces an incomplete database that an interrupted start left', async () => {
    const dataDir = dataDirectory('interrupted')
    await mkdir(join(dataDir, 'postgres.new'), { recursive: true })
    await writeFile(join(dataDir, 'postgres.new', 'PG_VERSION'), 'half')
    await writeFile(join(dataDir, 'postgres.new', 'left over'), '')

    const storage = pgliteStorage({ dataDir })
    await storage.ping()
    await storage.close()
    expect(await readdir(dataDir)).toEqual(['postgres'])
    expect(await readdir(join(dataDir, 'postgres'))).not.toContain('left over')
  })

  it('refuses to start a database from a dump where one exists', async () => {
    const dataDir = dataDirectory('stamped')
    const storage = pgliteStorage({ dataDir, loadDataDir: new Blob([]) })
    await expect(storage.ping()).rejects.toThrow('only a new database can start from a dump')
    await storage.close()
  })

  it('is made whole by each of several processes, and not again', async () => {
    const directory = dataDirectory('snapshots')
    await Promise.all([makeSnapshot(directory), makeSnapshot(directory)])
    const [name = '', ...others] = await readdir(directory)
    expect([name, others]).toEqual([expect.stringMatching(/^migrated-[0-9a-f]{16}-pglite-\d+\.\d+\.\d+\.tar\.br$/), []])

    const made = await readFile(join(directory, name))
    await makeSnapshot(directory)
    expect(made.equals(await readFile(join(directory, name)))).toBe(true)
    await writeFile(join(directory, name), made.subarray(0, 1_000))
    await makeSnapshot(directory)
    expect((await readFile(join(directory, name))).length).toBeGreaterThan(1_000)
  })
})
