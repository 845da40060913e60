import { storageContract } from '@eep/core/testing'
import { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import { Pool, type PoolConfig } from 'pg'
import * as vitest from 'vitest'
import { neonStorage } from './other-driver.ts'

// #region contract
storageContract(vitest, async () => {
  const { pool, end } = await openPool()
  const storage = neonStorage(pool)
  await storage.migrate()
  return {
    ...storage,
    async close() {
      await storage.close()
      await end()
    },
  }
})
// #endregion

/** A pool that behaves like one of pg. */
async function openPool() {
  const database = await PGlite.create()
  return {
    pool: new Pool({ ...(createPgConfig(database) as PoolConfig), max: 1, idleTimeoutMillis: 0 }),
    end: () => database.close(),
  }
}
