import { postgresRateLimits, postgresSearch, postgresStorage } from '@eep/adapters-postgres'
import { jobQueueContract, rateLimitStoreContract, searchIndexContract, storageContract } from '@eep/core/testing'
import { Pool } from 'pg'
import * as vitest from 'vitest'
import { createDatabaseFrom, onPglite } from './support/database.ts'
import { migratedPglite } from './support/migrated-pglite.ts'

/** A migrated storage on a separate database, which is dropped when it is closed. */
async function freshStorage(schema: string) {
  const { connectionString, drop } = await createDatabaseFrom(`migrated_${schema}`, async (connectionString) => {
    const pool = new Pool({ connectionString })
    const storage = postgresStorage({ pool, schema })
    await storage.migrate()
    await storage.close()
    await pool.end()
  })
  const pool = new Pool({ connectionString })
  const storage = postgresStorage({ pool, schema })
  return {
    ...storage,
    pool,
    async close() {
      await storage.close()
      await pool.end()
      await drop()
    },
  }
}

if (onPglite()) {
  vitest.describe('PGlite', () => {
    storageContract(vitest, { storage: migratedPglite })
    jobQueueContract(vitest, migratedPglite)
    rateLimitStoreContract(vitest, async () => {
      const storage = await migratedPglite()
      await storage.ping()
      return { ...storage.rateLimits(), close: () => storage.close() }
    })
    searchIndexContract(vitest, async () => {
      const storage = await migratedPglite()
      await storage.ping()
      return { ...storage.search(), close: () => storage.close() }
    })
  })
} else {
  // In the schema it has by itself, nearly every other test runs; here, a query that forgets its schema finds nothing.
  vitest.describe('PostgreSQL, in a schema of another name', () =>
    storageContract(vitest, { storage: () => freshStorage('profiles_2') }),
  )
  // A reserved word of SQL, so that missing quotes are detected.
  vitest.describe('PostgreSQL', () => jobQueueContract(vitest, () => freshStorage('user')))
  vitest.describe('PostgreSQL', () =>
    rateLimitStoreContract(vitest, async () => {
      const { pool, close } = await freshStorage('counted')
      return { ...postgresRateLimits({ pool, schema: 'counted' }), close }
    }),
  )
  vitest.describe('PostgreSQL', () =>
    searchIndexContract(vitest, async () => {
      const { pool, close } = await freshStorage('found')
      return { ...postgresSearch({ pool, schema: 'found' }), close }
    }),
  )
}
