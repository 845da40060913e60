import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type PostgresStorage, postgresStorage } from '@eep/adapters-postgres'
import type { PaymentRail } from '@eep/core/ports'
import { Pool } from 'pg'
import { check, type Finding, type Found, failed, ok, skipped, warning } from './check.ts'
import { checkPrices } from './check-prices.ts'

/** The oldest release of PostgreSQL that the storage works on. */
const OLDEST_VERSION = 15
const SCHEMA = 'eep'
/** A larger difference confuses expiry times, leases and the order of events. */
const MAX_SKEW_MS = 5_000

async function migrationsOf(storage: Pick<PostgresStorage, 'status'>): Promise<Found> {
  const { applied, pending, changed, unknown, refusal } = await storage.status()
  if (refusal) return failed(refusal, 'Use another EEP_DATA_DIR or DATABASE_URL')
  if (changed.length > 0)
    return failed(
      `applied in another form: ${changed.join(', ')}`,
      'Restore the files of the package: released migrations are never edited',
    )
  if (pending.length > 0)
    return warning(
      `${pending.length} are missing: ${pending.join(', ')}`,
      'The host applies them at its start; to do it before, run: npm run eep -- migrate',
    )
  if (unknown.length > 0) return warning(`the database has ${unknown.length} of a newer release`, 'Upgrade this host')
  return ok(`all ${applied.length} are applied`)
}

type Rails = () => Promise<readonly PaymentRail[]>

/** The checks of a database that can be read: its migrations, and the prices in it once all are applied. */
async function checkContent(storage: PostgresStorage, fix: string, rails: Rails): Promise<readonly Finding[]> {
  const migrations = await check('migrations', fix, () => migrationsOf(storage))
  const prices =
    migrations.status === 'ok'
      ? await check('prices', 'Check the database and the variables X402_* or STRIPE_*', async () =>
          checkPrices(storage, await rails()),
        )
      : { check: 'prices', ...skipped('the database is not migrated') }
  return [migrations, prices]
}

/** Checks the PostgreSQL of `DATABASE_URL`. Changes nothing. */
async function checkServer(connectionString: string, rails: Rails): Promise<readonly Finding[]> {
  const pool = new Pool({ connectionString, max: 1, connectionTimeoutMillis: 10_000 })
  // A pool without a listener ends the process when the server closes an idle connection.
  pool.on('error', () => {})
  const storage = postgresStorage({ pool, listen: false })
  const first = async <Row>(statement: string, values: readonly unknown[] = []): Promise<Row> => {
    const { rows } = await pool.query(statement, [...values])
    return rows[0] as Row
  }
  try {
    const connection = await check('database', 'Check DATABASE_URL, the firewall and pg_hba.conf', async () => {
      const { version } = await first<{ version: number }>(
        "select current_setting('server_version_num')::int as version",
      )
      const major = Math.floor(version / 10_000)
      return major < OLDEST_VERSION
        ? failed(`PostgreSQL ${major}`, `Upgrade to PostgreSQL ${OLDEST_VERSION} or later`)
        : ok(`PostgreSQL ${major}`)
    })
    if (connection.status !== 'ok') return [connection]
    return [
      connection,
      await check('database rights', 'Check the role of DATABASE_URL', async () => {
        const { may, exists } = await first<{ may: boolean; exists: boolean }>(
          `select case when to_regnamespace($1) is null then has_database_privilege(current_database(), 'CREATE')
                  else has_schema_privilege($1, 'CREATE') and has_schema_privilege($1, 'USAGE') end as may,
                  to_regnamespace($1) is not null as exists`,
          [SCHEMA],
        )
        if (may) return ok(exists ? `may use and migrate the schema ${SCHEMA}` : `may create the schema ${SCHEMA}`)
        return exists
          ? failed(
              `may not migrate the schema ${SCHEMA}`,
              `grant usage, create on schema ${SCHEMA} to the role of DATABASE_URL`,
            )
          : failed(`may not create the schema ${SCHEMA}`, 'grant create on database … to the role of DATABASE_URL')
      }),
      ...(await checkContent(storage, 'Run: npm run eep -- migrate --dry-run', rails)),
      await check('clock', 'Synchronize the clocks of both machines', async () => {
        const start = Date.now()
        const { now } = await first<{ now: Date }>('select clock_timestamp() as now')
        const skewMs = Math.abs(now.getTime() - (start + Date.now()) / 2)
        const detail = `differs from that of the database by ${Math.round(skewMs)} ms`
        return skewMs > MAX_SKEW_MS
          ? failed(detail, 'Synchronize the clocks of both machines, for example with chrony')
          : ok(detail)
      }),
    ]
  } finally {
    await storage.close()
    await pool.end()
  }
}

/** Whether another process has the directory open. The storage wraps that error. */
const saysInUse = (error: unknown): boolean =>
  error instanceof Error && (error.message.includes('is open in process') || saysInUse(error.cause))

/** Checks the embedded database. One that does not exist is not created. */
async function checkEmbedded(dataDir: string, rails: Rails): Promise<readonly Finding[]> {
  const clock: Finding = { check: 'clock', ...skipped('the embedded database has the clock of this process') }
  if (!existsSync(join(dataDir, 'postgres'))) {
    return [
      { check: 'database', ...ok(`the host creates an embedded one in ${dataDir} at its first start`) },
      { check: 'migrations', ...skipped('there is no database yet') },
      clock,
    ]
  }
  const { pgliteStorage } = await import('@eep/adapters-postgres/pglite')
  const storage = pgliteStorage({ dataDir, migrateOnOpen: false })
  try {
    await storage.status()
  } catch (error) {
    await storage.close().catch(() => {})
    const isInUse = saysInUse(error)
    const found = isInUse
      ? skipped(`a host is using ${dataDir}; ask its /health/ready instead`)
      : failed('the embedded database cannot be opened', `Restore ${dataDir} from a backup, or use PostgreSQL`)
    return [{ check: 'database', ...found }, clock]
  }
  try {
    return [
      { check: 'database', ...ok(`embedded, in ${dataDir}`) },
      ...(await checkContent(storage, 'Start the host', rails)),
      clock,
    ]
  } finally {
    await storage.close()
  }
}

/** Checks the database: whether it responds, its version, rights, migrations and clock, and the prices in it. */
export const checkDatabase = (
  databaseUrl: string | undefined,
  dataDir: string,
  rails: Rails,
): Promise<readonly Finding[]> =>
  databaseUrl === undefined ? checkEmbedded(dataDir, rails) : checkServer(databaseUrl, rails)
