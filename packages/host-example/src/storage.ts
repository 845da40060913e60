import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type PostgresStorage, postgresStorage } from '@eep/adapters-postgres'
import { Pool } from 'pg'
import { ConfigurationError } from './config.ts'

export interface OpenStorage {
  readonly storage: PostgresStorage
  close(): Promise<void>
}

/**
 * Opens the database and runs migrations: the PostgreSQL of `databaseUrl`, otherwise an embedded one
 * in the data directory.
 *
 * @throws ConfigurationError when it cannot be opened, for example because another process uses the data directory
 */
export const openStorage = (databaseUrl: string | undefined, dataDir: string): Promise<OpenStorage> =>
  open(databaseUrl, dataDir, (storage) => storage.migrate())

/**
 * Opens the database as it is. Only an embedded one, which no other process can have open, is created and migrated.
 *
 * @throws ConfigurationError when it cannot be opened or was not migrated
 */
export const openMigrated = (databaseUrl: string | undefined, dataDir: string): Promise<OpenStorage> =>
  open(databaseUrl, dataDir, (storage) => (databaseUrl === undefined ? storage.migrate() : storage.ping()))

/**
 * Opens the database as it is, to list its migrations or to apply them. Does not create a missing embedded one when
 * `isReadOnly`: an empty one in memory takes its place.
 *
 * @throws ConfigurationError when it cannot be opened
 */
export async function openUnmigrated(
  databaseUrl: string | undefined,
  dataDir: string,
  isReadOnly: boolean,
): Promise<OpenStorage> {
  const status = async (storage: PostgresStorage) => void (await storage.status())
  const isMissing = databaseUrl === undefined && !existsSync(join(dataDir, 'postgres'))
  if (isReadOnly && isMissing) return embedded(undefined, false)
  return open(databaseUrl, dataDir, status, false)
}

async function open(
  databaseUrl: string | undefined,
  dataDir: string,
  prepare: (storage: PostgresStorage) => Promise<void>,
  migrateOnOpen = true,
): Promise<OpenStorage> {
  const opened = databaseUrl === undefined ? await embedded(dataDir, migrateOnOpen) : onServer(databaseUrl)
  try {
    await prepare(opened.storage)
    return opened
  } catch (error) {
    await opened.close().catch(() => {})
    const place = databaseUrl === undefined ? `EEP_DATA_DIR "${dataDir}"` : 'DATABASE_URL'
    throw new ConfigurationError([`${place} cannot be used: ${reasonOf(error)}`], { cause: error })
  }
}

async function embedded(dataDir: string | undefined, migrateOnOpen: boolean): Promise<OpenStorage> {
  const { pgliteStorage } = await import('@eep/adapters-postgres/pglite')
  const storage = pgliteStorage({ dataDir, migrateOnOpen })
  return { storage, close: storage.close }
}

function onServer(connectionString: string): OpenStorage {
  const pool = new Pool({ connectionString, connectionTimeoutMillis: 10_000 })
  const storage = postgresStorage({ pool })
  return {
    storage,
    async close() {
      await storage.close()
      await pool.end()
    },
  }
}

/** Returns the reason of a failure. A refused connection is an error without a message that contains one error per address. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  return first instanceof Error ? first.message : String(first)
}
