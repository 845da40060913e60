import { type PostgresStorage, postgresStorage } from '@eep/adapters-postgres'
import { Pool } from 'pg'
import { createMigratedDatabase } from './app.ts'
import type { TestDatabase } from './postgres-server.ts'

/** A storage on a new database, with the pool that it uses. */
export interface PooledStorage {
  readonly database: TestDatabase
  readonly pool: Pool
  readonly storage: PostgresStorage
  close(): Promise<void>
}

/** Opens a storage on a PostgreSQL server, for tests that also query its tables. PGlite has no pool. */
export async function openPooledStorage(): Promise<PooledStorage> {
  const database = await createMigratedDatabase()
  const pool = new Pool({ connectionString: database.connectionString })
  const storage = postgresStorage({ pool })
  return {
    database,
    pool,
    storage,
    async close() {
      await storage.close()
      await pool.end()
      await database.drop()
    },
  }
}
