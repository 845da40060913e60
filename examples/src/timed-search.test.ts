import { pgliteStorage } from '@eep/adapters-postgres/pglite'
import { searchIndexContract } from '@eep/core/testing'
import * as vitest from 'vitest'
import { timedSearch } from './timed-search.ts'

const times: number[] = []
searchIndexContract(vitest, async () => {
  const storage = pgliteStorage()
  await storage.migrate()
  return { ...timedSearch(storage.search(), (ms) => times.push(ms)), close: () => storage.close() }
})
vitest.it('reports the time of queries', () => vitest.expect(times.length).toBeGreaterThan(0))
