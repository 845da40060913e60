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
export async function openStorage(databaseUrl: string | undefined, dataDir: string): Promise<OpenStorage> {
  const opened = databaseUrl === undefined ? await embedded(dataDir) : onServer(databaseUrl)
  try {
    await opened.storage.migrate()
    return opened
  } catch (error) {
    await opened.close().catch(() => {})
    const place = databaseUrl === undefined ? `EEP_DATA_DIR "${dataDir}"` : 'DATABASE_URL'
    throw new ConfigurationError([`${place} cannot be used: ${reasonOf(error)}`], { cause: error })
  }
}

async function embedded(dataDir: string): Promise<OpenStorage> {
  const { pgliteStorage } = await import('@eep/adapters-postgres/pglite')
  const storage = pgliteStorage({ dataDir })
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
