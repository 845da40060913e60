import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import type { PGlite } from '@electric-sql/pglite'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { onlyConnection, startDatabase } from './pglite-database.ts'
import { QUEUE_TABLES } from './queue/install.ts'
import { queueTables } from './queue/queue-tables.ts'
import { DEFAULT_SCHEMA } from './storage.ts'
import type { UntypedDb } from './untyped-db.ts'

/** Increase it when what is stored for the same migrations changes. */
const FORMAT = 2

/** The place of the times at which a database was migrated, until `stampSnapshot` writes them. */
const UNSTAMPED = 'epoch'

/** The packages contain the snapshot that their build made. The sources make one when it is missing. */
const isFromSources = import.meta.url.endsWith('.ts')
const DIRECTORY = fileURLToPath(new URL(isFromSources ? '../node_modules/.cache/pglite/' : './', import.meta.url))

/**
 * Returns a dump of a database that has all migrations of this release in the default schema, as `loadDataDir` takes it. Undefined
 * when there is none for the installed version of PGlite.
 */
export async function migratedDump(): Promise<Blob | undefined> {
  const name = await nameOf().catch(() => undefined)
  if (!name) return undefined
  const known = await readSnapshot(join(DIRECTORY, name))
  if (known || !isFromSources) return known && new Blob([known])
  const dump = await dumpMigrated()
  // Where the sources cannot be written to, each process makes its own.
  await writeSnapshot(DIRECTORY, name, dump).catch(() => undefined)
  return new Blob([dump])
}

/** Makes the snapshot in a directory unless it exists. Default: where the sources look for it. */
export async function makeSnapshot(directory: string = DIRECTORY): Promise<void> {
  const name = await nameOf()
  if (await readSnapshot(join(directory, name))) return
  await writeSnapshot(directory, name, await dumpMigrated())
}

/**
 * Stores the current time as the time of the migrations of a database that started from a snapshot. The database has no other data of the
 * machine that made the snapshot, apart from the identifier of its cluster, which only replication uses.
 */
export async function stampSnapshot(db: UntypedDb, schema: string): Promise<void> {
  const now = sql`statement_timestamp()`
  await sql`update ${sql.table(`${schema}.migrations`)} set applied_at = ${now} where applied_at = ${UNSTAMPED}`.execute(
    db,
  )
  await sql`
    update ${sql.table(`${schema}.queue`)} set created_on = ${now}, updated_on = ${now}
    where created_on = ${UNSTAMPED}`.execute(db)
}

/** The name contains all that the contents depend on, so that a database never starts from the snapshot of another release. */
async function nameOf(): Promise<string> {
  const manifest = findPackageJSON('@electric-sql/pglite', import.meta.url)
  if (!manifest) throw new Error('The version of PGlite is unknown')
  const { version } = JSON.parse(await readFile(manifest, 'utf8'))
  const statements = Object.entries(migrations).map(([name, migration]) => [
    name,
    migration.map((statement) => (statement === QUEUE_TABLES ? queueTables(DEFAULT_SCHEMA) : statement)),
  ])
  const hash = createHash('sha256')
    .update(JSON.stringify([FORMAT, statements]))
    .digest('hex')
  return `migrated-${hash.slice(0, 16)}-pglite-${version}.tar.br`
}

/** A file that is missing or damaged is none. */
async function readSnapshot(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    return new Uint8Array(await promisify(brotliDecompress)(await readFile(path)))
  } catch {
    return undefined
  }
}

/** Other processes may read or write it at the same time: it is complete or it is not there. */
async function writeSnapshot(directory: string, name: string, dump: Uint8Array): Promise<void> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 }
  const packed = await promisify(brotliCompress)(dump, { params })
  await mkdir(directory, { recursive: true })
  const draft = join(directory, `.${name}.${crypto.randomUUID()}`)
  await writeFile(draft, packed)
  await rename(draft, join(directory, name))
}

async function dumpMigrated(): Promise<Uint8Array<ArrayBuffer>> {
  // Files of the log that are used again would contain the whole history of the migrations.
  const database = await startDatabase({ settings: ['wal_recycle=off', 'min_wal_size=32MB'] })
  try {
    const pool = onlyConnection(database)
    const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
    await migrate(db, DEFAULT_SCHEMA, migrations)
    await forgetOrigin(database)
    await db.destroy()
    return new Uint8Array(await (await database.dumpDataDir('none')).arrayBuffer())
  } finally {
    await database.close()
  }
}

/**
 * Removes the times of the migrations, then the deleted rows and the log. Only these tables and the catalog are vacuumed: PostgreSQL plans
 * statements for a table that it knows to be empty in another way.
 */
async function forgetOrigin(database: PGlite) {
  const { rows } = await database.query<{ name: string }>(
    `select oid::regclass::text as name from pg_class where relnamespace = 'pg_catalog'::regnamespace and relkind = 'r'`,
  )
  for (const statement of [
    `update ${DEFAULT_SCHEMA}.migrations set applied_at = '${UNSTAMPED}'`,
    `update ${DEFAULT_SCHEMA}.queue set created_on = '${UNSTAMPED}', updated_on = '${UNSTAMPED}'`,
    `vacuum ${DEFAULT_SCHEMA}.migrations, ${DEFAULT_SCHEMA}.queue, ${rows.map(({ name }) => name).join(', ')}`,
    'checkpoint',
    'select pg_switch_wal()',
    'checkpoint',
  ]) {
    await database.exec(statement)
  }
}
