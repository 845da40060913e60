import { postgresRateLimits, postgresSearch, postgresStorage } from '@eep/adapters-postgres'
import { pgliteStorage } from '@eep/adapters-postgres/pglite'
import { jobQueueContract, rateLimitStoreContract, searchIndexContract, storageContract } from '@eep/core/testing'
import { vector } from '@electric-sql/pglite-pgvector'
import { Pool } from 'pg'
import * as vitest from 'vitest'
import { createDatabaseFrom, onPglite } from '../support/database.ts'
import { expandSchema } from '../support/next-schema.ts'
import { PATIENT } from '../support/patient-search.ts'

/**
 * A storage on a separate database, which is dropped when it is closed. Public reads use their own pool, as on a replica that
 * is always up to date. The schema is as the next release expands it, and its name is a reserved word of SQL: a query that
 * forgets or does not quote its schema fails, and one that depends on columns that it does not name.
 */
async function freshStorage() {
  const schema = 'user'
  const { connectionString, drop } = await createDatabaseFrom(`expanded_${schema}`, async (connectionString) => {
    const pool = new Pool({ connectionString })
    const storage = postgresStorage({ pool, schema })
    await storage.migrate()
    await storage.close()
    await pool.end()
    await expandSchema(connectionString, schema)
  })
  const [pool, readPool] = [new Pool({ connectionString }), new Pool({ connectionString, max: 4 })]
  const storage = postgresStorage({ pool, readPool, schema })
  return {
    ...storage,
    search: () => postgresSearch({ pool, schema }),
    rateLimits: () => postgresRateLimits({ pool, schema }),
    async close() {
      await storage.close()
      await Promise.all([pool.end(), readPool.end()])
      await drop()
    },
  }
}

/** Runs contracts on one storage, whose tables they do not share. */
function contracts<Made extends ReturnType<typeof postgresStorage>>(create: () => Promise<Made>): void {
  let made: Promise<Made> | undefined
  const storage = () => (made ??= create())
  const close = async () => {}
  vitest.afterAll(async () => (await made)?.close())
  storageContract(vitest, { storage: async () => ({ ...(await storage()), close }) })
  rateLimitStoreContract(vitest, async () => ({ ...(await storage()).rateLimits(), close }))
  searchIndexContract(vitest, async () => ({ ...(await storage()).search(PATIENT), close }))
}

// A queue would also deliver the jobs of other contracts, so its contract runs on another storage.
if (onPglite()) {
  vitest.describe('PGlite', () => contracts(async () => pgliteStorage()))
  vitest.describe('PGlite with pgvector', () => {
    let made: ReturnType<typeof pgliteStorage> | undefined
    vitest.beforeAll(async () => {
      made = pgliteStorage({ extensions: { vector } })
      await made.ping()
    })
    vitest.afterAll(() => made?.close())
    const storage = () => {
      if (!made) throw new Error('The storage was not created')
      return { ...made, close: async () => {} }
    }
    searchIndexContract(vitest, () => ({ ...storage().search(PATIENT), close: async () => {} }), { only: ['meanings'] })
    jobQueueContract(vitest, storage)
  })
} else {
  // In the schema it has by itself, nearly every other test runs.
  vitest.describe('PostgreSQL, in a schema that the next release has expanded', () => {
    contracts(freshStorage)
    jobQueueContract(vitest, freshStorage)
  })
}
