import { searchIndexContract } from '@eep/core/testing'
import * as vitest from 'vitest'
import { migratedPglite } from '../../test/src/support/migrated-pglite.ts'
import { timedSearch } from './timed-search.ts'

const times: number[] = []
searchIndexContract(vitest, async () => {
  const storage = await migratedPglite()
  return { ...timedSearch(storage.search({ timeoutMs: 60_000 }), (ms) => times.push(ms)), close: () => storage.close() }
})
vitest.it('reports the time of queries', () => vitest.expect(times.length).toBeGreaterThan(0))
