import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { check, type Finding, found, type HostDatabase } from '@eep/core/host'
import { Pool } from 'pg'
import { postgresStorage } from './index.ts'

const { failed, ok, skipped } = found

/** The oldest release of PostgreSQL that the storage works on. */
const OLDEST_VERSION = 15
const SCHEMA = 'eep'
/** A larger difference confuses expiry times, leases and the order of events. */
const MAX_SKEW_MS = 5_000

/** Checks what is in a database; takes what to do when its migrations cannot be read. */
export type CheckContent = Parameters<HostDatabase['check']>[0]

/** Checks the PostgreSQL of `DATABASE_URL`. Changes nothing. */
export async function checkServer(connectionString: string, checkContent: CheckContent): Promise<readonly Finding[]> {
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
      ...(await checkContent(storage, 'Run: npm run eep -- migrate --dry-run')),
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
export async function checkEmbedded(dataDir: string, checkContent: CheckContent): Promise<readonly Finding[]> {
  const clock: Finding = { check: 'clock', ...skipped('the embedded database has the clock of this process') }
  if (!existsSync(join(dataDir, 'postgres'))) {
    return [
      { check: 'database', ...ok(`the host creates an embedded one in ${dataDir} at its first start`) },
      { check: 'migrations', ...skipped('there is no database yet') },
      clock,
    ]
  }
  const { pgliteStorage } = await import('./pglite.ts')
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
      ...(await checkContent(storage, 'Start the host')),
      clock,
    ]
  } finally {
    await storage.close()
  }
}
