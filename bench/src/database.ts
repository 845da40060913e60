import { postgresStorage } from '@eep/adapters-postgres'
import { pgliteStorage } from '@eep/adapters-postgres/pglite'
import { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import { Pool } from 'pg'

/** A migrated storage, and a pool on the same kind of database for a bare route. */
export async function openDatabase(connectionString: string | undefined) {
  if (connectionString !== undefined) {
    const pool = new Pool({ connectionString })
    const storage = postgresStorage({ pool })
    await storage.migrate()
    return { storage, pool }
  }
  const storage = pgliteStorage()
  await storage.migrate()
  const lite = await PGlite.create('memory://')
  return { storage, pool: new Pool({ ...createPgConfig(lite), max: 1, idleTimeoutMillis: 0 }) }
}
