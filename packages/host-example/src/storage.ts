import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type PostgresStorage, postgresStorage } from '@eep/adapters-postgres'
import { Pool } from 'pg'
import { ConfigurationError } from './config.ts'
import type { Values } from './variables.ts'

export interface OpenStorage {
  readonly storage: PostgresStorage
  close(): Promise<void>
}

/**
 * Opens the database and runs migrations: the PostgreSQL of `DATABASE_URL`, otherwise an embedded one
 * in the data directory.
 *
 * @throws ConfigurationError when it cannot be opened, for example because another process uses the data directory
 */
export const openStorage = (values: Values, dataDir: string): Promise<OpenStorage> =>
  open(values, dataDir, (storage) => storage.migrate())

/**
 * Opens the database as it is. Only an embedded one, which no other process can have open, is created and migrated.
 *
 * @throws ConfigurationError when it cannot be opened or was not migrated
 */
export const openMigrated = (values: Values, dataDir: string): Promise<OpenStorage> =>
  open(values, dataDir, (storage) => (values.DATABASE_URL === undefined ? storage.migrate() : storage.ping()))

/**
 * Opens the database as it is, to list its migrations or to apply them. Does not create a missing embedded one when
 * `isReadOnly`: an empty one in memory takes its place.
 *
 * @throws ConfigurationError when it cannot be opened
 */
export async function openUnmigrated(values: Values, dataDir: string, isReadOnly: boolean): Promise<OpenStorage> {
  const status = async (storage: PostgresStorage) => void (await storage.status())
  const isMissing = values.DATABASE_URL === undefined && !existsSync(join(dataDir, 'postgres'))
  if (isReadOnly && isMissing) return embedded(undefined, false)
  return open(values, dataDir, status, false)
}

async function open(
  values: Values,
  dataDir: string,
  prepare: (storage: PostgresStorage) => Promise<void>,
  migrateOnOpen = true,
): Promise<OpenStorage> {
  const { DATABASE_URL: databaseUrl } = values
  const opened =
    databaseUrl === undefined
      ? await embedded(dataDir, migrateOnOpen)
      : onServer({ ...values, DATABASE_URL: databaseUrl })
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

function onServer({
  DATABASE_URL,
  DATABASE_REPLICA_URL: replica,
  DATABASE_POOL_SIZE: max = 10,
}: Values & { readonly DATABASE_URL: string }): OpenStorage {
  const poolOn = (connectionString: string) => new Pool({ connectionString, max, connectionTimeoutMillis: 10_000 })
  const pool = poolOn(DATABASE_URL)
  const readPool = replica === undefined ? undefined : poolOn(replica)
  const storage = postgresStorage({ pool, readPool })
  return {
    storage,
    async close() {
      await storage.close()
      await Promise.all([pool.end(), readPool?.end()])
    },
  }
}

/** Returns the reason of a failure. A refused connection is an error without a message that contains one error per address. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error
  return first instanceof Error ? first.message : String(first)
}
