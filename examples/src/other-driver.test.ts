import { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import { Pool, type PoolConfig } from 'pg'
import { expect, it } from 'vitest'
import { neonStorage } from './other-driver.ts'

it('stores over any pool that behaves like one of pg', async () => {
  const database = await PGlite.create()
  const storage = neonStorage(new Pool({ ...(createPgConfig(database) as PoolConfig), max: 1 }))
  await storage.migrate()
  await storage.ping()
  expect((await storage.status()).pending).toEqual([])
  expect(await storage.read.profiles.getByUsername('person', 'nobody')).toBeUndefined()
  await storage.close()
  await database.close()
})
