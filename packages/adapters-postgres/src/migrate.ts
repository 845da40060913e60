import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Migration, Migrations } from './migrations/index.ts'
import { installQueue, QUEUE_TABLES } from './queue/install.ts'
import type { UntypedDb } from './untyped-db.ts'

/** The migrations of a database compared with those of this release. */
export interface MigrationStatus {
  readonly schema: string
  readonly applied: readonly { readonly name: string; readonly at: Date }[]
  /** Migrations that `migrate` would apply, in order. */
  readonly pending: readonly string[]
  /** Applied by a newer release than this one. */
  readonly unknown: readonly string[]
  /** Applied with other statements than those of this release, so the tables may differ. */
  readonly changed: readonly string[]
  /** Why this release can neither use nor migrate the database, and what to do. Absent for every other database. */
  readonly refusal?: string | undefined
}

/** The first migration of the versions before the first release, whose migrations became the baseline. */
const OF_DEVELOPMENT = '0001_accounts'

const checksum = (migration: Migration) => createHash('sha256').update(migration.join(';\n')).digest('hex')

/** Compares the migrations of this release with those of the database. */
export async function migrationStatus(db: UntypedDb, schema: string, migrations: Migrations): Promise<MigrationStatus> {
  const applied = await readApplied(db, schema)
  const names = new Map(applied.map((one) => [one.name, one.checksum]))
  const known = Object.entries(migrations)
  return {
    schema,
    applied: applied.map(({ name, applied_at }) => ({ name, at: new Date(applied_at) })),
    pending: known.filter(([name]) => !names.has(name)).map(([name]) => name),
    unknown: applied.map(({ name }) => name).filter((name) => !(name in migrations)),
    changed: known
      .filter(([name, migration]) => names.has(name) && names.get(name) !== checksum(migration))
      .map(([name]) => name),
    ...(names.has(OF_DEVELOPMENT) && { refusal: refusalOf(schema) }),
  }
}

const refusalOf = (schema: string) =>
  `The schema "${schema}" was made by a development version, which this release cannot migrate: export the accounts with that version and import them into a new database, or use another EEP_DATA_DIR or database`

/**
 * Applies all pending migrations or none, and returns their names. Of concurrent processes, one does the
 * work and the others wait.
 */
export async function migrate(db: UntypedDb, schema: string, migrations: Migrations): Promise<readonly string[]> {
  const before = await check(db, schema, migrations)
  if (before.pending.length === 0) return []

  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`eep_${schema}.migrations`}, 0))`.execute(trx)
    const { pending } = await check(trx, schema, migrations)
    if (pending.length === 0) return []

    await createMigrationTable(trx, schema)
    await sql`set local search_path to ${sql.id(schema)}`.execute(trx)
    for (const name of pending) {
      const migration = migrations[name] ?? []
      for (const statement of migration) {
        const applied = statement === QUEUE_TABLES ? installQueue(trx, schema) : sql.raw(statement).execute(trx)
        await applied.catch(explain(name))
      }
      await sql`insert into migrations (name, checksum) values (${name}, ${checksum(migration)})`.execute(trx)
    }
    return pending
  })
}

/** Throws with a fix unless the database has every migration of this release, as it is in this release. */
export async function assertMigrated(db: UntypedDb, schema: string, migrations: Migrations): Promise<void> {
  const { pending } = await check(db, schema, migrations)
  if (pending.length === 0) return
  const missing = pending.length > 3 ? `${pending.length} migrations, from ${pending[0]} on` : pending.join(', ')
  throw new Error(
    `The schema "${schema}" lacks ${missing}: call storage.migrate() before the service starts, or run \`npx --no-install eep-postgres migrate\``,
  )
}

async function check(db: UntypedDb, schema: string, migrations: Migrations) {
  const status = await migrationStatus(db, schema, migrations)
  if (status.refusal) throw new Error(status.refusal)
  if (status.changed.length === 0) return status
  throw new Error(`The schema "${schema}" was migrated by a different version of ${status.changed.join(', ')}`)
}

const explain = (name: string) => (error: unknown) => {
  const message = error instanceof Error ? error.message : String(error)
  throw new Error(`Migration ${name} failed and nothing was changed: ${message}`, { cause: error })
}

interface Applied {
  readonly name: string
  readonly checksum: string
  readonly applied_at: Date | string
}

async function readApplied(db: UntypedDb, schema: string): Promise<readonly Applied[]> {
  const table = await sql<{ found: boolean }>`
    select exists (
      select from pg_catalog.pg_tables where schemaname = ${schema} and tablename = 'migrations'
    ) as found`.execute(db)
  if (!table.rows[0]?.found) return []
  const { rows } = await sql<Applied>`
    select name, checksum, applied_at from ${sql.table(`${schema}.migrations`)} order by name`.execute(db)
  return rows
}

/** Creates the schema only if it does not exist, because this requires a permission that the role may not have. */
async function createMigrationTable(db: UntypedDb, schema: string) {
  const found = await sql`select from pg_catalog.pg_namespace where nspname = ${schema}`.execute(db)
  if (found.rows.length === 0) await sql`create schema ${sql.id(schema)}`.execute(db)
  await sql`
    create table if not exists ${sql.table(`${schema}.migrations`)} (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default statement_timestamp()
    )`.execute(db)
}
