import { storageContract } from '@eep/core/testing'
import { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import { Pool, type PoolConfig } from 'pg'
import * as runner from 'vitest'
import { migratedDump } from '../../test/support/migrated-pglite.ts'
import { neonStorage } from './other-driver.ts'

// Values, locks, transactions and the log are where drivers differ. The queries are those of every other driver.
const CASES = ['storage', 'accounts', 'pages', 'entitlements', 'payments', 'idempotency', 'events', 'transactions']
const vitest = {
  ...runner,
  describe: (name: string, cases: () => void) => (CASES.includes(name) ? runner.describe(name, cases) : undefined),
}

// #region contract
storageContract(vitest, {
  async storage() {
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
  },
})
// #endregion

/** A pool that behaves like one of pg. */
async function openPool() {
  const database = await PGlite.create({ loadDataDir: await migratedDump() })
  return {
    pool: new Pool({ ...(createPgConfig(database) as PoolConfig), max: 1, idleTimeoutMillis: 0 }),
    end: () => database.close(),
  }
}
