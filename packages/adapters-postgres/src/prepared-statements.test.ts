import { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import { Pool, type PoolConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migratedDump } from '../../../test/src/support/migrated-pglite.ts'
import { postgresStorage } from './index.ts'

const HOLDER = { profileId: 1, payerWalletAddress: '0x1', payerNetwork: 'cash:test' }

describe('the statement that finds entitlements', () => {
  let pglite: PGlite
  let pool: Pool
  const preparedNames = async () => {
    const { rows } = await pool.query<{ name: string }>('select name from pg_prepared_statements')
    return rows.map(({ name }) => name)
  }

  beforeAll(async () => {
    pglite = await PGlite.create({ loadDataDir: await migratedDump() })
    pool = new Pool({ ...(createPgConfig(pglite) as PoolConfig), max: 1, idleTimeoutMillis: 0 })
  })
  afterAll(async () => {
    await pool.end()
    await pglite.close()
  })

  it('is not prepared where a pooler may hand out another connection', async () => {
    await postgresStorage({ pool, listen: false }).read.entitlements.listActivePatterns(HOLDER)
    expect(await preparedNames()).toEqual([])
  })

  it('is prepared once, under a name derived from its text', async () => {
    const storage = postgresStorage({ pool })
    for (let each = 0; each < 3; each++) await storage.read.entitlements.listActivePatterns(HOLDER)
    expect(await preparedNames()).toEqual([expect.stringMatching(/^eep_[0-9a-f]{32}$/)])
  })

  it.each(['outside of a transaction', 'in a transaction'])(
    'is run %s after the connection has lost it',
    async (place) => {
      const storage = postgresStorage({ pool })
      const list = () =>
        place === 'in a transaction'
          ? storage.transaction((tx) => tx.entitlements.listActivePatterns(HOLDER))
          : storage.read.entitlements.listActivePatterns(HOLDER)
      expect(await list()).toEqual([])
      await pool.query('deallocate all')
      expect(await list()).toEqual([])
      expect(await preparedNames()).toEqual([])
    },
  )
})
