import { postgresRateLimits, postgresSearch, postgresStorage } from '@eep/adapters-postgres'
import { pgliteStorage } from '@eep/adapters-postgres/pglite'
import { jobQueueContract, rateLimitStoreContract, searchIndexContract, storageContract } from '@eep/core/testing'
import { vector } from '@electric-sql/pglite-pgvector'
import { Pool } from 'pg'
import * as vitest from 'vitest'
import { createDatabaseFrom, onPglite } from './support/database.ts'
import { migratedDump, migratedPglite } from './support/migrated-pglite.ts'
import { expandSchema } from './support/next-schema.ts'
import { PATIENT } from './support/patient-search.ts'

/**
 * A migrated storage on a separate database, which is dropped when it is closed. Public reads use their own pool, as on a
 * replica that is always up to date.
 */
async function freshStorage(schema: string, { isExpanded = false } = {}) {
  const name = `${isExpanded ? 'expanded' : 'migrated'}_${schema}`
  const { connectionString, drop } = await createDatabaseFrom(name, async (connectionString) => {
    const pool = new Pool({ connectionString })
    const storage = postgresStorage({ pool, schema })
    await storage.migrate()
    await storage.close()
    await pool.end()
    if (isExpanded) await expandSchema(connectionString, schema)
  })
  const [pool, readPool] = [new Pool({ connectionString }), new Pool({ connectionString, max: 4 })]
  const storage = postgresStorage({ pool, readPool, schema })
  return {
    ...storage,
    pool,
    async close() {
      await storage.close()
      await Promise.all([pool.end(), readPool.end()])
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
      return { ...storage.search(PATIENT), close: () => storage.close() }
    })
  })
  vitest.describe('PGlite with pgvector', () =>
    searchIndexContract(
      vitest,
      async () => {
        const storage = pgliteStorage({ loadDataDir: await migratedDump(), extensions: { vector } })
        await storage.ping()
        return { ...storage.search(PATIENT), close: () => storage.close() }
      },
      { only: ['meanings'] },
    ),
  )
} else {
  // In the schema it has by itself, nearly every other test runs; here, a query that forgets its schema finds nothing, and
  // one that depends on columns that it does not name fails.
  vitest.describe('PostgreSQL, in a schema of another name that the next release has expanded', () =>
    storageContract(vitest, { storage: () => freshStorage('profiles_2', { isExpanded: true }) }),
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
